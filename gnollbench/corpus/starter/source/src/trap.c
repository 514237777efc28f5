/* trap.c - stepping onto traps */

#include "hack.h"

void
dotrap(struct trap *trap)
{
    switch (trap->ttyp) {
    case POLY_TRAP:
        /* here magic resistance does help, as it always did */
        if (Antimagic || Polymorph_resistance || Unchanging)
            break;
        deltrap(trap); /* one change, and the trap is used up */
        polyself(0);
        break;
    default:
        break;
    }
}
