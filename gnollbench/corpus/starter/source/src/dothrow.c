/* dothrow.c - whether a thrown or fired thing hits, and whether it survives */

#include "hack.h"

/*
 * At arm's length there is no room to throw or to draw.  Thrown things and
 * the missiles of bows and slings lose 40 to hit, crossbow bolts 32.
 */
static int
point_blank_penalty(struct obj *obj)
{
    if (!uwep || !ammo_and_launcher(obj, uwep))
        return THROWN_WEAPON_TO_HIT_MELEE_PENALTY;
    if (objects[uwep->otyp].oc_skill == P_CROSSBOW)
        return BOW_TO_HIT_MELEE_PENALTY * 8 / 10;
    return BOW_TO_HIT_MELEE_PENALTY;
}

/*
 * After a hit: an uneroded +0 missile is lost one time in twenty, a better
 * one more seldom, a badly worn one often.  A blessed one is never lost,
 * unless the target's own body rusts or corrodes it.
 */
static boolean
missile_is_lost(struct obj *obj, int passive_damage)
{
    int wear = greatest_erosion(obj) - obj->enchantment;
    boolean lost;

    if (passive_damage)
        lost = rn2(max(3, wear + 3)) != 0;
    else if (wear > 1)
        lost = rn2(wear) != 0;
    else
        lost = !rn2(max(2, 20 - 2 * wear));
    if (obj->blessed && (!passive_damage || !rn2(2)))
        lost = FALSE;
    return lost;
}

/* Returns 1 when the object is used up, 0 when it lands on the floor. */
int
thitmonst(struct monst *mon, struct obj *obj)
{
    int distance = distmin(u.ux, u.uy, mon->mx, mon->my);
    int tmp = -1 + u.uluck + find_mac(mon) + u.uhitinc + u.ulevel;

    tmp += max(-4, 2 - distance / 3);
    if (distance <= 1)
        tmp -= point_blank_penalty(obj);
    if (tmp < rnd(20))
        return 0;

    damage_monster(mon, obj);
    if (objects[obj->otyp].oc_skill < P_NONE && objects[obj->otyp].oc_skill >= -P_THROWN_WEAPON
        && !objects[obj->otyp].oc_magic
        && missile_is_lost(obj, does_passive_impact_obj(mon->data, obj))) {
        obfree(obj);
        return 1;
    }
    return 0;
}
