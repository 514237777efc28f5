/* objclass.h - what is known of a kind of object */

#ifndef OBJCLASS_H
#define OBJCLASS_H

#include "action.h"
#include "general.h"
#include "soundset.h"

enum multigen_types {
    MULTIGEN_SINGLE = 0,
    MULTIGEN_1D2 = 1,
    MULTIGEN_1D10 = 6,
    MULTIGEN_2D6_3 = 20,
    MULTIGEN_1_OR_2 = 35,
};

enum multishot_types {
    MULTISHOT_NONE = 0,
    MULTISHOT_THROWN_DAGGER = 4,
    MULTISHOT_THROWN_DART = 5,
};

enum obj_armor_types {
    ARM_SUIT = 0,
    ARM_SHIELD = 1,
    ARM_HELM = 2,
    ARM_GLOVES = 3,
    ARM_BOOTS = 4,
    ARM_CLOAK = 5,
    ARM_ROBE = 7,
};

enum obj_weapon_types {
    WEP_LONG_SWORD = 1,
    WEP_BROADSWORD = 3,
    WEP_TWO_HANDED_AXE = 11,
    WEP_DAGGER = 12,
    WEP_DART = 28,
    WEP_LONG_BOW = 32,
    WEP_CROSSBOW = 34,
    WEP_SLING = 36,
    WEP_ARROW = 37,
    WEP_QUARREL = 38,
    WEP_SLING_BULLET = 39,
};

enum obj_food_types {
    FOODTYPE_RATION = 1,
    FOODTYPE_FRUIT = 2,
    FOODTYPE_VEGETABLE = 3,
};

enum obj_miscellaneous_types {
    MISC_BROOCH = 16,
};

enum obj_tool_types {
    TOOLTYPE_GENERAL = 0,
    TOOLTYPE_CHEST = 2,
    TOOLTYPE_BAG = 3,
    TOOLTYPE_PICK_AXE = 4,
    TOOLTYPE_HORN = 8,
    TOOLTYPE_JAR = 19,
};

enum charged_init_types {
    CHARGED_NOT_CHARGED = 0,
    CHARGED_WAND_NORMAL_NODIR = 7,
    CHARGED_WAND_NORMAL_DIR = 8,
    CHARGED_WAND_WISHING = 9,
    CHARGED_HORN_NORMAL = 10,
    CHARGED_MAGIC_MARKER = 14,
    CHARGED_1D6_6 = 15,
    CHARGED_1D30_30 = 17,
    CHARGED_ALWAYS_7 = 21,
    CHARGED_2D6_8 = 27,
    CHARGED_UNICORN_HORN = 29,
    CHARGED_1D4_4 = 30,
    CHARGED_1D4_1 = 32,
};

enum recharging_types {
    RECHARGING_NOT_RECHARGEABLE = 0,
    RECHARGING_WAND_GENERAL = 2,
    RECHARGING_WAND_WISHING = 3,
    RECHARGING_TOOL_GENERAL = 4,
    RECHARGING_UNICORN_HORN = 9,
    RECHARGING_MAGIC_MARKER = 12,
    RECHARGING_RING_OF_CONFLICT = 18,
    RECHARGING_SALVE = 21,
};

enum enchantment_init_types {
    ENCHTYPE_NO_ENCHANTMENT = 0,
    ENCHTYPE_GENERAL_WEAPON = 1,
    ENCHTYPE_GENERAL_ARMOR = 2,
    ENCHTYPE_LEATHER_NONBODY_ARMOR = 4,
    ENCHTYPE_RING_NORMAL = 11,
    ENCHTYPE_PROJECTILE = 18,
    ENCHTYPE_THROWN_WEAPON = 19,
    ENCHTYPE_SINGLE_HANDED_MELEE_WEAPON = 20,
    ENCHTYPE_TWO_HANDED_MELEE_WEAPON = 21,
    ENCHTYPE_TWO_HANDED_LAUNCHER = 23,
};

