/* pickup.c - taking things from the floor */

#include "hack.h"

/*
 * A scroll of scare monster bears a second lifting badly.  A blessed one
 * loses its blessing, a plain fresh one is marked, and one that is marked or
 * cursed turns to dust.  Returns 1 when the object was taken or is gone.
 */
int
pickup_object(struct obj *obj)
{
    if (obj->otyp == SCR_SCARE_MONSTER) {
        if (obj->blessed) {
            obj->blessed = 0;
        } else if (!obj->cursed && obj->special_quality == 0) {
            obj->special_quality = SPEQUAL_WILL_TURN_TO_DUST_ON_PICKUP;
        } else {
            useupf(obj);
            return 1;
        }
    }
    addinv(obj);
    return 1;
}
