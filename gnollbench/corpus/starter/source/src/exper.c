/* exper.c - experience points and the levels that they buy */

#include "hack.h"

/* The step to which a threshold of this size is rounded down. */
static int64_t
rounding_step(int64_t points)
{
    static const struct {
        int64_t from, step;
    } steps[] = {
        { 2000000, 20000 }, { 1000000, 10000 }, { 500000, 5000 }, { 200000, 2000 },
        { 100000, 1000 },   { 50000, 500 },     { 20000, 200 },   { 10000, 100 },
        { 5000, 50 },       { 2000, 20 },       { 200, 10 },
    };

    for (size_t i = 0; i < SIZE(steps); i++)
        if (points >= steps[i].from)
            return steps[i].step;
    return 1;
}

/*
 * Experience points that carry a character from level lev to level lev + 1,
 * counted from the start of the game.  newuexp(29), what level 30 asks for,
 * is 204000; newuexp(49), what level 50 asks for, is 2260000.
 */
int64_t
newuexp(int lev)
{
    int64_t total = 0;
    double kills = 10.0; /* monsters of one's own level to slay */

    for (int i = 1; i <= lev; i++) {
        double mean_worth = 1.0 + (i * (double) i + (i - 1.0) * (i - 1.0)) / 2.0;

        if (i > 5)
            kills *= 1.0525;
        total += ((int64_t) (mean_worth * kills / 10.0) + 1) * 10;
    }
    return total / rounding_step(total) * rounding_step(total);
}

/* Score counts for less on the easy difficulty levels, for more on the hard. */
int64_t
game_score_difficulty_adjustment(int64_t points_added)
{
    switch (context.game_difficulty) {
    case -4: /* Standard */
        return points_added / 100;
    case -3: /* Experienced */
        return points_added / 30;
    case -2: /* Adept */
        return points_added / 10;
    case -1: /* Veteran */
        return points_added / 3;
    case 1: /* Master */
        return points_added * 2;
    case 2: /* Grand Master */
        return points_added * 4;
    default: /* Expert */
        return points_added;
    }
}

/* A level is gained when the points reach newuexp of the present one. */
boolean
may_gain_level(void)
{
    return u.ulevel < MAXULEV && u.uexp >= newuexp(u.ulevel);
}