enum material_init_types {
    MATINIT_BASE_MATERIAL = 0,
    MATINIT_MAYBE_SILVER_OR_BONE = 2,
    MATINIT_LONG_SWORD = 3,
    MATINIT_PLATE_MAIL = 4,
    MATINIT_MAYBE_ADAMANTIUM_OR_MITHRIL = 10,
};

enum obj_class_types
{
    ILLOBJ_CLASS = 1,
    WEAPON_CLASS = 2,
    ARMOR_CLASS = 3,
    RING_CLASS = 4,
    AMULET_CLASS = 5,
    TOOL_CLASS = 6,
    FOOD_CLASS = 7,
    POTION_CLASS = 8,
    SCROLL_CLASS = 9,
    SPBOOK_CLASS = 10,
    WAND_CLASS = 11,
    COIN_CLASS = 12,
    GEM_CLASS = 13,
    ROCK_CLASS = 14,
    REAGENT_CLASS = 18,
    MISCELLANEOUS_CLASS = 19,
    ART_CLASS = 20,
    MAX_OBJECT_CLASSES = 21,
};

#define NODIR 1

#define IMMEDIATE 2

#define RAY 3

#define TOUCH 5

#define IMMEDIATE_NONE 0

#define NODIR_NONE 0

#define TOUCH_NONE 0

#define PIERCE 1
#define SLASH 2
#define WHACK 0

#define P1_NONE 0x00000000UL
#define P1_LUCK_APPLIES_WHEN_CARRIED 0x01000000UL
#define P1_CURSED_ITEM_YIELDS_NEGATIVE 0x08000000UL
#define P1_CONFERS_LUCK 0x10000000UL

#define A1_NONE 0x00000000UL
#define A2_NONE 0x00000000UL

#define S1_NONE 0x00000000UL
#define S1_SPELLBOOK_MUST_BE_READ_TO_IDENTIFY 0x00000004UL
#define S1_NO_SOMATIC_COMPONENT 0x00000020UL
#define S1_DOES_NOT_TAKE_A_TURN 0x00000080UL
#define S1_FLAGS_EFFECT_USES_SAVING_THROW_VS_WIS 0x00010000UL

#define S2_NONE 0x00000000UL

#define POTFLAGS_NONE 0x00000000UL
#define POTFLAGS_BLESSED_CURE_SICKNESS 0x00000004UL
#define POTFLAGS_UNCURSED_CURE_BLINDNESS 0x00000010UL
#define POTFLAGS_BLESSED_CURE_BLINDNESS 0x00000020UL
#define POTFLAGS_NONCURSED_CURE_BLINDNESS (POTFLAGS_UNCURSED_CURE_BLINDNESS | POTFLAGS_BLESSED_CURE_BLINDNESS)

#define BONUS_TO_STR 0x00000001
#define BONUS_TO_CHA 0x00000020
#define BONUS_TO_MC 0x00000200

#define FULL_MC_BONUS 0x00004000
#define SETS_FIXED_ATTRIBUTE 0x00010000
#define IGNORE_ENCHANTMENT 0x00040000
#define EDIBLETYPE_NORMAL 0

#define EDIBLEFX_NO_EFFECT 0
#define EDIBLEFX_GAIN_STRENGTH -1
#define EDIBLEFX_GAIN_DEXTERITY -2
#define EDIBLEFX_GAIN_CONSTITUTION -3
#define EDIBLEFX_GAIN_INTELLIGENCE -4
#define EDIBLEFX_GAIN_WISDOM -5
#define EDIBLEFX_GAIN_CHARISMA -6
#define EDIBLEFX_CURE_BLINDNESS -8
#define EDIBLEFX_CURE_SICKNESS -10
#define EDIBLEFX_APPLE -12
#define EDIBLEFX_CURE_PETRIFICATION -16

#define RAY_WND_MAGIC_MISSILE 0
#define RAY_WND_FIRE 1
#define RAY_WND_COLD 2
#define RAY_WND_SLEEP 3
#define RAY_WND_LIGHTNING 5
#define RAY_WND_DEATH 8
#define RAY_WND_DIGGING 101
#define RAY_SLEEP 13
#define RAY_DEATH 18

