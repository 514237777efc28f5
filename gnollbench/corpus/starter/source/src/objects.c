/* objects.c - the table of objects */

/*
 * This file is read twice, the second time by including itself.  The first
 * reading keeps names and descriptions, the second all the rest.
 */

#ifndef OBJECTS_PASS_2_
#include "config.h"
#include "obj.h"
#include "objclass.h"
#include "prop.h"
#include "skills.h"
#include "attrib.h"
#include "monattk.h"
#include "animation.h"
#include "soundset.h"
#include "general.h"
#else
#include "color.h"
#endif

#ifndef OBJECTS_PASS_2_
/* first reading: names */
#define OBJ(name, desc, contentname, contentdesc, itemdesc, height, odflags, stand_anim, enlarge, \
            replacement) \
    name, desc, contentname, contentdesc, itemdesc, height, odflags, stand_anim, enlarge, replacement
#define OBJECT(obj, bits, prp1, prp2, prp3, pflags, sym, prob, multigen, dly, wt, cost, \
               dmgtype, sdice, sdam, sdmgplus, ldice, ldam, ldmgplus, \
               edmgtype, edice, edam, edmgplus, aflags, aflags2, critpct, \
               hitbon, mcadj, fixdmgbon, range, oc1, oc2, oc3, oc4, oc5, oc6, oc7, oc8, \
               nut, color, soundset, dirsubtype, materials, cooldown, special_quality, \
               powconfermask, permittedtargets, flags, flags2, flags3, flags4, flags5, flags6) \
    { obj }
#define None (char *) 0

NEARDATA struct objdescr obj_descr[] =
#else
/* second reading: figures; the ctnr bit of BITS is only for the reader */
#define BITS(nmkn, mrg, uskn, ctnr, mgc, spetype, chrg, recharging, uniq, nwsh, big, tuf, dir, sub, \
             skill, matinit, mtrl) \
    nmkn, mrg, uskn, 0, mgc, spetype, chrg, recharging, uniq, nwsh, big, tuf, dir, matinit, mtrl, \
        sub, skill
#define OBJECT(obj, bits, prp1, prp2, prp3, pflags, sym, prob, multigen, dly, wt, cost, \
               dmgtype, sdice, sdam, sdmgplus, ldice, ldam, ldmgplus, \
               edmgtype, edice, edam, edmgplus, aflags, aflags2, critpct, \
               hitbon, mcadj, fixdmgbon, range, oc1, oc2, oc3, oc4, oc5, oc6, oc7, oc8, \
               nut, color, soundset, dirsubtype, materials, cooldown, special_quality, \
               powconfermask, permittedtargets, flags, flags2, flags3, flags4, flags5, flags6) \
    { 0, 0, (char *) 0, bits, prp1, prp2, prp3, pflags, sym, dly, color, prob, wt, nut, cost, \
      dmgtype, sdice, sdam, sdmgplus, ldice, ldam, ldmgplus, \
      edmgtype, edice, edam, edmgplus, aflags, aflags2, \
      hitbon, mcadj, fixdmgbon, range, oc1, oc2, oc3, oc4, oc5, oc6, oc7, oc8, \
      dirsubtype, materials, cooldown, special_quality, \
      flags, flags2, flags3, flags4, flags5, flags6, powconfermask, permittedtargets, \
      critpct, multigen, soundset }
#define HARDGEM(n) (n >= 8)

NEARDATA struct objclass objects[] =
#endif
{
/* number 0 is nothing in particular; its description must be null */
OBJECT(OBJ("strange object", None, None, None, None, 0, OD_NONE, NO_ANIMATION, NO_ENLARGEMENT,
           NO_REPLACEMENT),
    BITS(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, P_NONE, MATINIT_BASE_MATERIAL, MAT_NONE),
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, ILLOBJ_CLASS, 0, MULTIGEN_SINGLE, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, A1_NONE, A2_NONE, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, OBJECT_SOUNDSET_NONE, 0, 0, 0, 0,
    PERMITTED_ALL, ALL_TARGETS, O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE),

/* missiles and weapons */
#define P PIERCE
#define S SLASH
#define B WHACK
#define GENERAL_WEAPON(name, look, known, merge, magic, hands, prob, multi, ench, wt, cost, \
                       dtype, sn, ss, sp, ln, ls, lp, xtype, xn, xs, xp, af1, af2, crit, hit, \
                       mcadj, throwr, ac, mc, mana, hp, attrs, abon, pen, shots, pw1, pw2, pw3, \
                       pfl, dir, sub, skill, matinit, mat, clr, height, snd, f1, f2, f3, f4, f5, \
                       f6, perm, targets, od, anim, enl, repl) \
    OBJECT(OBJ(name, look, None, None, None, height, od, anim, enl, repl), \
           BITS(known, merge, 1, 0, magic, ench, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, hands, 0, dir, sub, skill, matinit, mat), \
           pw1, pw2, pw3, pfl, WEAPON_CLASS, prob, multi, 0, wt, cost, \
           dtype, sn, ss, sp, ln, ls, lp, xtype, xn, xs, xp, af1, af2, crit, \
           hit, mcadj, 0, throwr, ac, mc, mana, hp, attrs, abon, pen, shots, \
           wt, clr, snd, 0, 0, 0, 0, \
           perm, targets, \
           f1, f2, f3, f4, f5, f6)
#define WEAPON(name, look, known, merge, magic, hands, prob, multi, ench, wt, cost, dtype, sn, \
               ss, sp, ln, ls, lp, xtype, xn, xs, xp, af1, af2, crit, hit, mcadj, throwr, ac, \
               mc, mana, hp, attrs, abon, pen, shots, pw1, pw2, pw3, pfl, dir, sub, skill, \
               matinit, mat, clr, height, snd, f1, f2, f3, f4, f5, f6, perm, targets) \
    GENERAL_WEAPON(name, look, known, merge, magic, hands, prob, multi, ench, wt, cost, \
                   dtype, sn, ss, sp, ln, ls, lp, xtype, xn, xs, xp, af1, af2, crit, \
                   hit, mcadj, throwr, ac, mc, mana, hp, attrs, abon, pen, shots, \
                   pw1, pw2, pw3, pfl, dir, sub, skill, matinit, mat, clr, height, snd, \
                   f1, f2, f3, f4, f5, f6, perm, targets, \
                   OD_NONE, NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT)
#define GENERAL_PROJECTILE(name, look, known, magic, prob, multi, wt, cost, dtype, sn, ss, sp, \
                           ln, ls, lp, xtype, xn, xs, xp, af1, af2, crit, hit, mcadj, matinit, \
                           mat, sub, launcher, skill, clr, height, snd, f1, f2, f3, f4, f5, f6, \
                           targets, od, anim, enl, repl) \
    OBJECT(OBJ(name, look, None, None, None, height, od, anim, enl, repl), \
           BITS(known, 1, 1, 0, magic, ENCHTYPE_PROJECTILE, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, 0, 0, PIERCE, sub, skill, matinit, mat), \
           NO_POWER, NO_POWER, NO_POWER, P1_NONE, WEAPON_CLASS, prob, multi, 0, wt, cost, \
           dtype, sn, ss, sp, ln, ls, lp, xtype, xn, xs, xp, af1, af2, crit, \
           hit, mcadj, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
           wt, clr, snd, launcher, 0, 0, 0, \
           PERMITTED_ALL, targets, \
           f1, f2, f3, O4_MISSILE_TILE | f4, f5, f6)
#define PROJECTILE(name, look, known, magic, prob, multi, wt, cost, dtype, sn, ss, sp, ln, ls, \
                   lp, xtype, xn, xs, xp, af1, af2, crit, hit, mcadj, matinit, mat, sub, \
                   launcher, skill, clr, height, snd, f1, f2, f3, f4, f5, f6, targets) \
    GENERAL_PROJECTILE(name, look, known, magic, prob, multi, wt, cost, \
                       dtype, sn, ss, sp, ln, ls, lp, xtype, xn, xs, xp, af1, af2, crit, \
                       hit, mcadj, matinit, mat, sub, launcher, skill, clr, height, snd, \
                       f1, f2, f3, f4, f5, f6, targets, \
                       OD_NONE, NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT)
#define BOW(name, look, known, magic, hands, prob, multi, ench, wt, cost, dtype, sn, ss, sp, ln, \
            ls, lp, xtype, xn, xs, xp, af1, af2, crit, hit, mcadj, fixed, reach, mana, hp, \
            attrs, abon, pen, shots, pw1, pw2, pw3, pfl, matinit, mat, sub, skill, clr, height, \
            snd, f1, f2, f3, f4, f5, f6, perm, targets) \
    OBJECT(OBJ(name, look, None, None, None, height, \
           OD_NONE, NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT), \
           BITS(known, 0, 1, 0, magic, ench, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, hands, 0, WHACK, sub, skill, matinit, mat), \
           pw1, pw2, pw3, pfl, WEAPON_CLASS, prob, multi, 0, wt, cost, \
           dtype, sn, ss, sp, ln, ls, lp, xtype, xn, xs, xp, af1, af2, crit, \
           hit, mcadj, fixed, reach, 0, 0, mana, hp, attrs, abon, pen, shots, \
           wt, clr, snd, 0, 0, 0, 0, \
           perm, targets, \
           f1, f2, f3, O4_NON_MYTHIC | f4, f5, f6)

