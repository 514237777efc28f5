/* monmove.c - what monsters fear to tread on and to pick up from */

#include "hack.h"

/* Those whom neither scroll nor engraving holds: uniques first of all. */
static boolean
fears_nothing(struct monst *mtmp)
{
    return mtmp->iswiz || is_lminion(mtmp) || mtmp->data == &mons[PM_ANGEL]
           || (mtmp->data->geno & G_UNIQ) != 0 || is_rider(mtmp->data)
           || (mtmp->isshk && inhishop(mtmp)) || (mtmp->ispriest && inhistemple(mtmp))
           || (mtmp->issmith && inhissmithy(mtmp)) || (mtmp->isnpc && in_his_npc_room(mtmp));
}

/*
 * Is mtmp afraid of square x,y?  A scroll of scare monster works anywhere.
 * Elbereth works only below you or your displaced image, never in Gehennom
 * nor in the endgame, and not on the blind, the peaceful, shopkeepers,
 * guards, humans and elves, nor on monsters flagged to ignore it.
 */
boolean
onscary(int x, int y, struct monst *mtmp)
{
    if (fears_nothing(mtmp))
        return FALSE;
    if (IS_ALTAR(levl[x][y].typ) && levl[x][y].subtyp != ALTAR_SUBTYPE_MOLOCH
        && mtmp->data->mlet == S_VAMPIRE)
        return TRUE;
    if (sobj_at(SCR_SCARE_MONSTER, x, y))
        return TRUE;

    return sengr_at(Elbereth_word, x, y) && u.ux == x && u.uy == y
           && !(mtmp->isshk || mtmp->isgd || mtmp->mblinded || mtmp->mpeaceful
                || mtmp->data->mlet == S_HUMAN || ignores_Elbereth(mtmp->data) || Inhell
                || In_endgame(&u.uz));
}

/*
 * May mtmp not take things from square x,y?  Gilthoniel guards a stash
 * outside Gehennom only, Morgoth inside it only.  Shopkeepers, vault guards
 * and the Wizard of Yendor heed neither.
 */
boolean
onnopickup(int x, int y, struct monst *mtmp)
{
    boolean guarded = Inhell ? sengr_at(Morgoth_word, x, y) : sengr_at(Gilthoniel_word, x, y);

    return onscary(x, y, mtmp) || (guarded && !(mtmp->isshk || mtmp->isgd || mtmp->iswiz));
}
