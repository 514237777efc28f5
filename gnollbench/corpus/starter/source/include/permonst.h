/* permonst.h - what is known of a kind of monster */

#ifndef PERMONST_H
#define PERMONST_H

#include "action.h"
#include "align.h"
#include "attrib.h"
#include "general.h"
#include "monattk.h"
#include "monflag.h"
#include "soundset.h"

/* One attack: damn dice of damd sides, plus damp. */
struct attack {
    uchar aatyp, adtyp;
    short damn, damd, damp;
    short mcadj;  /* added to the target's magic cancellation or save */
    short mlevel; /* level or chance at which it is used */
    short range;
    uint64_t aflags;
    uchar action_tile;
};

#define ATTKFLAGS_NO_OBJ_DMG 0x00000004UL
#define WT_HUMAN 1450
#define NON_PM (-1)

struct action_info {
    short actions[MAX_ACTION_TILES];
    short statue;
    short corpse;
    short swallow;
};

struct permonst {
    const char *mname;        /* full name */
    const char *mtitle;       /* what a unique one is the lord of */
    const char *mdescription;
    const char *mfemalename;
    const char *mcommonname;
    char mlet;                /* class symbol */
    uchar mlevel;             /* base level; the difficulty stands below */
    schar mmove, ac, mc, mr;  /* speed, armor class, magic cancellation, magic resistance */
    aligntyp maligntyp;
    uint64_t geno;            /* how it is generated */
    struct attack mattk[NATTK];
    unsigned short cwt, cnutrit; /* corpse: weight in ounces, nutrition */
    uchar msound;
    uchar msize;
    uchar heads;
    int lightrange;
    uchar body_material_type;
    int str, dex, con, intl, wis, cha;
    uint64_t mresists, mresists2;
    uint64_t mconveys;
    uint64_t mflags1, mflags2, mflags3, mflags4, mflags5, mflags6, mflags7, mflags8;
    int difficulty;
#ifdef TEXTCOLOR
    uchar mcolor;
#endif
    int32_t soundset, female_soundset;
    uchar soundset_subtype;
    struct action_info animation, female_animation;
    struct action_info enlargement, female_enlargement;
    struct action_info replacement, female_replacement;
};

extern NEARDATA struct permonst mons[];

#endif /* PERMONST_H */