GENERAL_PROJECTILE("arrow", None, 1, 0, 44, MULTIGEN_2D6_3, 1, 2,
    AD_PHYS, 1, 6, 0, 1, 6, 0, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, 0, 0,
    MATINIT_MAYBE_SILVER_OR_BONE, MAT_IRON, WEP_ARROW, P_BOW, -P_BOW, HI_METAL, 16,
    OBJECT_SOUNDSET_ARROW,
    O1_NONE, O2_NONE, O3_NONE, O4_FLOOR_TILE, O5_NONE, O6_NONE, ALL_TARGETS,
    OD_MISSILE_REPLACEMENTS, NO_ANIMATION, NO_ENLARGEMENT, ARROW_REPLACEMENT),
PROJECTILE("elven arrow", "runed arrow", 0, 0, 20, MULTIGEN_2D6_3, 1, 2,
    AD_PHYS, 1, 7, 0, 1, 6, 0, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, 0, 0,
    MATINIT_BASE_MATERIAL, MAT_METAL, WEP_ARROW, P_BOW, -P_BOW, HI_METAL, 16, OBJECT_SOUNDSET_ARROW,
    O1_NONE, O2_ELVEN_ITEM, O3_NONE, O4_FLOOR_TILE, O5_NO_MYTHIC_RACIAL_PREFIXES, O6_NONE,
    ALL_TARGETS),
GENERAL_PROJECTILE("crossbow bolt", None, 1, 0, 45, MULTIGEN_2D6_3, 1, 2,
    AD_PHYS, 1, 3, 1, 1, 4, 1, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, 0, 0,
    MATINIT_MAYBE_SILVER_OR_BONE, MAT_IRON, WEP_QUARREL, P_CROSSBOW, -P_CROSSBOW, HI_METAL, 16,
    OBJECT_SOUNDSET_ARROW,
    O1_NONE, O2_NONE, O3_NONE, O4_FLOOR_TILE, O5_NONE, O6_NONE, ALL_TARGETS,
    OD_MISSILE_REPLACEMENTS, NO_ANIMATION, NO_ENLARGEMENT, CROSSBOW_BOLT_REPLACEMENT),
WEAPON("dart", None, 1, 1, 0, 0, 50, MULTIGEN_1D10, ENCHTYPE_THROWN_WEAPON, 1, 2,
    AD_PHYS, 1, 2, 0, 1, 3, 0, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    MULTISHOT_THROWN_DART,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, P, WEP_DART, -P_THROWN_WEAPON,
    MATINIT_BASE_MATERIAL, MAT_IRON, HI_METAL, 16, OBJECT_SOUNDSET_GENERIC,
    O1_THROWN_WEAPON_ONLY, O2_NONE, O3_NONE, O4_FLOOR_TILE | O4_MISSILE_TILE, O5_NONE, O6_NONE,
    PERMITTED_ALL, ALL_TARGETS),
GENERAL_WEAPON("dagger",
    None, 1, 1, 0, 0, 21, MULTIGEN_SINGLE, ENCHTYPE_SINGLE_HANDED_MELEE_WEAPON, 10, 4,
    AD_PHYS, 1, 4, 0, 1, 3, 0, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    MULTISHOT_THROWN_DAGGER,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, P|S, WEP_DAGGER, P_DAGGER,
    MATINIT_MAYBE_SILVER_OR_BONE, MAT_IRON, HI_METAL, 16, OBJECT_SOUNDSET_DAGGER,
    O1_MELEE_AND_THROWN_WEAPON, O2_NONE, O3_NONE, O4_FLOOR_TILE | O4_MISSILE_TILE, O5_NONE, O6_NONE,
    PERMITTED_ALL, ALL_TARGETS, OD_MISSILE_REPLACEMENTS, NO_ANIMATION, NO_ENLARGEMENT,
    DAGGER_REPLACEMENT),
WEAPON("battle-axe",
    "double-headed axe", 0, 0, 0, 1, 8, MULTIGEN_SINGLE, ENCHTYPE_TWO_HANDED_MELEE_WEAPON, 100, 40,
    AD_PHYS, 2, 8, 0, 2, 8, 0, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, S, WEP_TWO_HANDED_AXE, P_AXE,
    MATINIT_BASE_MATERIAL, MAT_IRON, HI_METAL, 24, OBJECT_SOUNDSET_AXE,
    O1_NONE, O2_NONE, O3_NONE, O4_FLOOR_TILE, O5_NONE, O6_NONE, PERMITTED_ALL, ALL_TARGETS),
GENERAL_WEAPON("broadsword",
    None, 1, 0, 0, 0, 13, MULTIGEN_SINGLE, ENCHTYPE_SINGLE_HANDED_MELEE_WEAPON, 60, 10,
    AD_PHYS, 2, 4, 0, 1, 6, 1, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, S, WEP_BROADSWORD, P_SWORD,
    MATINIT_LONG_SWORD, MAT_IRON, HI_METAL, 16, OBJECT_SOUNDSET_SWORD,
    O1_NONE, O2_NONE, O3_NONE, O4_FLOOR_TILE, O5_NONE, O6_NONE, PERMITTED_ALL, ALL_TARGETS, OD_NONE,
    NO_ANIMATION, NO_ENLARGEMENT, BROADSWORD_REPLACEMENT),
GENERAL_WEAPON("long sword",
    None, 1, 0, 0, 0, 40, MULTIGEN_SINGLE, ENCHTYPE_SINGLE_HANDED_MELEE_WEAPON, 60, 15,
    AD_PHYS, 1, 8, 0, 1, 12, 0, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, S, WEP_LONG_SWORD, P_SWORD,
    MATINIT_LONG_SWORD, MAT_IRON, HI_METAL, 16, OBJECT_SOUNDSET_SWORD,
    O1_NONE, O2_NONE, O3_NONE, O4_FLOOR_TILE, O5_NONE, O6_NONE, PERMITTED_ALL, ALL_TARGETS, OD_NONE,
    NO_ANIMATION, NO_ENLARGEMENT, LONG_SWORD_REPLACEMENT),
WEAPON("runesword",
    "runed broadsword", 0, 0, 0, 0, 0, MULTIGEN_SINGLE, ENCHTYPE_SINGLE_HANDED_MELEE_WEAPON, 55, 300,
    AD_PHYS, 2, 4, 0, 1, 6, 1, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, S, WEP_BROADSWORD, P_SWORD,
    MATINIT_BASE_MATERIAL, MAT_METAL, CLR_BLACK, 16, OBJECT_SOUNDSET_SWORD,
    O1_NONE, O2_NONE, O3_NO_GENERATION | O3_NO_WISH, O4_FLOOR_TILE | O4_NON_MYTHIC, O5_NONE,
    O6_NONE, PERMITTED_ALL, ALL_TARGETS),
BOW("long bow", None, 1, 0, 1, 12, MULTIGEN_SINGLE, ENCHTYPE_TWO_HANDED_LAUNCHER, 45, 75,
    AD_PHYS, 1, 4, 0, 1, 6, 0, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, 0, 0, 0, -100, 0, 0, 0, 0, 0,
    MULTISHOT_NONE,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE,
    MATINIT_BASE_MATERIAL, MAT_WOOD, WEP_LONG_BOW, P_BOW, HI_WOOD, 0, OBJECT_SOUNDSET_BOW,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL, ALL_TARGETS),
BOW("crossbow", None, 1, 0, 1, 25, MULTIGEN_SINGLE, ENCHTYPE_TWO_HANDED_LAUNCHER, 100, 75,
    AD_PHYS, 1, 5, 0, 1, 5, 0, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, 0, 0, 6, 18, 0, 0, 0, 0, 0,
    MULTISHOT_NONE,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE,
    MATINIT_BASE_MATERIAL, MAT_WOOD, WEP_CROSSBOW, P_CROSSBOW, HI_WOOD, 0, OBJECT_SOUNDSET_CROSSBOW,
    O1_NONE, O2_NONE, O3_USES_FIXED_DAMAGE_BONUS_INSTEAD_OF_STRENGTH, O4_NONE, O5_NONE, O6_NONE,
    PERMITTED_ALL, ALL_TARGETS),
#undef P
#undef S
#undef B
#undef GENERAL_WEAPON
#undef WEAPON
#undef GENERAL_PROJECTILE
#undef PROJECTILE
#undef BOW

