/* hack.h - the header that every file of functions reads */

#ifndef HACK_H
#define HACK_H

#include "config.h"
#include "general.h"
#include "prop.h"
#include "permonst.h"
#include "monsym.h"
#include "monst.h"
#include "objclass.h"
#include "obj.h"
#include "skills.h"
#include "attrib.h"
#include "you.h"
#include "youprop.h"
#include "rm.h"
#include "trap.h"
#include "onames.h" /* written by makedefs from the tables */
#include "pm.h"

enum encumbrance_types {
    UNENCUMBERED = 0,
    SLT_ENCUMBER = 1, /* Burdened, above the capacity */
    MOD_ENCUMBER = 2, /* Stressed, from one and a half times on */
    HVY_ENCUMBER = 3, /* Strained, from twice on */
    EXT_ENCUMBER = 4, /* Overtaxed, from two and a half times on */
    OVERLOADED = 5    /* from three times on */
};

enum game_end_types {
    DIED = 0,
};

#define BOW_TO_HIT_MELEE_PENALTY 40
#define THROWN_WEAPON_TO_HIT_MELEE_PENALTY 40
#define THROWING_WEAPON_TO_HIT_MELEE_PENALTY_WHEN_USED_AS_MELEE_WEAPON 20

#define SHARPNESS_PERCENTAGE_CHANCE 35
#define SHARPNESS_DIE_ROLL_CHANCE (SHARPNESS_PERCENTAGE_CHANCE / 5)

/* runes that ward a square when engraved on it */
#define Elbereth_word "Elbereth"
#define Gilthoniel_word "Gilthoniel"
#define Morgoth_word "Morgoth"

struct context_info {
    schar game_difficulty; /* -4 Standard to 2 Grand Master */
};

extern struct context_info context;
extern int64_t moves;
extern struct monst *fmon;
extern struct obj *invent, *uwep, *uarm, *uarmo, *uarmc, *uarmh, *uarmf, *uarms, *uarmg, *uarmu, *uarmb;

#include "extern.h"

#endif /* HACK_H */
