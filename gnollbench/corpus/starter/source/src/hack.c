/* hack.c - how much a hero can carry */

#include "hack.h"

static int wc; /* the capacity that inv_weight() last found */

/* In ounces: three and a half pounds a point of Strength and Constitution,
   and three pounds on top.  Strength above 18 adds more. */
int
weight_cap(void)
{
    return 56 * (ACURRSTR + ACURR(A_CON)) + 48;
}

/* Ounces above the capacity; negative while there is room. */
int
inv_weight(void)
{
    int wt = 0;

    for (struct obj *otmp = invent; otmp; otmp = otmp->nobj)
        wt += weight(otmp);
    wc = weight_cap();
    return wt - wc;
}

/* Each half of the capacity above it is one step of encumbrance. */
int
calc_capacity(int xtra_wt)
{
    int wt = inv_weight() + xtra_wt;

    if (wt <= 0)
        return UNENCUMBERED;
    if (wc <= 1)
        return OVERLOADED;
    return min(wt * 2 / wc + 1, OVERLOADED);
}
