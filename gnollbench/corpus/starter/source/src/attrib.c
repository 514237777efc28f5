/* attrib.c - attributes, and why fighting does not train them */

#include "hack.h"

/*
 * Called wherever the older game noted a use or an abuse of an attribute.
 * The body is switched off: nothing that a hero does trains an attribute.
 */
void
exercise(int i, boolean inc_or_dec)
{
#if 0
    if (i == A_INT || i == A_CHA)
        return;
    if (inc_or_dec)
        AEXE(i) += rn2(19) > ACURR(i);
    else
        AEXE(i) -= rn2(2);
#else
    (void) i;
    (void) inc_or_dec;
#endif
}

/* Changes an attribute for good; the way of fruit, potions and corpses. */
boolean
adjattrib(int ndx, int incr)
{
    int limit = urace.attrmax[ndx];

    if (!incr || Fixed_abil)
        return FALSE;
    ABASE(ndx) = max(urace.attrmin[ndx], min(limit, ABASE(ndx) + incr));
    return TRUE;
}
