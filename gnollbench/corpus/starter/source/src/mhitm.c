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
    int total_save_adj = saving_throw_adjustment;

    if (origobj && origmonst)
        total_save_adj = get_saving_throw_adjustment(origobj, mon, origmonst);

    if (resists_sleep(mon))
        return 0;
    if (saving_throw_adjustment > -100 && check_ability_resistance_success(mon, A_WIS, total_save_adj))
        return 0;
    mon->mprops[SLEEPING] = max(mon->mprops[SLEEPING], amt);
    return 1;
}
