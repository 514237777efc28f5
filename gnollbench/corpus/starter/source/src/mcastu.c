/* mcastu.c - spells that monsters cast at you */

#include "hack.h"

enum mcast_mage_spells {
    MGC_PSI_BOLT = 0,
    MGC_CURE_SELF,
    MGC_HASTE_SELF,
    MGC_STUN_YOU,
    MGC_DISAPPEAR,
    MGC_WEAKEN_YOU,
    MGC_DESTRY_ARMR,
    MGC_CURSE_ITEMS,
    MGC_AGGRAVATION,
    MGC_SUMMON_MONS,
    MGC_SUMMON_NASTY,
    MGC_CLONE_WIZ,
    MGC_DEATH_TOUCH
};

enum mcast_cleric_spells {
    CLC_OPEN_WOUNDS = 0,
    CLC_CURE_SELF,
    CLC_CONFUSE_YOU,
    CLC_PARALYZE,
    CLC_BLIND_YOU,
    CLC_INSECTS,
    CLC_SNAKES,
    CLC_CURSE_ITEMS,
    CLC_LIGHTNING,
    CLC_FIRE_PILLAR,
    CLC_GEYSER,
    CLC_DEATH_TOUCH
};

/*
 * Mages, liches and the Wizard of Yendor among them.  The touch of death is
 * compiled out of their list: no lich can cast it, nor can the Wizard.
 */
int
choose_magic_spell(int spellval)
{
    static const int by_value[] = {
        MGC_PSI_BOLT,     MGC_CURE_SELF,    MGC_HASTE_SELF,  MGC_STUN_YOU,    MGC_STUN_YOU,
        MGC_WEAKEN_YOU,   MGC_WEAKEN_YOU,   MGC_DESTRY_ARMR, MGC_DESTRY_ARMR, MGC_SUMMON_MONS,
        MGC_SUMMON_MONS,  MGC_CURSE_ITEMS,  MGC_CURSE_ITEMS, MGC_DISAPPEAR,   MGC_AGGRAVATION,
        MGC_SUMMON_NASTY, MGC_SUMMON_NASTY, MGC_CLONE_WIZ,   MGC_CLONE_WIZ,
    };

    while (spellval > 14 && rn2(20))
        spellval = rn2(spellval);
#if 0 /* the mage's touch of death, disabled */
    if (spellval >= 20 && spellval <= 24)
        return MGC_DEATH_TOUCH;
#endif
    if (spellval < 0 || spellval >= (int) SIZE(by_value))
        return MGC_PSI_BOLT;
    return by_value[spellval];
}

/* Clerics; values 16 to 18 are the touch of death. */
int
choose_clerical_spell(int spellnum)
{
    static const int by_number[] = {
        CLC_OPEN_WOUNDS, CLC_CURE_SELF,   CLC_CONFUSE_YOU, CLC_CONFUSE_YOU, CLC_PARALYZE,
        CLC_PARALYZE,    CLC_BLIND_YOU,   CLC_BLIND_YOU,   CLC_INSECTS,     CLC_CURSE_ITEMS,
        CLC_SNAKES,      CLC_LIGHTNING,   CLC_FIRE_PILLAR, CLC_GEYSER,      CLC_GEYSER,
        CLC_GEYSER,      CLC_DEATH_TOUCH, CLC_DEATH_TOUCH, CLC_DEATH_TOUCH,
    };

    while (spellnum > 18 && rn2(19))
        spellnum = rn2(spellnum);
    if (spellnum < 0 || spellnum >= (int) SIZE(by_number))
        return CLC_OPEN_WOUNDS;
    if (spellnum > 16 && (Death_resistance || Hallucination))
        return CLC_OPEN_WOUNDS;
    if ((spellnum == 14 || spellnum == 15) && rn2(3))
        return CLC_OPEN_WOUNDS;
    return by_number[spellnum];
}

/* You are beyond death's reach: unliving, a demon, resistant, invulnerable. */
static boolean
proof_against_death_touch(void)
{
    return is_not_living(youmonst.data) || is_demon(youmonst.data) || Death_resistance || Invulnerable;
}

/* A caster does not waste its turn, and most may not touch to kill at all. */
boolean
spell_would_be_useless(struct monst *mtmp, int spellnum)
{
    boolean unique_demon = (mtmp->data->geno & G_UNIQ) && mtmp->data->mlet == S_DEMON;

    if (spellnum != CLC_DEATH_TOUCH)
        return FALSE;
    return proof_against_death_touch() || (mtmp->mnum != PM_HIGH_PRIEST && !unique_demon);
}

/* Without proof against it, a magic cancellation roll at -4 is all that saves. */
void
cast_cleric_spell(int spellnum)
{
    switch (spellnum) {
    case CLC_DEATH_TOUCH:
        if (proof_against_death_touch())
            break;
        if (!check_magic_cancellation_success(&youmonst, -4) && !Hallucination)
            done(DIED);
        break;
    case CLC_GEYSER:
    case CLC_FIRE_PILLAR:
        losehp(d(8, 6));
        break;
    default:
        break;
    }
}
