/* prop.h - properties that heroes, monsters and things can have */

#ifndef PROP_H
#define PROP_H

#define NO_POWER 0

enum prop_types {
    COLD_IMMUNITY = 2,
    SLEEP_RESISTANCE = 3,
    STONE_RESISTANCE = 8,
    DRAIN_RESISTANCE = 9,
    INVULNERABLE = 11,
    ANTIMAGIC = 12,
    CONFUSION = 14,
    STONED = 18,
    HALLUC = 23,
    WARNING = 31,
    ADORNED = 38,
    CONFLICT = 43,
    LEVITATION = 47,
    UNCHANGING = 62,
    REFLECTING = 64,
    FREE_ACTION = 65,
    FIXED_ABIL = 66,
    LIFESAVED = 67,
    DEATH_RESISTANCE = 68,
    CURSE_RESISTANCE = 70,
    WARN_DRAGON = 80,
    VERY_FAST = 102,
    NO_MAGIC_RESISTANCE = 106,
    PARALYZED = 108,
    SLEEPING = 111,
    MAGIC_MISSILE_RESISTANCE = 141,
    IMPROVED_MAGIC_MISSILE_RESISTANCE = 160,
    POLYMORPH_RESISTANCE = 170,
    MAX_PROPS = 194,
};

struct prop {
    int64_t extrinsic;
    int64_t intrinsic;
};

#endif /* PROP_H */