/* armor */
#define GENERAL_ARMOR(name, look, known, magic, bulky, pw1, pw2, pw3, pfl, ench, prob, delay, \
                      wt, cost, ac, mc, mana, hp, attrs, abon, pen, sub, skill, matinit, mat, \
                      clr, height, snd, f1, f2, f3, f4, f5, f6, perm, od, anim, enl, repl) \
    OBJECT(OBJ(name, look, None, None, None, height, od, anim, enl, repl), \
           BITS(known, 0, 1, 0, magic, ench, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, bulky, 0, 0, sub, skill, matinit, mat), \
           pw1, pw2, pw3, pfl, ARMOR_CLASS, prob, MULTIGEN_SINGLE, delay, wt, cost, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, A1_NONE, A2_NONE, 0, \
           0, 0, 0, 0, 10 - ac, mc, mana, hp, attrs, abon, pen, 0, \
           wt, clr, snd, 0, 0, 0, 0, \
           perm, ALL_TARGETS, \
           f1, f2, f3, f4, f5, f6)
#define GENERAL_SUIT(name, look, known, magic, bulky, pw1, pw2, pw3, pfl, ench, prob, delay, wt, \
                     cost, ac, mc, mana, hp, attrs, abon, pen, matinit, mat, clr, height, snd, \
                     f1, f2, f3, f4, f5, f6, perm, od, anim, enl, repl) \
    GENERAL_ARMOR(name, look, known, magic, bulky, pw1, pw2, pw3, pfl, ench, prob, delay, wt, cost, \
                  ac, mc, mana, hp, attrs, abon, pen, ARM_SUIT, P_NONE, matinit, mat, clr, height, snd, \
                  f1, f2, f3, f4 | O4_CAN_HAVE_EXCEPTIONALITY, f5, f6, perm, \
                  od, anim, enl, repl)
#define HELM(name, look, known, magic, pw1, pw2, pw3, pfl, ench, prob, delay, wt, cost, ac, mc, \
             mana, hp, attrs, abon, pen, matinit, mat, clr, height, snd, f1, f2, f3, f4, f5, f6, \
             perm) \
    GENERAL_ARMOR(name, look, known, magic, 0, pw1, pw2, pw3, pfl, ench, prob, delay, wt, cost, \
                  ac, mc, mana, hp, attrs, abon, pen, ARM_HELM, P_NONE, matinit, mat, clr, height, snd, \
                  f1, f2, f3, f4, f5, f6, perm, \
                  OD_NONE, NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT)
#define CLOAK(name, look, known, magic, pw1, pw2, pw3, pfl, ench, prob, delay, wt, cost, ac, mc, \
              mana, hp, attrs, abon, pen, matinit, mat, clr, snd, f1, f2, f3, f4, f5, f6, perm) \
    GENERAL_ARMOR(name, look, known, magic, 0, pw1, pw2, pw3, pfl, ench, prob, delay, wt, cost, \
                  ac, mc, mana, hp, attrs, abon, pen, ARM_CLOAK, P_NONE, matinit, mat, clr, 0, snd, \
                  f1, f2, f3, f4 | O4_NON_MYTHIC, f5, f6, perm, \
                  OD_NONE, NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT)
#define GENERAL_SHIELD(name, look, known, magic, bulky, pw1, pw2, pw3, pfl, ench, prob, delay, \
                       wt, cost, ac, mc, mana, hp, attrs, abon, pen, matinit, mat, clr, snd, f1, \
                       f2, f3, f4, f5, f6, perm, od, anim, enl, repl) \
    GENERAL_ARMOR(name, look, known, magic, bulky, pw1, pw2, pw3, pfl, ench, prob, delay, wt, cost, \
                  ac, mc, mana, hp, attrs, abon, pen, ARM_SHIELD, P_SHIELD, matinit, mat, clr, 0, snd, \
                  f1, f2, f3, f4 | O4_CAN_HAVE_EXCEPTIONALITY, f5, f6, perm, \
                  od, anim, enl, repl)
#define BOOTS(name, look, known, magic, pw1, pw2, pw3, pfl, ench, prob, delay, wt, cost, ac, mc, \
              mana, hp, attrs, abon, pen, matinit, mat, clr, snd, f1, f2, f3, f4, f5, f6, perm) \
    GENERAL_ARMOR(name, look, known, magic, 0, pw1, pw2, pw3, pfl, ench, prob, delay, wt, cost, \
                  ac, mc, mana, hp, attrs, abon, pen, ARM_BOOTS, P_NONE, matinit, mat, clr, 32, snd, \
                  f1, f2, f3, f4 | O4_CAN_HAVE_EXCEPTIONALITY, f5, f6, perm, \
                  OD_NONE, NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT)
#define ROBE(name, look, known, magic, pw1, pw2, pw3, pfl, ench, prob, delay, wt, cost, ac, mc, \
             mana, hp, attrs, abon, pen, matinit, mat, clr, height, snd, f1, f2, f3, f4, f5, f6, \
             perm) \
    GENERAL_ARMOR(name, look, known, magic, 0, pw1, pw2, pw3, pfl, ench, prob, delay, wt, cost, \
                  ac, mc, mana, hp, attrs, abon, pen, ARM_ROBE, P_NONE, matinit, mat, clr, height, snd, \
                  f1, f2, f3, f4 | O4_NON_MYTHIC, f5, f6, perm, \
                  OD_NONE, NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT)
#define WEAPONGLOVES(name, look, known, magic, delay, prob, wt, cost, ench, dtype, sn, ss, sp, \
                     ln, ls, lp, xtype, xn, xs, xp, af1, af2, crit, hit, mcadj, throwr, ac, mc, \
                     mana, hp, attrs, abon, pen, shots, pw1, pw2, pw3, pfl, dir, matinit, mat, \
                     clr, snd, f1, f2, f3, f4, f5, f6, perm, targets, od, anim, enl, repl) \
    OBJECT(OBJ(name, look, None, None, None, 24, od, anim, enl, repl), \
           BITS(known, 0, 1, 0, magic, ench, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, 0, 0, dir, ARM_GLOVES, P_BARE_HANDED_COMBAT, matinit, mat), \
           pw1, pw2, pw3, pfl, ARMOR_CLASS, prob, MULTIGEN_SINGLE, delay, wt, cost, \
           dtype, sn, ss, sp, ln, ls, lp, xtype, xn, xs, xp, af1, af2, crit, \
           hit, mcadj, 0, throwr, ac, mc, mana, hp, attrs, abon, pen, shots, \
           wt, clr, snd, 0, 0, 0, 0, \
           perm, targets, \
           f1, f2, f3, f4 | O4_FLOOR_TILE | O4_CAN_HAVE_EXCEPTIONALITY, f5 | O5_IS_WEAPON_WHEN_WORN, f6)
#define DRGN_ARMR(name, magic, pw1, pw2, pw3, pfl, cost, ac, mc, mana, hp, attrs, abon, pen, \
                  clr, snd, f1, f2, f3, f4, f5, f6, perm) \
    GENERAL_ARMOR(name, None, 1, magic, 1, pw1, pw2, pw3, pfl, ENCHTYPE_GENERAL_ARMOR, 0, 5, 550, cost, \
                  ac, mc, mana, hp, attrs, abon, pen, ARM_SUIT, P_NONE, MATINIT_BASE_MATERIAL, \
                  MAT_DRAGON_HIDE, clr, 0, snd, \
                  f1, f2, f3, O4_NON_MYTHIC | O4_CAN_HAVE_EXCEPTIONALITY | f4, O5_NO_CATALOGUE | f5, \
                  O6_NORMALLY_NON_EXCEPTIONAL | f6, perm, \
                  OD_NONE, NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT)

HELM("cotton hood", None, 1, 0,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, ENCHTYPE_LEATHER_NONBODY_ARMOR, 3, 1, 3, 8, 10, 0, 0, 0,
    0, 0, 0,
    MATINIT_BASE_MATERIAL, MAT_COTTON, CLR_BLACK, 32, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NON_MYTHIC, O5_NONE, O6_NONE, PERMITTED_ALL),
DRGN_ARMR("gray dragon scale mail", 1, MAGIC_MISSILE_RESISTANCE, ANTIMAGIC,
    NO_POWER, P1_NONE, 6000, 1, 4, 0, 0, 0, 0, 10, CLR_GRAY, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_DRAGON_ITEM | O2_MONSTER_SCALE_MAIL, O3_NONE, O4_NONE, O5_NONE, O6_NONE,
    PERMITTED_ALL),
GENERAL_SUIT("plate mail", None, 1, 0, 1,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, ENCHTYPE_GENERAL_ARMOR, 30, 5, 720, 600, 3, 3, 0, 0, 0,
    0, 10,
    MATINIT_PLATE_MAIL, MAT_IRON, HI_METAL, 0, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL, OD_NONE, NO_ANIMATION,
    NO_ENLARGEMENT, PLATE_MAIL_REPLACEMENT),
