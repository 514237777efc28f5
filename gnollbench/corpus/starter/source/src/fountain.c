/* fountain.c - dipping things into fountains */

#include "hack.h"

/*
 * The Lady of the Lake hands out Excalibur only at a magic fountain; the
 * fountains of healing, mana, power, poison and spring water know her not.
 * One sword, no artifact, of any long sword kind, not a demon's own, held by
 * someone of experience level 5 or more, has one chance in four a dip.
 */
static boolean
lady_answers(struct obj *obj, int ftyp)
{
    return ftyp == FOUNTAIN_MAGIC && obj->oclass == WEAPON_CLASS
           && objects[obj->otyp].oc_subtyp == WEP_LONG_SWORD && !is_demon_obj(obj)
           && obj->quan == 1L && u.ulevel >= 5 && !rn2(4) && !obj->oartifact
           && !exist_artifact(LONG_SWORD, artiname(ART_EXCALIBUR));
}

/* The lawful get a blessed sword that does not rust, whatever it was before. */
static void
bestow_excalibur(struct obj *sword)
{
    sword->otyp = LONG_SWORD;
    sword->material = objects[LONG_SWORD].oc_material;
    sword->oeroded = 0;
    sword->oeroded2 = 0;
    sword->oerodeproof = TRUE;
    bless(oname(sword, artiname(ART_EXCALIBUR)));
}

/* All others find theirs cursed, but for curse resistance, and maybe blunter. */
static void
punish_sword(struct obj *sword)
{
    sword->oerodeproof = FALSE;
    if (!rn2(3) && sword->enchantment > -6)
        sword->enchantment--;
    if (!Curse_resistance)
        curse(sword);
}

void
dipfountain(struct obj *obj)
{
    if (!lady_answers(obj, levl[u.ux][u.uy].subtyp)) {
        water_damage(obj);
        return;
    }
    if (u.ualign.type == A_LAWFUL)
        bestow_excalibur(obj);
    else
        punish_sword(obj);
    create_current_floor_location(u.ux, u.uy); /* the fountain is gone */
}