#define O1_NONE 0x00000000UL
#define O1_INDESTRUCTIBLE 0x00000001UL
#define O1_COLD_RESISTANT 0x00000008UL
#define O1_LIGHTNING_RESISTANT 0x00000010UL
#define O1_ROT_RESISTANT 0x00000100UL
#define O1_EDIBLE_NONFOOD 0x00010000UL
#define O1_THROWN_WEAPON_ONLY 0x01000000UL
#define O1_MELEE_AND_THROWN_WEAPON 0x02000000UL
#define O1_SPELLTOOL 0x20000000UL

#define O2_NONE 0x00000000UL
#define O2_ELVEN_ITEM 0x00000001UL
#define O2_DRAGON_ITEM 0x00000010UL
#define O2_CONTAINER 0x00000400UL
#define O2_CONTAINER_BOX 0x00000800UL
#define O2_CONTAINER_MAGIC_BAG 0x00001000UL
#define O2_CONTAINER_WEIGHT_REDUCING_MAGIC_BAG 0x00002000UL
#define O2_MONSTER_SCALE_MAIL 0x00010000UL
#define O2_GRAYSTONE 0x00200000UL

#define O3_NONE 0x00000000UL
#define O3_NO_GENERATION 0x00000001UL
#define O3_NO_WISH 0x00000002UL
#define O3_BURIED_SEARCHABLE 0x00000020UL
#define O3_USES_FIXED_DAMAGE_BONUS_INSTEAD_OF_STRENGTH 0x00000100UL
#define O3_NO_PICKUP 0x00000800UL
#define O3_APPLIABLE 0x00002000UL
#define O3_READABLE 0x00008000UL
#define O3_QUAFFABLE 0x00800000UL

#define O4_NONE 0x00000000UL
#define O4_MISSILE_TILE 0x00000001UL
#define O4_FLOOR_TILE 0x00000004UL
#define O4_FULL_SIZED_BITMAP 0x00000008UL
#define O4_DRAWN_IN_FRONT 0x00000010UL
#define O4_ALLOWS_DIPPING_INTO 0x00000020UL
#define O4_CAN_HAVE_EXCEPTIONALITY 0x00000100UL
#define O4_NON_EXCEPTIONAL 0x00004000UL
#define O4_NON_MYTHIC 0x00020000UL
#define O4_WEAPON_TOOL 0x08000000UL
#define O4_RARE 0x10000000UL
#define O4_VERY_RARE 0x20000000UL

#define O5_NONE 0x00000000UL
#define O5_TILE_IS_TILESET_DEPENDENT 0x00000001UL
#define O5_NO_MYTHIC_RACIAL_PREFIXES 0x00000008UL
#define O5_IS_WEAPON_WHEN_WORN 0x00000010UL
#define O5_EFFECT_IS_HEALING 0x00000400UL
#define O5_EFFECT_IS_DAMAGE 0x00001000UL
#define O5_EFFECT_FOR_BLESSED_ONLY 0x00002000UL
#define O5_EFFECT_FLAGS_ARE_HEALING 0x00004000UL
#define O5_NO_CATALOGUE 0x00040000UL
#define O5_CANNOT_BE_CELESTIAL 0x00200000UL
#define O5_CANNOT_BE_PRIMORDIAL 0x00400000UL
#define O5_CANNOT_BE_INFERNAL 0x00800000UL
#define O5_MATERIAL_NAME_2ND_WORD_AN 0x10000000UL
#define O5_REMOVED_FROM_GAME 0x80000000UL

#define O6_NONE 0x00000000UL
#define O6_NORMALLY_NON_EXCEPTIONAL 0x00000004UL

#define PERMITTED_ALL 0x00000000UL
#define ALL_TARGETS 0x00000000UL

#define OD_NONE 0x00000000UL
#define OD_MATERIAL_NAME_WORD_BY_AN 0x00000001UL
#define OD_MISSILE_REPLACEMENTS 0x00000010UL