CLOAK("cloak of magic resistance", "ornamental cope", 0, 1, ANTIMAGIC,
    NO_POWER, NO_POWER, P1_NONE, ENCHTYPE_GENERAL_ARMOR, 6, 0, 10, 250, 9, 2, 0, 0, 0, 0, 0,
    MATINIT_BASE_MATERIAL, MAT_CLOTH, CLR_GRAY, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
ROBE("robe of magic resistance", "shining white robe", 0, 1, ANTIMAGIC,
    NO_POWER, NO_POWER, P1_NONE, ENCHTYPE_GENERAL_ARMOR, 4, 1, 25, 400, 9, 5, 0, 0, 0, 0, 0,
    MATINIT_BASE_MATERIAL, MAT_CLOTH, CLR_WHITE, 0, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
GENERAL_SHIELD("small shield", None, 1, 0, 0,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, ENCHTYPE_GENERAL_ARMOR, 6, 0, 80, 3, 8, 0, 0, 0, 0, 0, 3,
    MATINIT_MAYBE_ADAMANTIUM_OR_MITHRIL, MAT_WOOD, HI_WOOD, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_MATERIAL_NAME_2ND_WORD_AN, O6_NONE, PERMITTED_ALL,
    OD_MATERIAL_NAME_WORD_BY_AN, NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT),
WEAPONGLOVES("gauntlets of ogre power", "riding gloves", 0, 1, 1, 8, 30, 100, ENCHTYPE_GENERAL_ARMOR,
    AD_PHYS, 1, 3, 0, 1, 3, 0, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, 0, 0, 0, 1, 0, 0, 0,
    BONUS_TO_STR | IGNORE_ENCHANTMENT | SETS_FIXED_ATTRIBUTE, STR18(100), 2, 0,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, WHACK,
    MATINIT_BASE_MATERIAL, MAT_IRON, CLR_BROWN, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL, ALL_TARGETS, OD_NONE,
    NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT),
BOOTS("speed boots", "combat boots", 0, 1, VERY_FAST,
    NO_POWER, NO_POWER, P1_NONE, ENCHTYPE_GENERAL_ARMOR, 10, 2, 30, 50, 9, 0, 0, 0, 0, 0, 0,
    MATINIT_BASE_MATERIAL, MAT_LEATHER, HI_LEATHER, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
#undef GENERAL_ARMOR
#undef GENERAL_SUIT
#undef HELM
#undef CLOAK
#undef GENERAL_SHIELD
#undef BOOTS
#undef ROBE
#undef WEAPONGLOVES
#undef DRGN_ARMR

/* rings */
#define CHARGEDRING(name, look, prob, pw1, pw2, pw3, pfl, cost, magic, ench, charges, recharge, \
                    mohs, mana, hp, attrs, abon, pen, mat, clr, snd, f1, f2, f3, f4, f5, f6, \
                    perm) \
    OBJECT(OBJ(name, look, None, None, None, 16, OD_NONE, 0, 0, 0), \
           BITS(0, 0, ench == ENCHTYPE_NO_ENCHANTMENT && charges == CHARGED_NOT_CHARGED ? 0 : 1, \
            0, magic, ench, charges, recharge, 0, 0, 0, HARDGEM(mohs), 0, 0, P_NONE, \
            MATINIT_BASE_MATERIAL, mat), \
           pw1, pw2, pw3, pfl, RING_CLASS, prob, MULTIGEN_SINGLE, 0, 1, cost, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, A1_NONE, A2_NONE, 0, \
           0, 0, 0, 0, 0, 0, mana, hp, attrs, abon, pen, 0, \
           15, clr, snd, 0, 0, 0, 0, \
           perm, ALL_TARGETS, \
           f1, f2, f3, f4 | O4_FLOOR_TILE, f5, f6)
#define RING(name, look, prob, pw1, pw2, pw3, pfl, cost, magic, ench, mohs, mana, hp, attrs, \
             abon, pen, mat, clr, snd, f1, f2, f3, f4, f5, f6, perm) \
    CHARGEDRING(name, look, prob, pw1, pw2, pw3, pfl, cost, magic, ench, \
                CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
                mohs, mana, hp, attrs, abon, pen, mat, clr, snd, \
                f1, f2, f3, f4, f5, f6, perm)

RING("adornment", "wooden", 30, ADORNED,
    NO_POWER, NO_POWER, P1_NONE, 100, 1, ENCHTYPE_RING_NORMAL, 2, 0, 0, BONUS_TO_CHA, 0, 0,
    MAT_WOOD, HI_WOOD, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
#if 0 /* now an artifact: see The Ring of Conflict */
RING("conflict", "ruby", 10, CONFLICT,
    NO_POWER, NO_POWER, P1_NONE, 300, 1, ENCHTYPE_NO_ENCHANTMENT, 9, 0, 0, 0, 0, 0, MAT_GEMSTONE,
    CLR_RED, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
#endif
RING("warning", "diamond", 25, WARNING,
    NO_POWER, NO_POWER, P1_NONE, 100, 1, ENCHTYPE_NO_ENCHANTMENT, 10, 0, 0, 0, 0, 0, MAT_GEMSTONE,
    CLR_WHITE, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
CHARGEDRING("seven charges", "ornate silver", 0,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, 1000, 1, ENCHTYPE_NO_ENCHANTMENT, CHARGED_ALWAYS_7,
    RECHARGING_RING_OF_CONFLICT, 9, 0, 0, 0, 0, 0, MAT_GEMSTONE, CLR_RED, OBJECT_SOUNDSET_GENERIC,
    O1_INDESTRUCTIBLE, O2_NONE, O3_NO_GENERATION | O3_NO_WISH, O4_NONE, O5_NONE, O6_NONE,
    PERMITTED_ALL),
#undef CHARGEDRING
#undef RING

/* amulets */
#define AMULET(name, look, prob, pw1, pw2, pw3, pfl, mana, hp, attrs, abon, pen, snd, f1, f2, \
               f3, f4, f5, f6, perm) \
    OBJECT(OBJ(name, look, None, None, None, 24, OD_NONE, 0, 0, 0), \
           BITS(0, 0, 0, 0, 1, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, 0, 0, 0, 0, P_NONE, MATINIT_BASE_MATERIAL, MAT_IRON), \
           pw1, pw2, pw3, pfl, AMULET_CLASS, prob, MULTIGEN_SINGLE, 0, 5, 150, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, A1_NONE, A2_NONE, 0, \
           0, 0, 0, 0, 0, 0, mana, hp, attrs, abon, pen, 0, \
           20, HI_METAL, snd, 0, 0, 0, 0, \
           perm, ALL_TARGETS, \
           f1, f2, f3, O4_FLOOR_TILE | f4, f5, f6)

AMULET("amulet of life saving", "spherical", 70, LIFESAVED,
    NO_POWER, NO_POWER, P1_NONE, 0, 0, 0, 0, 0, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
AMULET("amulet versus undeath", "cubical", 70, DEATH_RESISTANCE, DRAIN_RESISTANCE,
    NO_POWER, P1_NONE, 0, 0, 0, 0, 0, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
#undef AMULET

/* other worn things */
#define MISCELLANEOUSITEM(name, look, sub, about, known, magic, merge, ench, charges, recharge, \
                          prob, cost, wt, pw1, pw2, pw3, pfl, mana, hp, attrs, abon, pen, nut, \
                          mat, clr, height, snd, f1, f2, f3, f4, f5, f6, perm) \
    OBJECT(OBJ(name, look, None, None, about, height, OD_NONE, 0, 0, 0), \
           BITS(known, merge, (charges) != 0 || (ench) != 0 ? 1 : 0, 0, magic, ench, charges, recharge, \
            0, 0, 0, 0, 0, sub, 0, MATINIT_BASE_MATERIAL, mat), \
           pw1, pw2, pw3, pfl, MISCELLANEOUS_CLASS, prob, MULTIGEN_SINGLE, 0, wt, cost, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, A1_NONE, A2_NONE, 0, \
           0, 0, 0, 0, 0, 0, mana, hp, attrs, abon, pen, 0, \
           nut, clr, snd, 0, 0, 0, 0, \
           perm, ALL_TARGETS, \
           f1, f2, f3, f4, f5, f6)

MISCELLANEOUSITEM("brooch of shielding",
    "golden brooch", MISC_BROOCH, None, 0, 1, 0, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED,
    RECHARGING_NOT_RECHARGEABLE, 35, 150, 5, IMPROVED_MAGIC_MISSILE_RESISTANCE,
    NO_POWER, NO_POWER, P1_NONE, 0, 0, BONUS_TO_MC | FULL_MC_BONUS, 5, 0, 20, MAT_GOLD, HI_GOLD, 16,
    OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
#undef MISCELLANEOUSITEM

/* tools */
#define GENERAL_TOOL(name, look, content, contentlook, about, od, anim, enl, repl, sub, known, \
                     merge, magic, ench, charges, recharge, prob, multi, wt, cost, rest, mana, \
                     hp, attrs, abon, pen, pw1, pw2, pw3, pfl, quality, mat, clr, height, snd, \
                     f1, f2, f3, f4, f5, f6, perm) \
    OBJECT(OBJ(name, look, content, contentlook, about, height, od, anim, enl, repl), \
           BITS(known, merge, (charges) != 0 || (ench) != 0 ? 1 : 0, 0, magic, ench, charges, recharge, \
            0, 0, 0, 0, 0, sub, P_NONE, MATINIT_BASE_MATERIAL, mat), \
           pw1, pw2, pw3, pfl, TOOL_CLASS, prob, multi, 0, wt, cost, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, A1_NONE, A2_NONE, 0, \
           0, 0, 0, 0, 0, 0, mana, hp, attrs, abon, pen, 0, \
           wt, clr, snd, 0, 0, rest, quality, \
           perm, ALL_TARGETS, \
           f1, f2, f3, f4, f5, f6)
#define TOOL(name, look, content, contentlook, about, sub, known, merge, magic, ench, charges, \
             recharge, prob, wt, cost, rest, mana, hp, attrs, abon, pen, pw1, pw2, pw3, pfl, \
             quality, mat, clr, height, snd, f1, f2, f3, f4, f5, f6, perm) \
    GENERAL_TOOL(name, look, content, contentlook, about, OD_NONE, 0, 0, 0, sub, known, merge, magic, ench, \
                 charges, recharge, prob, MULTIGEN_SINGLE, wt, cost, \
                 rest, mana, hp, attrs, abon, pen, pw1, pw2, pw3, pfl, \
                 quality, mat, clr, height, snd, \
                 f1, f2, f3, f4, f5, f6, perm)
#define GENERAL_SPELLTOOL(name, look, content, contentlook, about, od, anim, enl, repl, sub, \
                          known, merge, magic, charges, recharge, prob, wt, cost, dir, subdir, \
                          dtype, sn, ss, sp, tn, ts, tp, tbuc, rest, quality, skill, mat, clr, \
                          height, snd, s1, s2, f1, f2, f3, f4, f5, f6) \
    OBJECT(OBJ(name, look, content, contentlook, about, height, od, anim, enl, repl), \
           BITS(known, merge, charges ? 1 : 0, 0, magic, ENCHTYPE_NO_ENCHANTMENT, charges, recharge, \
            0, 0, 0, 0, dir, sub, skill, MATINIT_BASE_MATERIAL, mat), \
           NO_POWER, NO_POWER, NO_POWER, P1_NONE, TOOL_CLASS, prob, MULTIGEN_SINGLE, 0, wt, cost, \
           dtype, sn, ss, sp, tn, ts, tp, tbuc, 0, 0, 0, s1, s2, 0, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
           wt, clr, snd, subdir, 0, rest, quality, \
           PERMITTED_ALL, ALL_TARGETS, \
           O1_SPELLTOOL | f1, f2, f3, f4, f5, f6)
#define CONTAINER(name, look, about, sub, od, anim, enl, repl, known, magic, charges, recharge, \
                  prob, wt, cost, rest, mana, hp, attrs, abon, pw1, pw2, pw3, pfl, quality, mat, \
                  clr, height, snd, f1, f2, f3, f4, f5, f6, perm) \
    OBJECT(OBJ(name, look, None, None, about, height, od, anim, enl, repl), \
           BITS(known, 0, charges ? 1 : 0, 1, magic, ENCHTYPE_NO_ENCHANTMENT, charges, recharge, \
            0, 0, 0, 0, 0, sub, P_NONE, MATINIT_BASE_MATERIAL, mat), \
           pw1, pw2, pw3, pfl, TOOL_CLASS, prob, MULTIGEN_SINGLE, 0, wt, cost, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, A1_NONE, A2_NONE, 0, \
           0, 0, 0, 0, 0, 0, mana, hp, attrs, abon, 0, 0, \
           wt, clr, snd, 0, 0, rest, quality, \
           perm, ALL_TARGETS, \
           f1, O2_CONTAINER | f2, f3, f4, f5, f6)
#define WEPTOOL(name, look, about, known, magic, hands, prob, wt, cost, dtype, sn, ss, sp, ln, \
                ls, lp, xtype, xn, xs, xp, af1, af2, crit, hit, pen, sub, skill, rest, quality, \
                mat, clr, height, snd, f1, f2, f3, f4, f5, f6, perm, targets) \
    OBJECT(OBJ(name, look, None, None, about, height, OD_NONE, 0, 0, 0), \
           BITS(known, 0, 1, 0, magic, ENCHTYPE_GENERAL_WEAPON, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, hands, 0, hit, sub, skill, MATINIT_BASE_MATERIAL, mat), \
           NO_POWER, NO_POWER, NO_POWER, P1_NONE, TOOL_CLASS, prob, MULTIGEN_SINGLE, 0, wt, cost, \
           dtype, sn, ss, sp, ln, ls, lp, xtype, xn, xs, xp, af1, af2, crit, \
           hit, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
           wt, clr, snd, 0, 0, rest, quality, \
           perm, targets, \
           f1, f2, f3, O4_WEAPON_TOOL | f4, f5, f6)

