/* obj.h - one object */

#ifndef OBJ_H
#define OBJ_H

struct obj {
    struct obj *nobj; /* next in the same place */
    struct obj *cobj; /* contents */
    short otyp;
    short oartifact;
    char oclass;
    int64_t quan;
    int owt;
    uchar material;
    uchar exceptionality;
    schar enchantment;
    schar charges;
    short special_quality;
    short repowerleft;
    uchar oeroded, oeroded2;
    unsigned blessed : 1, cursed : 1, oerodeproof : 1;
};

enum exceptionality_types {
    EXCEPTIONALITY_NORMAL = 0,
    EXCEPTIONALITY_EXCEPTIONAL = 1,
    EXCEPTIONALITY_ELITE = 2,
    EXCEPTIONALITY_CELESTIAL = 3,
    EXCEPTIONALITY_INFERNAL = 5,
};

enum mythic_prefix_types {
    MYTHIC_PREFIX_NONE = 0,
};

enum mythic_suffix_types {
    MYTHIC_SUFFIX_NONE = 0,
    MYTHIC_SUFFIX_DRAGON_SLAYING = 6,
};

#define SPEQUAL_WILL_TURN_TO_DUST_ON_PICKUP 1

#define Is_container(o) ((objects[(o)->otyp].oc_flags2 & O2_CONTAINER) != 0)
#define is_demon_obj(o) ((o)->exceptionality == EXCEPTIONALITY_INFERNAL)

#endif /* OBJ_H */
