/* uhitm.c - passive defenses of monsters, and what the difficulty level does */

#include "hack.h"

/*
 * Hitting a floating eye that you see, and that sees you, freezes you for
 * 4d12 turns, two times in three.  Wisdom 12 or less risks 127 turns, once
 * in four.  Reflection and free action save you.
 */
void
passive(struct monst *mon)
{
    struct attack *gaze = &mon->data->mattk[0];
    int turns = d(gaze->damn, gaze->damd);

    if (mon->data != &mons[PM_FLOATING_EYE] || !rn2(3))
        return;
    if (!canseemon(mon) || mon->mblinded || Reflecting || Free_action)
        return;
    if (ACURR(A_WIS) <= 12 && !rn2(4))
        turns = 127;
    incr_itimeout(&HParalyzed, turns);
}

/*
 * Monsters' damage is multiplied by the first figure.  Their hit points are
 * scaled by the second, which is to say that your damage is divided by it:
 * on Standard you deal 1 / 0.2856, some three and a half times as much.
 */
void
get_game_difficulty_multipliers_by_level(double *monster_damage_multiplier_ptr,
                                         double *monster_hp_multiplier_ptr, schar difficulty_level)
{
    static const struct {
        double damage, hp;
    } multipliers[] = {
        { 0.3501, 0.2856 }, /* -4 Standard */
        { 0.4552, 0.3907 }, /* -3 Experienced */
        { 0.5917, 0.5344 }, /* -2 Adept */
        { 0.7692, 0.7310 }, /* -1 Veteran */
        { 1.0, 1.0 },       /*  0 Expert */
        { 1.3, 1.3679 },    /*  1 Master */
        { 1.69, 1.8712 },   /*  2 Grand Master */
    };

    if (difficulty_level < MIN_DIFFICULTY_LEVEL || difficulty_level > MAX_DIFFICULTY_LEVEL)
        difficulty_level = 0;
    *monster_damage_multiplier_ptr = multipliers[difficulty_level - MIN_DIFFICULTY_LEVEL].damage;
    *monster_hp_multiplier_ptr = multipliers[difficulty_level - MIN_DIFFICULTY_LEVEL].hp;
}
