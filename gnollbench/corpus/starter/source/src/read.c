/* read.c - the effects of scrolls */

#include "hack.h"

/*
 * How many items an identify scroll names: one when cursed, two when
 * uncursed, three when blessed.  No roll of the dice makes it the whole pack.
 */
int
seffects(struct obj *sobj)
{
    boolean confused = Confusion != 0;
    int cval;

    switch (sobj->otyp) {
    case SCR_IDENTIFY:
        if (confused) { /* it names itself and is gone */
            useup(sobj);
            break;
        }
        cval = sobj->blessed ? 3 : sobj->cursed ? 1 : 2;
        if (identify_pack(cval) > 0)
            useup(sobj);
        break;
    case SCR_SCARE_MONSTER:
        for (struct monst *mtmp = fmon; mtmp; mtmp = mtmp->nmon) {
            int adjustment = get_saving_throw_adjustment(sobj, mtmp, (struct monst *) 0);

            if (resists_fear(mtmp) || check_ability_resistance_success(mtmp, A_WIS, adjustment))
                continue;
            if (!confused && !sobj->cursed)
                make_mon_fearful(mtmp, rnd(50) + 100);
        }
        break;
    default:
        break;
    }
    return 0;
}