CONTAINER("chest",
    None, None, TOOLTYPE_CHEST, OD_NONE, NO_ANIMATION, NO_ENLARGEMENT, CHEST_REPLACEMENT, 1, 0,
    CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, 28, 600, 16, 0, 0, 0, 0, 0,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, 0, MAT_WOOD, HI_WOOD, 0, OBJECT_SOUNDSET_CHEST,
    O1_ROT_RESISTANT, O2_CONTAINER_BOX, O3_NO_PICKUP, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
CONTAINER("bag of holding",
    "ornamental bag", "What lies in it weighs half as much.", TOOLTYPE_BAG, OD_NONE, NO_ANIMATION,
    NO_ENLARGEMENT, NO_REPLACEMENT, 0, 1, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, 20, 15,
    100, 0, 0, 0, 0, 0,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, 0, MAT_CLOTH, HI_CLOTH, 0, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_CONTAINER_MAGIC_BAG | O2_CONTAINER_WEIGHT_REDUCING_MAGIC_BAG, O3_NONE, O4_NONE,
    O5_NONE, O6_NONE, PERMITTED_ALL),
GENERAL_TOOL("figurine",
    None, None, None, None, OD_NONE, NO_ANIMATION, NO_ENLARGEMENT, FIGURINE_REPLACEMENT,
    TOOLTYPE_GENERAL, 1, 0, 1, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED,
    RECHARGING_NOT_RECHARGEABLE, 0, MULTIGEN_SINGLE, 50, 80, 0, 0, 0, 0, 0, 0,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, 0, MAT_MINERAL, HI_MINERAL, 0, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NO_GENERATION | O3_NO_WISH, O4_NONE, O5_REMOVED_FROM_GAME, O6_NONE,
    PERMITTED_ALL),
TOOL("magic marker",
    None, None, None, "Writes scrolls and spellbooks onto blank ones.", TOOLTYPE_GENERAL, 1, 0, 1,
    ENCHTYPE_NO_ENCHANTMENT, CHARGED_MAGIC_MARKER, RECHARGING_MAGIC_MARKER, 25, 2, 125, 0, 0, 0, 0,
    0, 0,
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, 0, MAT_PLASTIC, CLR_RED, 24, OBJECT_SOUNDSET_MAGIC_MARKER,
    O1_NONE, O2_NONE, O3_READABLE, O4_FLOOR_TILE, O5_NONE, O6_NONE, PERMITTED_ALL),
GENERAL_SPELLTOOL("jar of basilisk blood",
    "ornamental jar", "basilisk blood", "crimson liquid", "Frees a target from petrification.",
    OD_NONE, NO_ANIMATION, NO_ENLARGEMENT, JAR_CRIMSON_REPLACEMENT, TOOLTYPE_JAR, 0, 0, 1,
    CHARGED_1D4_4, RECHARGING_SALVE, 15, 15, 150, TOUCH, TOUCH_NONE,
    AD_HEAL, 0, 0, 0, 0, 0, 0, 0, 0, 0, P_NONE, MAT_GLASS, HI_GLASS, 32, OBJECT_SOUNDSET_GENERIC,
    S1_NONE, S2_NONE,
    O1_NONE, O2_NONE, O3_QUAFFABLE | O3_READABLE, O4_ALLOWS_DIPPING_INTO, O5_NONE, O6_NONE),
WEPTOOL("pick-axe", None, None, 1, 0, 0, 15, 75, 50,
    AD_PHYS, 1, 6, 0, 1, 3, 0, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0, WHACK, 0, TOOLTYPE_PICK_AXE,
    P_DIGGING, 0, 0, MAT_IRON, HI_METAL, 0, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL, ALL_TARGETS),
OBJECT(OBJ("unicorn horn", None, None, None, "Cures ailments when applied, for a charge.", 0, OD_NONE, 0, 0, 0),
    BITS(1, 0, 1, 0, 1, ENCHTYPE_GENERAL_WEAPON, CHARGED_HORN_NORMAL, RECHARGING_UNICORN_HORN, 0, 0, 0, 0, 0, TOOLTYPE_HORN, P_THRUSTING_WEAPON, MATINIT_BASE_MATERIAL, MAT_BONE),
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, TOOL_CLASS, 0, MULTIGEN_SINGLE, 0, 20, 100,
    AD_PHYS, 1, 12, 0, 1, 12, 0, AD_PHYS, 0, 0, 0, A1_NONE, A2_NONE, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    100, CLR_WHITE, OBJECT_SOUNDSET_GENERIC,
    0, 0, 0, 0,
    PERMITTED_ALL, ALL_TARGETS,
    O1_NONE, O2_NONE, O3_NONE, O4_NON_EXCEPTIONAL | O4_NON_MYTHIC | O4_WEAPON_TOOL, O5_NONE, O6_NONE),
#undef GENERAL_TOOL
#undef TOOL
#undef GENERAL_SPELLTOOL
#undef CONTAINER
#undef WEPTOOL

/* food */
#define FOOD(name, look, about, sub, known, prob, multi, delay, wt, uses, mat, edible, effect, \
             chance, tn, ts, tp, nut, clr, height, snd, f1, f2, f3, f4, f5, f6, perm) \
    OBJECT(OBJ(name, look, None, None, about, height, OD_NONE, 0, 0, 0), \
           BITS(known, 1, uses, 0, 0, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, 0, 0, 0, sub, P_NONE, MATINIT_BASE_MATERIAL, mat), \
           0, 0, 0, 0, FOOD_CLASS, prob, multi, delay, wt, nut / 20 + 5, \
           0, 0, 0, 0, tn, ts, tp, 0, 0, 0, 0, A1_NONE, A2_NONE, chance, \
           0, 0, 0, 0, edible, effect, 0, 0, 0, 0, 0, 0, \
           nut, clr, snd, 0, 0, 0, 0, \
           perm, ALL_TARGETS, \
           f1, f2, f3, f4, f5, f6)

