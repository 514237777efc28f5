/* artifact.h - flags and fields of artifacts */

#ifndef ARTIFACT_H
#define ARTIFACT_H

#include "general.h"
#include "permonst.h"
#include "prop.h"
#include "soundset.h"

#define AF_NONE 0x00000000UL
#define AF_NOGEN 0x00000001UL
#define AF_RESTR 0x00000002UL
#define AF_INTEL 0x00000004UL
#define AF_DRLI 0x00000010UL
#define AF_HITS_ADJACENT_SQUARES 0x00000080UL
#define AF_MONSTERS_CAN_TRACK_ARTIFACT 0x00001000UL
#define AF_ANGERS_DEMONS 0x00002000UL
#define AF_NAME_KNOWN_WHEN_PICKED_UP 0x00020000UL
#define AF_NAME_KNOWN_WHEN_INVOKED 0x00080000UL
#define AF_DCLAS 0x00200000UL
#define AF_FAMOUS 0x02000000UL
#define AF_INVOKE_REQUIRES_WORN 0x04000000UL
#define AF_INVOKE_EXPENDS_CHARGE 0x08000000UL

#define AF2_NONE 0x00000000UL
#define AF2_MISSILE_TILE 0x00000001UL
#define AF2_FLOOR_TILE 0x00000004UL
#define AF2_NAME_IS_PROPER_NAME 0x00000020UL
#define AF2_INDESTRUCTIBLE 0x00000040UL
#define AF2_DUAL_RUNESWORD_BONUS 0x00000080UL

#define SPFX_NONE 0x00000000UL
#define SPFX_DRAIN_RES 0x00000002UL
#define SPFX_SEARCH 0x00000040UL
#define SPFX_HALRES 0x00000080UL
#define SPFX_STLTH 0x00000200UL
#define SPFX_REFLECT 0x00020000UL

struct artifact {
    short otyp;     /* what it is */
    short maskotyp; /* what it looks like */
    const char *name;
    const char *desc;
    const char *hit_desc;
    uchar material;
    uchar exceptionality;
    uchar mythic_prefix;
    uchar mythic_suffix;
    uint64_t aflags, aflags2;
    uint64_t spfx;  /* when wielded or worn */
    uint64_t cspfx; /* when carried */
    uint64_t mtype;
    int tohit_dice, tohit_diesize, tohit_plus;
    struct attack attk;
    int worn_prop, carried_prop, inv_prop;
    int inv_duration_dice, inv_duration_diesize, inv_duration_plus;
    int inv_mana_cost;
    int repower_time; /* turns of rest after an invocation */
    aligntyp alignment;
    short role, race;
    int64_t cost;
    char acolor, ocolor;
    int tile_floor_height;
    int32_t soundset;
    short stand_animation;
    short enlargement;
    short replacement;
};

#endif /* ARTIFACT_H */
