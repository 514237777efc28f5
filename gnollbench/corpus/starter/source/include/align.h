/* align.h - alignments */

#ifndef ALIGN_H
#define ALIGN_H

typedef schar aligntyp; /* negative chaotic, zero neutral, positive lawful */

typedef struct align {
    aligntyp type;
    int record; /* conduct so far; below zero the god is displeased */
} align;

/* the most that the record counts, growing with the length of the game */
#define ALIGNLIM ((int) (10L + (moves / 200L)))

#define A_NONE (-128)
#define A_CHAOTIC (-1)
#define A_NEUTRAL 0
#define A_LAWFUL 1

#define AM_CHAOTIC 1
#define AM_NEUTRAL 2
#define AM_LAWFUL 4

#endif /* ALIGN_H */
