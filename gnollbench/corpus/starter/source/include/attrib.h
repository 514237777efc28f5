/* attrib.h - the six attributes */

#ifndef ATTRIB_H
#define ATTRIB_H

enum attrib_types {
    A_STR = 0,
    A_INT,
    A_WIS,
    A_DEX,
    A_CON,
    A_CHA,

    A_MAX /* how many there are */
};

/* for spells: the best of several */
#define A_MAX_INT_CHA A_MAX + 1
#define A_MAX_WIS_CHA A_MAX + 2
#define A_MAX_INT_WIS_CHA A_MAX + 3

#define STR18(x) (18 + (x))  /* 18/x */
#define STR19(x) (100 + (x)) /* 19 and above */

struct attribs {
    schar a[A_MAX];
};

#define ABASE(x) (u.acurr.a[x])
#define AEXE(x) (u.aexe.a[x])
#define ACURR(x) (acurr(x))
#define ACURRSTR (acurrstr())

#endif /* ATTRIB_H */
