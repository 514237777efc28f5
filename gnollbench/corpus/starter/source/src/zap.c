/* zap.c - what a ray does to the one it hits, and how saves are adjusted */

#include "hack.h"

#define ZT_FIRE (AD_FIRE - 1)
#define ZT_COLD (AD_COLD - 1)
#define ZT_SLEEP (AD_SLEE - 1)
#define ZT_DEATH (AD_DRAY - 1)

/*
 * Points added to an ability score before a saving throw is rolled; each is
 * worth five per cent.  Blessed things are harder to resist, cursed easier,
 * and so are the skilled user's.
 */
int
get_saving_throw_adjustment(struct obj *otmp, struct monst *targetmonst, struct monst *origmonst)
{
    int res = objects[otmp->otyp].oc_mc_adjustment;
    int skill_level;

    if (otmp->blessed)
        res -= 5;
    else if (otmp->cursed)
        res += 5;
    if (targetmonst->mprops[NO_MAGIC_RESISTANCE])
        res -= 20;
    if (!origmonst)
        return res;

    if (origmonst == &youmonst)
        skill_level = P_SKILL_LEVEL(objects[otmp->otyp].oc_skill);
    else if (is_prince(origmonst->data))
        skill_level = P_GRAND_MASTER;
    else if (is_lord(origmonst->data))
        skill_level = P_EXPERT;
    else
        skill_level = P_BASIC;

    if (objects[otmp->otyp].oc_skill == P_WAND)
        res -= 2 * max(0, skill_level - 1);
    else
        res -= 3 * (max(0, skill_level - 1) - 1);
    return res;
}

/*
 * A ray has hit you.  The dice come from the table entry of the wand or book
 * that made it: a wand of cold rolls 8d6.
 */
void
zhitu(int type, int dmgdice, int dicesize, int dmgplus)
{
    double damage = d(dmgdice, dicesize) + dmgplus;

    switch (abs(type) % 10) {
    case ZT_COLD:
        if (Cold_immunity || Invulnerable)
            damage = 0;
        break;
    case ZT_SLEEP:
        damage = 0;
        if (!Sleep_resistance)
            fall_asleep(rn1(5, 8)); /* 8 to 12 turns */
        break;
    case ZT_DEATH:
        damage = 0;
        /* the unliving and demons resist death by nature */
        if (resists_death(&youmonst) || Death_resistance || Invulnerable)
            break;
#if 0 /* magic resistance stops no death ray in this game */
        if (Antimagic)
            break;
#endif
        done(DIED);
        return;
    default:
        break;
    }
    losehp(damage);
}
