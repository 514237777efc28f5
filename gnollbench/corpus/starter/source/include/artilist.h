/* artilist.h - the list of artifacts */

#include "animation.h"
#include "color.h"
#include "general.h"

#define GENERAL_ARTIFACT(nam, desc, hit_desc, typ, masktyp, material, exceptionality, \
                         mythic_prefix, mythic_suffix, aflags, aflags2, spfx, cspfx, mt, \
                         tohitdice, tohitsize, tohitplus, atk, dfn, cry, inv, inv_dur_dice, \
                         inv_dur_diesize, inv_dur_plus, manacost, repower, al, cl, rac, cost, \
                         glowclr, objclr, height, soundset, stand_anim, enlarge, replacement) \
    { typ, masktyp, nam, desc, hit_desc, material, exceptionality, mythic_prefix, mythic_suffix, \
      aflags, aflags2, spfx, cspfx, mt, tohitdice, tohitsize, tohitplus, atk, dfn, cry, inv, \
      inv_dur_dice, inv_dur_diesize, inv_dur_plus, manacost, repower, al, cl, rac, cost, \
      glowclr, objclr, height, soundset, stand_anim, enlarge, replacement }

#define A(nam, desc, hit_desc, typ, masktyp, material, exceptionality, mythic_prefix, \
          mythic_suffix, aflags, aflags2, spfx, cspfx, mt, tohitdice, tohitsize, tohitplus, atk, \
          dfn, cry, inv, inv_dur_dice, inv_dur_diesize, inv_dur_plus, manacost, repower, al, cl, \
          rac, cost, glowclr, objclr, height, soundset) \
    { typ, masktyp, nam, desc, hit_desc, material, exceptionality, mythic_prefix, mythic_suffix, \
      aflags, aflags2, spfx, cspfx, mt, tohitdice, tohitsize, tohitplus, atk, dfn, cry, inv, \
      inv_dur_dice, inv_dur_diesize, inv_dur_plus, manacost, repower, al, cl, rac, cost, \
      glowclr, objclr, height, soundset, NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT }

#define NO_ATTK { 0, 0, 0, 0, 0, 0, 0, 0, 0UL, 0 }
#define PHYS(n, d) { 0, AD_PHYS, n, d, 0, 0, 0, 0, 0UL, 0 }
#define DRLI(n, d) { 0, AD_DRLI, n, d, 0, 0, 0, 0, 0UL, 0 }
#define ELEC(n, d) { 0, AD_ELEC, n, d, 0, 0, 0, 0, 0UL, 0 }

#define None (const char *) 0

