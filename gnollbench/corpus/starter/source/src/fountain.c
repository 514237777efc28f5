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

void
dipfountain(struct obj *obj)
{
    int ftyp = levl[u.ux][u.uy].subtyp;

    if (!lady_answers(obj, ftyp)) {
        water_damage(obj);
        return;
    }
    if (u.ualign.type != A_LAWFUL) {
        /* the unlawful are punished; curse resistance spares the sword */
        if (!Curse_resistance)
            curse(obj);
        if (obj->enchantment > -6 && !rn2(3))
            obj->enchantment--;
        obj->oerodeproof = FALSE;
    } else {
        obj->otyp = LONG_SWORD;
        obj->material = objects[obj->otyp].oc_material;
        obj = oname(obj, artiname(ART_EXCALIBUR));
        bless(obj);
        obj->oeroded = obj->oeroded2 = 0;
        obj->oerodeproof = TRUE;
    }
    /* lawful or not, the fountain is gone */
    create_current_floor_location(u.ux, u.uy);
}
