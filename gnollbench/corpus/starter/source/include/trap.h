/* trap.h - traps */

#ifndef TRAP_H
#define TRAP_H

struct trap {
    xchar tx, ty;
    uchar ttyp;
};

enum trap_types {
    TELEP_TRAP = 15,
    LEVEL_TELEP = 16,
    ANTI_MAGIC_TRAP = 21,
    POLY_TRAP = 22,
};

#endif /* TRAP_H */
