/* youprop.h - properties of the hero */

#ifndef YOUPROP_H
#define YOUPROP_H

#define PROPERTY(p) (u.uprops[p].intrinsic || u.uprops[p].extrinsic)

#define Antimagic PROPERTY(ANTIMAGIC) /* magic resistance */
#define Cold_immunity PROPERTY(COLD_IMMUNITY)
#define Confusion PROPERTY(CONFUSION)
#define Curse_resistance PROPERTY(CURSE_RESISTANCE)
#define Death_resistance PROPERTY(DEATH_RESISTANCE)
#define Fixed_abil PROPERTY(FIXED_ABIL)
#define Free_action PROPERTY(FREE_ACTION)
#define Hallucination PROPERTY(HALLUC)
#define Invulnerable PROPERTY(INVULNERABLE)
#define Polymorph_resistance PROPERTY(POLYMORPH_RESISTANCE)
#define Reflecting PROPERTY(REFLECTING)
#define Sleep_resistance PROPERTY(SLEEP_RESISTANCE)
#define Stoned PROPERTY(STONED)
#define Unchanging PROPERTY(UNCHANGING)
#define HParalyzed u.uprops[PARALYZED].intrinsic
#define HStone_resistance u.uprops[STONE_RESISTANCE].intrinsic

#endif /* YOUPROP_H */
