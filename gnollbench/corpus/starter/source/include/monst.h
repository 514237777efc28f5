/* monst.h - one monster */

#ifndef MONST_H
#define MONST_H

#include "permonst.h"

struct monst {
    struct monst *nmon;
    struct permonst *data;
    short mnum;
    xchar mx, my;
    int mhp, mhpmax;
    short mprops[MAX_PROPS];
    unsigned mpeaceful : 1, mblinded : 1;
    unsigned iswiz : 1, isshk : 1, isgd : 1, ispriest : 1, issmith : 1, isnpc : 1;
};

#define is_demon(ptr) (((ptr)->mflags2 & M2_DEMON) != 0L)
#define is_undead(ptr) (((ptr)->mflags2 & M2_UNDEAD) != 0L)
#define is_not_living(ptr) (is_undead(ptr) || (ptr)->mlet == S_GOLEM)
#define is_lord(ptr) (((ptr)->mflags4 & M4_LORD) != 0L)
#define is_prince(ptr) (((ptr)->mflags4 & M4_PRINCE) != 0L)
#define ignores_Elbereth(ptr) (((ptr)->mflags4 & M4_IGNORES_ELBERETH) != 0L)
#define is_lminion(mon) (((mon)->data->mflags2 & M2_MINION) && (mon)->data->maligntyp > 0)
#define is_rider(ptr) \
    ((ptr) == &mons[PM_DEATH] || (ptr) == &mons[PM_FAMINE] || (ptr) == &mons[PM_PESTILENCE])

/* death magic cannot touch what does not live, nor demons */
#define resists_death(mon) \
    (((mon)->data->mresists & MR_DEATH) || is_not_living((mon)->data) || is_demon((mon)->data))
#define resists_sleep(mon) (((mon)->data->mresists & MR_SLEEP) != 0L)
#define resists_fear(mon) (((mon)->data->mresists & MR_FEAR) != 0L)

#endif /* MONST_H */