FOOD("tripe ration",
    None, None, FOODTYPE_RATION, 1, 140, MULTIGEN_1_OR_2, 2, 10, 0, MAT_FLESH, EDIBLETYPE_NORMAL,
    EDIBLEFX_NO_EFFECT, 0, 0, 0, 0, 200, CLR_BROWN, 16, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_FLOOR_TILE, O5_NONE, O6_NONE, PERMITTED_ALL),
FOOD("apple",
    None, None, FOODTYPE_FRUIT, 1, 10, MULTIGEN_1D2, 1, 5, 0, MAT_VEGGY, EDIBLETYPE_NORMAL,
    EDIBLEFX_APPLE, 100, 0, 0, 0, 150, CLR_RED, 24, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
FOOD("carrot",
    None, "Eating it ends blindness.", FOODTYPE_VEGETABLE, 1, 10, MULTIGEN_1D2, 1, 3, 0, MAT_VEGGY,
    EDIBLETYPE_NORMAL, EDIBLEFX_CURE_BLINDNESS, 100, 0, 0, 0, 50, CLR_ORANGE, 16,
    OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_BURIED_SEARCHABLE, O4_FLOOR_TILE, O5_NONE, O6_NONE, PERMITTED_ALL),
FOOD("banana",
    None, "Eating it changes dexterity for good.", FOODTYPE_FRUIT, 1, 2, MULTIGEN_SINGLE, 1, 5, 0,
    MAT_VEGGY, EDIBLETYPE_NORMAL, EDIBLEFX_GAIN_DEXTERITY, 100, 0, 0, 0, 50, CLR_YELLOW, 24,
    OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
FOOD("fig",
    None, "Eating it heals sickness.", FOODTYPE_FRUIT, 1, 40, MULTIGEN_1_OR_2, 1, 1, 0, MAT_VEGGY,
    EDIBLETYPE_NORMAL, EDIBLEFX_CURE_SICKNESS, 100, 0, 0, 0, 10, CLR_GREEN, 20,
    OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_FLOOR_TILE, O5_NONE, O6_NONE, PERMITTED_ALL),
FOOD("dragon fruit",
    None, "Eating it stops petrification.", FOODTYPE_FRUIT, 1, 25, MULTIGEN_1_OR_2, 1, 1, 0,
    MAT_VEGGY, EDIBLETYPE_NORMAL, EDIBLEFX_CURE_PETRIFICATION, 100, 0, 0, 0, 10, CLR_GREEN, 24,
    OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
#undef FOOD

/* potions */
#define POTION(name, look, about, magic, pw1, pw2, pw3, prob, cost, bn, bs, bp, bbuc, qn, qs, \
               qp, qbuc, nn, ns, np, nbuc, extra, bdice, qdice, clr, potfl, f1, f2, f3, f4, f5, \
               f6, perm) \
    OBJECT(OBJ(name, look, None, None, about, 32, OD_NONE, 0, 0, 0), \
           BITS(0, 1, 0, 0, magic, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, 0, 0, 0, 0, P_NONE, MATINIT_BASE_MATERIAL, MAT_GLASS), \
           pw1, pw2, pw3, P1_NONE, POTION_CLASS, prob, MULTIGEN_SINGLE, 0, 12, cost, \
           0, bn, bs, bp, qn, qs, qp, 0, nn, ns, np, A1_NONE, potfl, 0, \
           0, 0, 0, 0, bbuc, qbuc, nbuc, extra, bdice, qdice, 0, 0, \
           10, clr, OBJECT_SOUNDSET_POTION, 0, 0, 0, 0, \
           perm, ALL_TARGETS, \
           f1, f2, f3, f4 | O4_FLOOR_TILE, f5, f6)

POTION("healing", "purple-red", "Gives back hit points.", 1,
    NO_POWER, NO_POWER, NO_POWER, 25, 100, 0, 0, 0, 0, 12, 6, 0, 0, 0, 0, 0, 0, 1, 0, 6,
    CLR_MAGENTA, POTFLAGS_BLESSED_CURE_SICKNESS | POTFLAGS_NONCURSED_CURE_BLINDNESS,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_EFFECT_FLAGS_ARE_HEALING | O5_EFFECT_IS_HEALING, O6_NONE,
    PERMITTED_ALL),
POTION("sleeping", "effervescent", "Puts the drinker to sleep.", 1,
    NO_POWER, NO_POWER, NO_POWER, 30, 100, 3, 4, 0, 0, 5, 4, 0, 0, 0, 0, 0, 0, 0, -1, -2, CLR_GRAY,
    POTFLAGS_NONE,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
POTION("water", "clear", "Plain water, holy when blessed, unholy when cursed.", 0,
    NO_POWER, NO_POWER, NO_POWER, 80, 100, 2, 6, 0, 0, 2, 6, 0, 0, 1, 10, 0, 0, 0, 0, 0, CLR_CYAN,
    POTFLAGS_NONE,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_EFFECT_FOR_BLESSED_ONLY | O5_EFFECT_IS_DAMAGE, O6_NONE,
    PERMITTED_ALL),
#undef POTION

/* scrolls */
#define SCROLL(name, label, about, magic, prob, cost, dn, ds, dp, tn, ts, tp, tbuc, sfl, f1, f2, \
               f3, f4, f5, f6, perm) \
    OBJECT(OBJ(name, label, None, None, about, 32, OD_NONE, 0, 0, 0), \
           BITS(0, 1, 0, 0, magic, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, 0, 0, 0, 0, P_NONE, MATINIT_BASE_MATERIAL, MAT_PAPER), \
           NO_POWER, NO_POWER, NO_POWER, P1_NONE, SCROLL_CLASS, prob, MULTIGEN_SINGLE, 0, 4, cost, \
           AD_NONE, dn, ds, dp, tn, ts, tp, tbuc, 0, 0, 0, sfl, S2_NONE, 0, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
           6, HI_PAPER, OBJECT_SOUNDSET_SCROLL, 0, 0, 0, 0, \
           perm, ALL_TARGETS, \
           f1, f2, f3, f4, f5, f6)

SCROLL("scare monster",
    "XIXAXA XOXAXA XUXAXA", "Read, it frightens monsters; on the floor, it keeps them off.", 1, 35,
    100, 0, 0, 0, 1, 50, 100, 0, S1_FLAGS_EFFECT_USES_SAVING_THROW_VS_WIS,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
SCROLL("light",
    "VERR YED HORRE", "Lights the surroundings of the reader.", 1, 45, 50, 0, 0, 0, 0, 0, 0, 0,
    S1_NONE,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
SCROLL("identify",
    "KERNOD WEL", "Identifies one item when cursed, two when uncursed, three when blessed.", 1, 145,
    20, 0, 0, 0, 0, 0, 0, 0, S1_NONE,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
#undef SCROLL

/* spellbooks */
/* a book of level L costs (L + 2) * 10 + 2 * (L + 1) * (L + 1) + 10 */
#define SPELL(name, look, effect, contentlook, about, skill, prob, delay, rest, level, mana, \
              attr, reach, radius, train, save, magic, dir, subdir, extra, dn, ds, dp, tn, ts, \
              tp, s1, s2, targets, dtype, clr, snd, f1, f2, f3, f4, f5, f6) \
    OBJECT(OBJ(name, look, effect, contentlook, about, 0, OD_NONE, 0, 0, 0), \
           BITS(0, 0, 0, 0, magic, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, 0, 0, dir, 0, skill, MATINIT_BASE_MATERIAL, MAT_PAPER), \
           NO_POWER, NO_POWER, NO_POWER, P1_NONE, SPBOOK_CLASS, prob, MULTIGEN_SINGLE, delay, 50, \
           (level + 2) * 10 + (level + 1) * (level + 1) * 2 + 10, \
           dtype, dn, ds, dp, tn, ts, tp, 0, 0, 0, 0, s1, s2, 0, \
           0, save, 0, 0, rest, level, mana, attr, reach, radius, train, extra, \
           20, clr, snd, subdir, 0, 0, 0, \
           PERMITTED_ALL, targets, \
           f1, f2, f3, f4 | O4_FLOOR_TILE, f5, f6)

SPELL("light",
    "cloth", None, None, "Lights the surroundings of the caster", P_DIVINATION_SPELL, 4, 1, 0, 0, 2,
    A_MAX_INT_WIS_CHA, 0, 0, 100, 0, 1, NODIR, NODIR_NONE, 0, 0, 0, 0, 0, 0, 0,
    S1_NO_SOMATIC_COMPONENT, S2_NONE, ALL_TARGETS,
    AD_NONE, HI_CLOTH, OBJECT_SOUNDSET_SPELLBOOK,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE),
SPELL("sleep",
    "mottled", None, None, "Sends out a ray of sleep", P_ENCHANTMENT_SPELL, 4, 1, 0, 4, 30,
    A_MAX_INT_CHA, 12, 0, 100, 0, 1, RAY, RAY_SLEEP, 0, 0, 0, 0, 2, 6, 7,
    S1_FLAGS_EFFECT_USES_SAVING_THROW_VS_WIS | S1_NO_SOMATIC_COMPONENT, S2_NONE, ALL_TARGETS,
    AD_SLEE, HI_ZAP, OBJECT_SOUNDSET_SPELLBOOK,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE),
SPELL("healing",
    "bright white", None, None, "Heals 6d6 hit points", P_HEALING_SPELL, 4, 1, 2, 1, 9, A_WIS, 5, 0,
    100, 0, 1, IMMEDIATE, IMMEDIATE_NONE, 0, 6, 6, 0, 0, 0, 0,
    S1_DOES_NOT_TAKE_A_TURN | S1_NO_SOMATIC_COMPONENT, S2_NONE, ALL_TARGETS,
    AD_HEAL, CLR_WHITE, OBJECT_SOUNDSET_SPELLBOOK,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE),
SPELL("finger of death",
    "leather bound", None, "old magic of the dead", "Sends out a ray of death", P_NECROMANCY_SPELL,
    4, 10, 0, 9, 100, A_MAX_WIS_CHA, 8, 0, 100, 0, 1, RAY, RAY_DEATH, 0, 0, 0, 0, 0, 0, 0,
    S1_NO_SOMATIC_COMPONENT | S1_SPELLBOOK_MUST_BE_READ_TO_IDENTIFY, S2_NONE, ALL_TARGETS,
    AD_DRAY, HI_LEATHER, OBJECT_SOUNDSET_SPELLBOOK,
    O1_NONE, O2_NONE, O3_NONE, O4_VERY_RARE, O5_NONE, O6_NONE),
#undef SPELL

/* wands */
#define WAND(name, look, effect, contentlook, about, charges, recharge, prob, cost, magic, dir, \
             subdir, reach, radius, dn, ds, dp, tn, ts, tp, tbuc, sfl, mat, clr, snd, f1, f2, \
             f3, f4, f5, f6) \
    OBJECT(OBJ(name, look, effect, contentlook, about, 24, OD_NONE, 0, 0, 0), \
           BITS(0, 0, 1, 0, magic, ENCHTYPE_NO_ENCHANTMENT, charges, recharge, \
            0, 0, 0, 0, dir, 0, P_WAND, MATINIT_BASE_MATERIAL, mat), \
           NO_POWER, NO_POWER, NO_POWER, P1_NONE, WAND_CLASS, prob, MULTIGEN_SINGLE, 0, 6, cost, \
           AD_NONE, dn, ds, dp, tn, ts, tp, tbuc, 0, 0, 0, sfl, S2_NONE, 0, \
           0, 0, 0, 0, 0, 0, 0, 0, reach, radius, 0, 0, \
           30, clr, snd, subdir, 0, 0, 0, \
           PERMITTED_ALL, ALL_TARGETS, \
           f1, f2, f3, f4, f5, f6)

WAND("light",
    "glass", None, None, "Lights the surroundings of the zapper.", CHARGED_WAND_NORMAL_NODIR,
    RECHARGING_WAND_GENERAL, 40, 100, 1, NODIR, NODIR_NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, S1_NONE,
    MAT_GLASS, HI_GLASS, OBJECT_SOUNDSET_WAND,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE),
WAND("wishing",
    "pine", None, None, "Fulfils a wish.", CHARGED_WAND_WISHING, RECHARGING_WAND_WISHING, 5, 500, 1,
    NODIR, NODIR_NONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, S1_NONE, MAT_WOOD, HI_WOOD, OBJECT_SOUNDSET_WAND,
    O1_LIGHTNING_RESISTANT, O2_NONE, O3_NONE, O4_VERY_RARE, O5_NONE, O6_NONE),
WAND("digging", "iron", None, None, "Sends out a ray that eats through rock.", CHARGED_2D6_8,
    RECHARGING_WAND_GENERAL, 40, 150, 1, RAY, RAY_WND_DIGGING, 10, 0, 0, 0, 0, 0, 0, 0, 0, S1_NONE,
    MAT_IRON, HI_METAL, OBJECT_SOUNDSET_WAND,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE),
WAND("cold",
    "short", None, None, "Sends out a ray of frost.", CHARGED_1D6_6, RECHARGING_WAND_GENERAL, 40,
    175, 1, RAY, RAY_WND_COLD, 12, 0, 8, 6, 0, 0, 0, 0, 0, S1_NONE, MAT_IRON, HI_METAL,
    OBJECT_SOUNDSET_WAND,
    O1_COLD_RESISTANT, O2_NONE, O3_NONE, O4_CAN_HAVE_EXCEPTIONALITY,
    O5_CANNOT_BE_CELESTIAL | O5_CANNOT_BE_INFERNAL | O5_CANNOT_BE_PRIMORDIAL, O6_NONE),
WAND("sleep", "runed", None, None, "Sends out a ray of sleep.", CHARGED_WAND_NORMAL_DIR,
    RECHARGING_WAND_GENERAL, 45, 175, 1, RAY, RAY_WND_SLEEP, 10, 0, 0, 0, 0, 4, 6, 0, 0,
    S1_FLAGS_EFFECT_USES_SAVING_THROW_VS_WIS, MAT_IRON, HI_METAL, OBJECT_SOUNDSET_WAND,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE),
WAND("death",
    "skull-headed", None, None, "Sends out a ray of death.", CHARGED_1D4_1, RECHARGING_WAND_GENERAL,
    10, 500, 1, RAY, RAY_WND_DEATH, 8, 0, 0, 0, 0, 0, 0, 0, 0, S1_NONE, MAT_BONE, CLR_WHITE,
    OBJECT_SOUNDSET_WAND,
    O1_NONE, O2_NONE, O3_NONE, O4_RARE, O5_NONE, O6_NONE),
#undef WAND

/* coins */
#define COIN(name, prob, mat, worth) \
    OBJECT(OBJ(name, None, None, None, None, 0, OD_NONE, 0, 0, COIN_REPLACEMENT), \
           BITS(1, 1, 0, 0, 0, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, 0, 0, 0, 0, P_NONE, MATINIT_BASE_MATERIAL, mat), \
           NO_POWER, NO_POWER, NO_POWER, P1_NONE, COIN_CLASS, prob, MULTIGEN_SINGLE, 0, 1, worth, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, A1_NONE, A2_NONE, 0, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
           0, HI_GOLD, OBJECT_SOUNDSET_COIN, 0, 0, 0, 0, \
           PERMITTED_ALL, ALL_TARGETS, \
           O1_NONE, O2_NONE, O3_READABLE, O4_NONE, O5_NONE, O6_NONE)

COIN("gold piece", 1000, MAT_GOLD, 1),
#undef COIN

/* gems and gray stones */
#define GEM(name, look, prob, wt, worth, nut, mohs, mat, clr, height, snd, f1, f2, f3, f4, f5, \
            f6, perm) \
    OBJECT(OBJ(name, look, None, None, None, height, OD_NONE, 0, 0, 0), \
           BITS(0, 1, 0, 0, 0, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, 0, HARDGEM(mohs), 0, WEP_SLING_BULLET, -P_SLING, MATINIT_BASE_MATERIAL, mat), \
           NO_POWER, NO_POWER, NO_POWER, P1_NONE, GEM_CLASS, prob, MULTIGEN_1_OR_2, 0, 1, worth, \
           0, 1, 3, 0, 1, 3, 0, 0, 0, 0, 0, A1_NONE, A2_NONE, 0, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
           nut, clr, snd, WEP_SLING, 0, 0, 0, \
           perm, ALL_TARGETS, \
           f1, f2, f3, f4, f5, f6)
#define GENERAL_ROCK(name, look, about, pw1, pw2, pw3, pfl, known, prob, multi, wt, worth, ench, \
                     charges, recharge, sn, ss, sp, ln, ls, lp, magic, nut, mohs, mat, clr, \
                     height, snd, sub, skill, launcher, f1, f2, f3, f4, f5, f6, perm, od, anim, \
                     enl, repl) \
    OBJECT(OBJ(name, look, None, None, about, height, od, anim, enl, repl), \
           BITS(known, (charges > 0 ? 0 : 1), (ench > 0 || charges > 0 ? 1 : 0), 0, magic, ench, charges, \
            recharge, 0, 0, 0, HARDGEM(mohs), 0, sub, skill, MATINIT_BASE_MATERIAL, mat), \
           pw1, pw2, pw3, pfl, GEM_CLASS, prob, multi, 0, wt, worth, \
           0, sn, ss, sp, ln, ls, lp, 0, 0, 0, 0, A1_NONE, A2_NONE, 0, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
           nut, clr, snd, launcher, 0, 0, 0, \
           perm, ALL_TARGETS, \
           f1, f2, f3, f4, f5, f6)
#define ROCK(name, look, about, pw1, pw2, pw3, pfl, known, prob, multi, wt, worth, ench, sn, ss, \
             sp, ln, ls, lp, magic, nut, mohs, mat, clr, height, snd, f1, f2, f3, f4, f5, f6, \
             perm, od, anim, enl, repl) \
    GENERAL_ROCK(name, look, about, pw1, pw2, pw3, pfl, known, prob, multi, wt, worth, ench, \
                 CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
                 sn, ss, sp, ln, ls, lp, magic, nut, mohs, mat, clr, height, snd, \
                 WEP_SLING_BULLET, -P_SLING, WEP_SLING, f1, f2, f3, f4, f5, f6, perm, od, anim, enl, repl)

