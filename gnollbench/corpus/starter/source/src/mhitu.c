/* mhitu.c - saving throws and magic cancellation */

#include "hack.h"

/*
 * A saving throw on an attribute: five per cent a point, less thirty.  A
 * Wisdom of 18 saves six times in ten, one of 6 or less never.
 */
boolean
check_ability_resistance_success(struct monst *mtmp, int ability, int adjustment_to_roll)
{
    int percentage = 5 * (m_acurr(mtmp, ability) + adjustment_to_roll) - 30;

    return rn2(100) < percentage;
}

/* How often magic cancellation of this level turns a touch attack aside. */
int
magic_negation_percentage(int mclevel)
{
    static const int percentages[] = {
        0, 10, 20, 30, 40, 50, 55, 60, 65, 70, 75, 80, 82, 84, 86, 88, 90,
    };

    if (mclevel <= 0)
        return 0;
    if (mclevel > 25)
        return 99;
    if (mclevel > 16) /* 91 at level 17, 99 at level 25 */
        return mclevel + 74;
    return percentages[mclevel];
}

boolean
check_magic_cancellation_success(struct monst *mtmp, int adjustment_to_roll)
{
    int mclevel = mtmp == &youmonst ? u.umc : magic_negation(mtmp);

    return rn2(100) < magic_negation_percentage(mclevel + adjustment_to_roll);
}
