/* general.h - materials, qualities and difficulty levels */

#ifndef GENERAL_H
#define GENERAL_H

enum obj_material_types {
    MAT_NONE = 0,
    MAT_VEGGY = 4,
    MAT_FLESH = 5,
    MAT_PAPER = 7,
    MAT_CLOTH = 8,
    MAT_COTTON = 9,
    MAT_LEATHER = 11,
    MAT_WOOD = 12,
    MAT_BONE = 13,
    MAT_DRAGON_HIDE = 16,
    MAT_IRON = 17,
    MAT_METAL = 19,
    MAT_BRONZE = 23,
    MAT_GOLD = 25,
    MAT_ORICHALCUM = 27,
    MAT_PLASTIC = 30,
    MAT_GLASS = 31,
    MAT_HARD_CRYSTAL = 33,
    MAT_GEMSTONE = 34,
    MAT_MINERAL = 35,
};

enum fountain_subtypes {
    FOUNTAIN_MAGIC = 1,
    FOUNTAIN_HEALING = 2,
    FOUNTAIN_MANA = 3,
    FOUNTAIN_POWER = 4,
    FOUNTAIN_POISON = 5,
    FOUNTAIN_WATER = 6,
};

#define NATTK 8
#define MIN_DIFFICULTY_LEVEL -4
#define MAX_DIFFICULTY_LEVEL 2
#define ARTDMG_DOUBLE_DAMAGE -20

#endif /* GENERAL_H */
