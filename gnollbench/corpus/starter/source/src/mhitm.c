/* mhitm.c - putting monsters to sleep */

#include "hack.h"

/*
 * Magic resistance is not asked.  A monster that does not resist sleep by
 * nature makes a Wisdom saving throw; failing it, it sleeps for amt turns.
 */
int
sleep_monst(struct monst *mon, struct obj *origobj, struct monst *origmonst, int amt,
            int saving_throw_adjustment)
{
    boolean may_save = saving_throw_adjustment > -100;
    int adjustment = origobj && origmonst ? get_saving_throw_adjustment(origobj, mon, origmonst)
                                          : saving_throw_adjustment;

    if (resists_sleep(mon))
        return 0;
    if (may_save && check_ability_resistance_success(mon, A_WIS, adjustment))
        return 0;
    mon->mprops[SLEEPING] = max(mon->mprops[SLEEPING], amt);
    return 1;
}