GEM("diamond", "white", 3, 1, 2000, 15, 10, MAT_GEMSTONE, CLR_WHITE, 16, OBJECT_SOUNDSET_GEM,
    O1_THROWN_WEAPON_ONLY, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
GEM("ruby", "red", 4, 1, 1500, 15, 9, MAT_GEMSTONE, CLR_RED, 16, OBJECT_SOUNDSET_GEM,
    O1_THROWN_WEAPON_ONLY, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
ROCK("luckstone", "gray", "Brings its bearer luck, or misfortune when cursed.",
    NO_POWER, NO_POWER, NO_POWER,
    P1_CONFERS_LUCK | P1_CURSED_ITEM_YIELDS_NEGATIVE | P1_LUCK_APPLIES_WHEN_CARRIED, 0, 10,
    MULTIGEN_SINGLE, 10, 60, ENCHTYPE_NO_ENCHANTMENT, 1, 3, 0, 1, 3, 0, 1, 10, 7, MAT_MINERAL,
    CLR_GRAY, 24, OBJECT_SOUNDSET_STONE,
    O1_THROWN_WEAPON_ONLY, O2_GRAYSTONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL, OD_NONE,
    NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT),
GENERAL_ROCK("touchstone", "gray", "Applied to gems, it tells what they are.",
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, 0, 8, MULTIGEN_SINGLE, 10, 45, ENCHTYPE_NO_ENCHANTMENT,
    CHARGED_1D6_6, RECHARGING_TOOL_GENERAL, 1, 3, 0, 1, 3, 0, 1, 10, 6, MAT_MINERAL, CLR_GRAY, 24,
    OBJECT_SOUNDSET_STONE, WEP_SLING_BULLET, -P_SLING, WEP_SLING,
    O1_THROWN_WEAPON_ONLY, O2_GRAYSTONE, O3_APPLIABLE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL,
    OD_NONE, NO_ANIMATION, NO_ENLARGEMENT, NO_REPLACEMENT),
#undef GEM
#undef GENERAL_ROCK
#undef ROCK

/* things of stone and iron */
OBJECT(OBJ("boulder", None, None, None, None, 0, OD_NONE, 0, 0, 0),
    BITS(1, 0, 0, 0, 0, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, 0, 0, 1, 0, 0, 0, P_NONE, MATINIT_BASE_MATERIAL, MAT_MINERAL),
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, ROCK_CLASS, 100, MULTIGEN_SINGLE, 0, 8000, 0,
    AD_PHYS, 2, 6, 8, 2, 6, 8, 0, 0, 0, 0, A1_NONE, A2_NONE, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    2000, HI_MINERAL, OBJECT_SOUNDSET_BOULDER,
    0, 0, 0, 0,
    PERMITTED_ALL, ALL_TARGETS,
    O1_THROWN_WEAPON_ONLY, O2_NONE, O3_NONE, O4_DRAWN_IN_FRONT | O4_FULL_SIZED_BITMAP,
    O5_TILE_IS_TILESET_DEPENDENT, O6_NONE),

/* reagents */
#define REAGENT(name, look, known, prob, multi, delay, wt, cost, mat, edible, effect, chance, \
                nut, clr, height, snd, f1, f2, f3, f4, f5, f6, perm) \
    OBJECT(OBJ(name, look, None, None, None, height, OD_NONE, 0, 0, 0), \
           BITS(known, 1, 0, 0, 0, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, 0, 0, 0, 0, P_NONE, MATINIT_BASE_MATERIAL, mat), \
           NO_POWER, NO_POWER, NO_POWER, P1_NONE, REAGENT_CLASS, prob, multi, delay, wt, cost, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, A1_NONE, A2_NONE, chance, \
           0, 0, 0, 0, edible, effect, 0, 0, 0, 0, 0, 0, \
           nut, clr, snd, 0, 0, 0, 0, \
           perm, ALL_TARGETS, \
           f1, f2, f3, f4, f5, f6)

REAGENT("mandrake root",
    None, 1, 50, MULTIGEN_1D2, 1, 3, 10, MAT_VEGGY, EDIBLETYPE_NORMAL, EDIBLEFX_NO_EFFECT, 0, 40,
    CLR_MAGENTA, 24, OBJECT_SOUNDSET_GENERIC,
    O1_EDIBLE_NONFOOD, O2_NONE, O3_BURIED_SEARCHABLE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL),
#undef REAGENT

/* art */
#define ARTOBJECT(name, look, known, prob, multi, wt, cost, mat, nut, clr, height, snd, f1, f2, \
                  f3, f4, f5, f6, perm, od, anim, enl, repl) \
    OBJECT(OBJ(name, look, None, None, None, height, od, anim, enl, repl), \
           BITS(known, 1, 0, 0, 0, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE, \
            0, 0, 0, 0, 0, 0, P_NONE, MATINIT_BASE_MATERIAL, mat), \
           NO_POWER, NO_POWER, NO_POWER, P1_NONE, ART_CLASS, prob, multi, 0, wt, cost, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, A1_NONE, A2_NONE, 0, \
           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
           nut, clr, snd, 0, 0, 0, 0, \
           perm, ALL_TARGETS, \
           f1, f2, f3, f4, f5, f6)

