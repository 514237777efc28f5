/* role.c - the races that a hero can be of; a gnome is not among them */

#include "hack.h"

const struct Race races[] = {
    {
        "human", "human", "humanity", "Hum",
        PM_HUMAN,
        ROLE_MALE | ROLE_FEMALE | ROLE_LAWFUL | ROLE_NEUTRAL | ROLE_CHAOTIC,
        { 3, 3, 3, 3, 3, 3 },
        { STR18(100), 18, 18, 18, 18, 18 },
    },
    {
        "elf", "elven", "elvenkind", "Elf",
        PM_ELF,
        ROLE_MALE | ROLE_FEMALE | ROLE_NEUTRAL,
        { 3, 3, 3, 3, 3, 3 },
        { 18, 20, 20, 18, 16, 18 },
    },
    {
        "dwarf", "dwarven", "dwarvenkind", "Dwa",
        PM_DWARF,
        ROLE_MALE | ROLE_FEMALE | ROLE_LAWFUL,
        { 3, 3, 3, 3, 3, 3 },
        { STR18(100), 16, 16, 20, 20, 16 },
    },
    {
        "gnoll", "gnollish", "gnollkind", "Gnl",
        PM_GNOLL,
        ROLE_MALE | ROLE_FEMALE | ROLE_NEUTRAL | ROLE_CHAOTIC,
        { 3, 3, 3, 3, 3, 3 },
        { STR18(100), 16, 16, 19, 19, 16 },
    },
    {
        "orc", "orcish", "orcdom", "Orc",
        PM_ORC,
        ROLE_MALE | ROLE_FEMALE | ROLE_CHAOTIC,
        { 3, 3, 3, 3, 3, 3 },
        { STR18(100), 16, 16, 18, 18, 16 },
    },
    { 0 } /* end of the table */
};
