/* u_init.c - the hero on turn one */

#include "hack.h"

void
u_init(void)
{
    u.ulevel = 1;
    u.uexp = 0;
    u.uluck = 0;
    u.ugangr = 0;

    /* no prayers just yet; a Priest waits half as long as the others */
    u.uprayer_timeout = Role_if(PM_PRIEST) ? 150 : 300;
}