ARTOBJECT("painting",
    None, 1, 1000, MULTIGEN_SINGLE, 80, 5, MAT_PAPER, 10, CLR_BROWN, 0, OBJECT_SOUNDSET_GENERIC,
    O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE, PERMITTED_ALL, OD_NONE, NO_ANIMATION,
    NO_ENLARGEMENT, PAINTING_REPLACEMENT),
#undef ARTOBJECT

/* end of the table; its name must be null */
OBJECT(OBJ(None, None, None, None, None, 0, OD_NONE, 0, 0, 0),
    BITS(0, 0, 0, 0, 0, ENCHTYPE_NO_ENCHANTMENT, CHARGED_NOT_CHARGED, RECHARGING_NOT_RECHARGEABLE,
         0, 0, 0, 0, 0, 0, P_NONE, MATINIT_BASE_MATERIAL, MAT_NONE),
    NO_POWER, NO_POWER, NO_POWER, P1_NONE, ILLOBJ_CLASS, 0, MULTIGEN_SINGLE, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, A1_NONE, A2_NONE, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, OBJECT_SOUNDSET_NONE, 0, 0, 0, 0,
    PERMITTED_ALL, ALL_TARGETS, O1_NONE, O2_NONE, O3_NONE, O4_NONE, O5_NONE, O6_NONE)
};

#ifndef OBJECTS_PASS_2_
#undef OBJ
#undef OBJECT
#define OBJECTS_PASS_2_
#include "objects.c"
#endif