/* How hard gem or ring is, edible or not, is in the fields below. */
struct objclass {
    short oc_name_idx;
    short oc_descr_idx;
    char *oc_uname;
    uchar oc_name_known;
    uchar oc_merge;
    uchar oc_uses_known;
    uchar oc_pre_discovered;
    uchar oc_magic;
    uchar oc_enchantable;  /* enchantment class */
    uchar oc_charged;      /* charge class: see get_init_charge, get_max_charge */
    uchar oc_recharging;
    uchar oc_unique;
    uchar oc_nowish;
    uchar oc_big;          /* two hands for a weapon, bulk for armor */
    uchar oc_tough;
    uchar oc_dir;
    uchar oc_material_init_type;
    uchar oc_material;
    schar oc_subtyp;
    schar oc_skill;
    uchar oc_oprop, oc_oprop2, oc_oprop3; /* properties conferred */
    uint64_t oc_pflags;
    char oc_class;
    schar oc_delay;
    uchar oc_color;
    short oc_prob;
    unsigned int oc_weight; /* ounces */
    unsigned int oc_nutrition;
    int64_t oc_cost;
    short oc_damagetype;
    short oc_wsdice, oc_wsdam, oc_wsdmgplus; /* small targets; the damage of wands and spells */
    short oc_wldice, oc_wldam, oc_wldmgplus; /* large targets; the duration of wands and spells */
    short oc_extra_damagetype;
    short oc_wedice, oc_wedam, oc_wedmgplus;
    uint64_t oc_aflags, oc_aflags2;
    short oc_hitbonus;
    short oc_mc_adjustment; /* of saving throws, for spells, wands and scrolls */
    short oc_fixed_damage_bonus;
    short oc_range;
    int64_t oc_oc1, oc_oc2, oc_oc3, oc_oc4, oc_oc5, oc_oc6, oc_oc7, oc_oc8;

#define oc_armor_class oc_oc1        /* armor and weapons */
#define oc_magic_cancellation oc_oc2
#define oc_mana_bonus oc_oc3
#define oc_hp_bonus oc_oc4
#define oc_bonus_attributes oc_oc5
#define oc_attribute_bonus oc_oc6
#define oc_spell_casting_penalty oc_oc7
#define oc_multishot_style oc_oc8
#define oc_edible_subtype oc_oc1     /* food and reagents */
#define oc_edible_effect oc_oc2
#define oc_spell_cooldown oc_oc1     /* spellbooks */
#define oc_spell_level oc_oc2
#define oc_spell_mana_cost oc_oc3
#define oc_spell_attribute oc_oc4
#define oc_spell_range oc_oc5        /* wands as well */
#define oc_spell_radius oc_oc6
#define oc_spell_skill_chance oc_oc7
#define oc_spell_per_level_step oc_oc8

    int oc_dir_subtype;
    int oc_material_components;
    short oc_item_cooldown;
    short oc_special_quality;
    uint64_t oc_flags, oc_flags2, oc_flags3, oc_flags4, oc_flags5, oc_flags6;
    uint64_t oc_power_permissions;
    uint64_t oc_target_permissions;
    int oc_critical_strike_percentage; /* for food, the chance of its effect */
    uchar oc_multigen_type;
    int32_t oc_soundset;
};

struct objdescr {
    const char *oc_name;
    const char *oc_descr;
    const char *oc_content_name;
    const char *oc_content_description;
    const char *oc_item_description;
    int oc_tile_floor_height;
    uint64_t oc_descr_flags;
    short stand_animation;
    short enlargement;
    short replacement;
};

extern NEARDATA struct objclass objects[];
extern NEARDATA struct objdescr obj_descr[];
#define OBJ_NAME(obj) (obj_descr[(obj).oc_name_idx].oc_name)
#define OBJ_DESCR(obj) (obj_descr[(obj).oc_descr_idx].oc_descr)

/* What a material does for a suit made of it. */
struct material_definition {
    const char *name;
    uchar material;
    double spell_casting_penalty_multiplier;
    double weight_multiplier;
    short power_suit;
};

#endif /* OBJCLASS_H */
