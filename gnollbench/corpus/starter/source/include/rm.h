/* rm.h - squares of the map */

#ifndef RM_H
#define RM_H

struct rm {
    schar typ;
    uchar subtyp; /* the kind of a fountain, an altar, a floor */
};

enum levl_typ_types {
    FOUNTAIN = 27,
    ALTAR = 34,
};

enum altar_subtypes {
    ALTAR_SUBTYPE_MOLOCH = 2,
};

#define IS_ALTAR(typ) ((typ) == ALTAR)

extern struct rm levl[COLNO][ROWNO];

#endif /* RM_H */
