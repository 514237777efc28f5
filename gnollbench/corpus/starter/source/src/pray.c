/* pray.c - when a god will listen */

#include "hack.h"

/* What the next prayer would be met with. */
#define PRAYER_TOO_SOON 0
#define PRAYER_TOO_NAUGHTY 1
#define PRAYER_WRONG_ALTAR 2
#define PRAYER_GOOD 3

static int p_type;

/*
 * Is the prayer timeout low enough?  Major trouble (trouble above zero) asks
 * for 200 or less, minor trouble (below zero) for 100 or less, none for 0.
 * A Priest starts at 150 and may thus pray in major trouble on turn one.
 */
static boolean
timeout_allows(int trouble)
{
    int most = trouble > 0 ? 200 : trouble < 0 ? 100 : 0;

    return u.uprayer_timeout <= most;
}

/* Luck and alignment must not be negative, no god may be angry; no prayer is
   safe in Gehennom. */
boolean
can_pray(void)
{
    aligntyp own = u.ualign.type, asked = on_altar() ? a_align(u.ux, u.uy) : own;
    int alignment = u.ualign.record;

    if (own != A_NEUTRAL && asked == -own) /* the opposite god's altar */
        alignment = -alignment;
    else if (asked != own)
        alignment /= 2;

    if (!timeout_allows(in_trouble()))
        p_type = PRAYER_TOO_SOON;
    else if (u.uluck < 0 || u.ugangr || alignment < 0)
        p_type = PRAYER_TOO_NAUGHTY;
    else if (asked != own)
        p_type = PRAYER_WRONG_ALTAR;
    else
        p_type = PRAYER_GOOD;
    return p_type == PRAYER_GOOD && !Inhell;
}

/* A prayer that was heard sets the timeout anew, around 350, 175 for Priests. */
void
reset_prayer_timeout(void)
{
    u.uprayer_timeout = Role_if(PM_PRIEST) ? rnz(175) : rnz(350);
}
