/* you.h - the hero */

#ifndef YOU_H
#define YOU_H

#include "align.h"
#include "attrib.h"
#include "prop.h"
#include "skills.h"

struct Race {
    const char *noun, *adj, *coll, *filecode;
    short malenum;
    uint64_t allow;      /* genders and alignments */
    schar attrmin[A_MAX]; /* Str Int Wis Dex Con Cha */
    schar attrmax[A_MAX];
};

struct Role {
    short monsternum;
};

#define ROLE_MALE 0x10000000UL
#define ROLE_FEMALE 0x20000000UL
#define ROLE_LAWFUL AM_LAWFUL
#define ROLE_NEUTRAL AM_NEUTRAL
#define ROLE_CHAOTIC AM_CHAOTIC

struct you {
    xchar ux, uy;
    int ulevel; /* 1 to MAXULEV */
    int64_t uexp;
    int uac, umc;
    schar uluck;
    int ugangr;
    int uprayer_timeout; /* turns until a prayer is safe without trouble */
    int ublessed, uacbonus, uhitinc;
    align ualign;
    struct attribs acurr, aexe;
    struct prop uprops[MAX_PROPS];
    struct skills weapon_skills[P_NUM_SKILLS];
};

extern struct you u;
extern struct monst youmonst;
extern struct Role urole;
extern struct Race urace;
extern const struct Race races[];

#define Role_if(X) (urole.monsternum == (X))

#endif /* YOU_H */
