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
    const struct artifact *oart = &artilist[obj->oartifact];

    if ((oart->aflags & AF_INVOKE_REQUIRES_WORN) && !is_worn_correctly(obj))
        return 0;
    if ((oart->aflags & AF_INVOKE_EXPENDS_CHARGE) && obj->charges <= 0)
        return 0;
    if (obj->repowerleft > 0) { /* impatience only makes it longer */
        obj->repowerleft += d(3, 10);
        return 0;
    }
    if (oart->aflags & AF_INVOKE_EXPENDS_CHARGE)
        obj->charges--;
    obj->repowerleft = oart->repower_time;
    return d(oart->inv_duration_dice, oart->inv_duration_diesize) + oart->inv_duration_plus;
}
