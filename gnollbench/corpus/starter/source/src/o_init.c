/* o_init.c - what a material does for the things made of it */

#include "hack.h"

/* Suit powers by material; hard crystal reflects, orichalcum resists magic. */
const struct material_definition material_definitions[] = {
    { "iron", MAT_IRON, 1.0, 1.0, NO_POWER },
    { "bronze", MAT_BRONZE, 1.0, 1.0, NO_POWER },
    { "orichalcum", MAT_ORICHALCUM, 2.0, 0.75, ANTIMAGIC },
    { "hard crystal", MAT_HARD_CRYSTAL, 0.2, 1.0, REFLECTING },
};

short
material_suit_power(uchar material)
{
    for (size_t i = 0; i < SIZE(material_definitions); i++)
        if (material_definitions[i].material == material)
            return material_definitions[i].power_suit;
    return NO_POWER;
}
