/* do_wear.c - the armor class that worn things give */

#include "hack.h"

#define ARM_AC_BONUS(obj) (int) (objects[(obj)->otyp].oc_armor_class + (obj)->enchantment)

static int
bonus_of(struct obj *worn)
{
    return worn ? ARM_AC_BONUS(worn) : 0;
}

/*
 * Suit and robe do not add up: the better of the two counts.  (What else
 * they confer, magic resistance say, works from both.)  All other pieces of
 * armor are summed.
 */
void
find_ac(void)
{
    int suit_ac_bonus = bonus_of(uarm);
    int robe_ac_bonus = bonus_of(uarmo);
    int armor_bonus = max(suit_ac_bonus, robe_ac_bonus);
    int uac;

    armor_bonus += bonus_of(uarmc) + bonus_of(uarmh) + bonus_of(uarmf) + bonus_of(uarms)
                   + bonus_of(uarmg) + bonus_of(uarmu) + bonus_of(uarmb);

    /* a tough hide helps a third as much below armor, and the other way round */
    uac = min(youmonst.data->ac - armor_bonus / 3, 10 - armor_bonus - (10 - youmonst.data->ac) / 3);
    uac -= u.uacbonus + u.ublessed;
    u.uac = uac;
}
