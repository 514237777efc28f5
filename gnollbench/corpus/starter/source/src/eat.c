/* eat.c - what food does beside filling the stomach */

#include "hack.h"

/* Cursed fruit takes a point away, blessed gives one or two, plain one. */
static int
attribute_change(struct obj *otmp)
{
    return otmp->cursed ? -1 : otmp->blessed ? rnd(2) : 1;
}

void
food_after_effect(struct obj *otmp)
{
    switch (objects[otmp->otyp].oc_edible_effect) {
    case EDIBLEFX_GAIN_STRENGTH:
        adjattrib(A_STR, attribute_change(otmp));
        break;
    case EDIBLEFX_GAIN_DEXTERITY: /* banana */
        adjattrib(A_DEX, attribute_change(otmp));
        break;
    case EDIBLEFX_CURE_BLINDNESS: /* carrot, cursed or not */
        make_blinded(0L);
        break;
    case EDIBLEFX_CURE_SICKNESS: /* fig */
        if (!otmp->cursed)
            make_sick(0L);
        break;
    case EDIBLEFX_CURE_PETRIFICATION: /* dragon fruit; a cursed one is useless */
        if (!otmp->cursed) {
            if (Stoned)
                fix_petrification();
            incr_itimeout(&HStone_resistance, 13);
        }
        break;
    default:
        break;
    }
}

#if 0 /* spellbooks are made of paper, whatever their cover looks like */
static boolean
leather_cover(struct obj *otmp)
{
    return otmp->oclass == SPBOOK_CLASS && !strcmp(OBJ_DESCR(objects[otmp->otyp]), "leather bound");
}
#endif
