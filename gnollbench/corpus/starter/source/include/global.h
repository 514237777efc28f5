/* global.h - limits of the game */

#ifndef GLOBAL_H
#define GLOBAL_H

#define SIZE(x) (sizeof(x) / sizeof(x[0]))
#ifndef max
#define max(a, b) ((a) < (b) ? (b) : (a))
#define min(a, b) ((b) < (a) ? (b) : (a))
#endif

#define MAXULEV 50 /* the highest experience level that a hero can reach */
#define MAXMONNO 240 /* as many of a kind may be born before it is extinct */
#define COLNO 80
#define ROWNO 21

#endif /* GLOBAL_H */
