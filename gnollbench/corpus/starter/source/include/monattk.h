/* monattk.h - kinds of attack and of damage */

#ifndef MONATTK_H
#define MONATTK_H

#define AT_CLAW 1
#define AT_BITE 2
#define AT_KICK 3
#define AT_TAIL 5
#define AT_BUTT 6
#define AT_TUCH 7
#define AT_STNG 8
#define AT_HORN 18
#define AT_PASV 252
#define AT_SMMN 253
#define AT_WEAP 254
#define AT_MAGC 255

#define AD_NONE (-1)
#define AD_PHYS 0
#define AD_MAGM 1
#define AD_FIRE 2
#define AD_COLD 3
#define AD_SLEE 4
#define AD_ELEC 6
#define AD_DRST 7
#define AD_DRAY 9
#define AD_STON 10
#define AD_PLYS 14
#define AD_DRLI 15
#define AD_HEAL 27
#define AD_WERE 29
#define AD_DISE 33
#define AD_SHRP 47
#define AD_CLRC 240
#define AD_SPEL 241
#define AD_DMNS 243
#define AD_LYCA 244
#define AD_UNDO 247
#define AD_SAMU 252

#endif /* MONATTK_H */