NEARDATA struct artifact artilist[] = {
    A("", None, None, STRANGE_OBJECT, STRANGE_OBJECT,
      MAT_NONE, EXCEPTIONALITY_NORMAL, MYTHIC_PREFIX_NONE, MYTHIC_SUFFIX_NONE,
      AF_NONE, AF2_NONE,
      SPFX_NONE, SPFX_NONE, 0,
      0, 0, 0, NO_ATTK, NO_POWER, NO_POWER, NO_POWER,
      0, 0, 0, 0, 0,
      A_NONE, NON_PM, NON_PM, 0L,
      NO_COLOR, NO_COLOR, 0, OBJECT_SOUNDSET_NONE),
    A("Excalibur", None, None, LONG_SWORD, LONG_SWORD,
      MAT_NONE, EXCEPTIONALITY_ELITE, MYTHIC_PREFIX_NONE, MYTHIC_SUFFIX_NONE,
      AF_ANGERS_DEMONS | AF_FAMOUS | AF_INTEL | AF_MONSTERS_CAN_TRACK_ARTIFACT | AF_NOGEN | AF_RESTR,
      AF2_NAME_IS_PROPER_NAME,
      (SPFX_SEARCH), SPFX_NONE, 0,
      1, 5, 0, PHYS(1, 10), DRAIN_RESISTANCE, NO_POWER, NO_POWER,
      0, 0, 0, 0, 0,
      A_LAWFUL, PM_KNIGHT, NON_PM, 4000L,
      NO_COLOR, NO_COLOR, 0, OBJECT_SOUNDSET_NONE),
    A("Stormbringer", "black runesword", "black blade", RUNESWORD, ELVEN_BROADSWORD,
      MAT_NONE, EXCEPTIONALITY_ELITE, MYTHIC_PREFIX_NONE, MYTHIC_SUFFIX_NONE,
      (AF_DRLI | AF_INTEL | AF_NAME_KNOWN_WHEN_PICKED_UP | AF_RESTR),
      AF2_DUAL_RUNESWORD_BONUS | AF2_FLOOR_TILE | AF2_NAME_IS_PROPER_NAME,
      SPFX_DRAIN_RES, SPFX_NONE, 0,
      1, 5, 0, DRLI(1, 5), NO_POWER, NO_POWER, NO_POWER,
      0, 0, 0, 0, 0,
      A_CHAOTIC, NON_PM, NON_PM, 8000L,
      NO_COLOR, CLR_BLACK, 20, OBJECT_SOUNDSET_NONE),
    A("Mjollnir", "runed war hammer", "massive hammer", HEAVY_WAR_HAMMER, WAR_HAMMER,
      MAT_NONE, EXCEPTIONALITY_EXCEPTIONAL, MYTHIC_PREFIX_NONE, MYTHIC_SUFFIX_NONE,
      (AF_FAMOUS | AF_RESTR), AF2_MISSILE_TILE | AF2_NAME_IS_PROPER_NAME,
      SPFX_NONE, SPFX_NONE, 0,
      1, 5, 0, ELEC(1, 20), NO_POWER, NO_POWER, NO_POWER,
      0, 0, 0, 0, 0,
      A_NEUTRAL, PM_VALKYRIE, NON_PM, 4000L,
      NO_COLOR, NO_COLOR, 0, OBJECT_SOUNDSET_NONE),
    A("Cleaver", "runed double-headed axe", None, BATTLE_AXE, BATTLE_AXE,
      MAT_NONE, EXCEPTIONALITY_EXCEPTIONAL, MYTHIC_PREFIX_NONE, MYTHIC_SUFFIX_NONE,
      AF_FAMOUS | AF_HITS_ADJACENT_SQUARES | AF_RESTR, AF2_NAME_IS_PROPER_NAME,
      SPFX_NONE, SPFX_NONE, 0,
      1, 3, 0, PHYS(1, 6), NO_POWER, NO_POWER, NO_POWER,
      0, 0, 0, 0, 0,
      A_NEUTRAL, PM_BARBARIAN, NON_PM, 1500L,
      NO_COLOR, NO_COLOR, 0, OBJECT_SOUNDSET_NONE),
    A("Dragonbane", None, None, BROADSWORD, BROADSWORD,
      MAT_NONE, EXCEPTIONALITY_ELITE, MYTHIC_PREFIX_NONE, MYTHIC_SUFFIX_DRAGON_SLAYING,
      (AF_DCLAS | AF_FAMOUS | AF_RESTR), AF2_NAME_IS_PROPER_NAME,
      SPFX_REFLECT, SPFX_NONE, S_DRAGON,
      1, 5, 0, PHYS(1, 20), WARN_DRAGON, NO_POWER, NO_POWER,
      0, 0, 0, 0, 0,
      A_NONE, NON_PM, NON_PM, 500L,
      NO_COLOR, NO_COLOR, 0, OBJECT_SOUNDSET_NONE),
    A("Grayswandir", None, None, SILVER_SABER, SILVER_SABER,
      MAT_NONE, EXCEPTIONALITY_EXCEPTIONAL, MYTHIC_PREFIX_NONE, MYTHIC_SUFFIX_NONE,
      (AF_FAMOUS | AF_RESTR), AF2_NAME_IS_PROPER_NAME,
      SPFX_HALRES, SPFX_NONE, 0,
      1, 5, 0, PHYS(ARTDMG_DOUBLE_DAMAGE, 0), NO_POWER, NO_POWER, NO_POWER,
      0, 0, 0, 0, 0,
      A_LAWFUL, NON_PM, NON_PM, 8000L,
      NO_COLOR, CLR_GRAY, 0, OBJECT_SOUNDSET_NONE),
    A("The Ring of Conflict", "ruby", None, RIN_SEVEN_CHARGES, RIN_ADORNMENT,
      MAT_NONE, EXCEPTIONALITY_NORMAL, MYTHIC_PREFIX_NONE, MYTHIC_SUFFIX_NONE,
      (AF_INVOKE_EXPENDS_CHARGE | AF_INVOKE_REQUIRES_WORN | AF_NAME_KNOWN_WHEN_INVOKED | AF_RESTR),
      AF2_FLOOR_TILE,
      SPFX_NONE, SPFX_NONE, 0,
      0, 0, 0, NO_ATTK, NO_POWER, NO_POWER, CONFLICT,
      2, 10, 140, 0, 200,
      A_NONE, NON_PM, NON_PM, 3500L,
      NO_COLOR, CLR_RED, 16, OBJECT_SOUNDSET_RING_OF_CONFLICT),
    A("The Heart of Ahriman", "glowing red jewel", None, LUCKSTONE, LUCKSTONE,
      MAT_NONE, EXCEPTIONALITY_NORMAL, MYTHIC_PREFIX_NONE, MYTHIC_SUFFIX_NONE,
      (AF_FAMOUS | AF_INTEL | AF_NOGEN | AF_RESTR), AF2_FLOOR_TILE | AF2_INDESTRUCTIBLE,
      SPFX_NONE, SPFX_STLTH, 0,
      /* slung at a foe, the stone does double damage */
      1, 5, 0, PHYS(ARTDMG_DOUBLE_DAMAGE, 0), NO_POWER, NO_POWER, LEVITATION,
      0, 0, 0, 0, 0,
      A_NEUTRAL, PM_BARBARIAN, NON_PM, 2500L,
      NO_COLOR, CLR_RED, 24, OBJECT_SOUNDSET_NONE),

    /* end of the list */
    A(0, 0, 0, 0, 0,
      MAT_NONE, EXCEPTIONALITY_NORMAL, MYTHIC_PREFIX_NONE, MYTHIC_SUFFIX_NONE,
      AF_NONE, AF2_NONE,
      SPFX_NONE, SPFX_NONE, 0,
      0, 0, 0, NO_ATTK, NO_POWER, NO_POWER, NO_POWER,
      0, 0, 0, 0, 0,
      A_NONE, NON_PM, NON_PM, 0L,
      NO_COLOR, NO_COLOR, 0, OBJECT_SOUNDSET_NONE)
};

#undef A
#undef NO_ATTK
#undef PHYS
#undef DRLI
#undef ELEC
#undef None
