/* artifact.c - invoking artifacts */

#include "hack.h"
#include "artifact.h"
#include "artilist.h"

/*
 * Invoking costs a charge where the artifact says so, and needs it worn
 * where it says so.  The Ring of Conflict asks for both: seven charges, each
 * worth 2d10+140 turns of conflict, and 200 turns of rest in between.
 * Returns the turns that the effect lasts, 0 when nothing happens.
 */
int
arti_invoke(struct obj *obj)
{
    const struct artifact *art = &artilist[obj->oartifact];
    boolean must_be_worn = (art->aflags & AF_INVOKE_REQUIRES_WORN) != 0;
    boolean costs_charge = (art->aflags & AF_INVOKE_EXPENDS_CHARGE) != 0;

    if (must_be_worn && !is_worn_correctly(obj))
        return 0;
    if (costs_charge && obj->charges < 1)
        return 0;
    if (obj->repowerleft > 0) { /* impatience only makes it longer */
        obj->repowerleft += d(3, 10);
        return 0;
    }
    obj->charges -= costs_charge;
    obj->repowerleft = art->repower_time;
    return d(art->inv_duration_dice, art->inv_duration_diesize) + art->inv_duration_plus;
}
