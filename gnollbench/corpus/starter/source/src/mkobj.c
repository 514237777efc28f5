/* mkobj.c - charges that new objects get, and what objects weigh */

#include "hack.h"

/* Charges of a newly made object, by the charge class in its table entry. */
short
get_init_charge(uchar charge_init_index)
{
    switch (charge_init_index) {
    case CHARGED_ALWAYS_7:
        return 7;
    case CHARGED_WAND_NORMAL_NODIR: /* 11 to 15 */
        return rn1(5, 11);
    case CHARGED_WAND_NORMAL_DIR: /* 4 to 8 */
        return rn1(5, 4);
    case CHARGED_WAND_WISHING: /* 1 to 3 */
        return rnd(3);
    case CHARGED_HORN_NORMAL: /* 4 to 8 */
        return rn1(5, 4);
    case CHARGED_UNICORN_HORN: /* 7 to 9; no table entry uses this class */
        return 6 + rnd(3);
    case CHARGED_MAGIC_MARKER: /* 30 to 99 */
        return rn1(70, 30);
    case CHARGED_1D4_1: /* 2 to 5 */
        return rnd(4) + 1;
    case CHARGED_1D4_4: /* 4 to 7, whatever the name says */
        return rnd(4) + 3;
    case CHARGED_1D6_6: /* 7 to 12 */
        return rnd(6) + 6;
    case CHARGED_2D6_8: /* 10 to 20 */
        return d(2, 6) + 8;
    case CHARGED_1D30_30: /* 31 to 60 */
        return rnd(30) + 30;
    default:
        return 0;
    }
}

/* The most charges that recharging can give. */
short
get_max_charge(uchar charge_init_index)
{
    switch (charge_init_index) {
    case CHARGED_ALWAYS_7:
        return 7;
    case CHARGED_WAND_NORMAL_NODIR:
        return 15;
    case CHARGED_WAND_NORMAL_DIR:
        return 8;
    case CHARGED_WAND_WISHING:
        return 3;
    case CHARGED_HORN_NORMAL:
        return 10;
    case CHARGED_UNICORN_HORN:
        return 9;
    case CHARGED_MAGIC_MARKER:
        return 100;
    case CHARGED_1D4_1:
        return 5;
    case CHARGED_1D4_4:
        return 8;
    case CHARGED_1D6_6:
        return 12;
    case CHARGED_2D6_8:
        return 20;
    case CHARGED_1D30_30:
        return 60;
    default:
        return 0;
    }
}

/* Weight in ounces, sixteen to the pound. */
int
weight(struct obj *obj)
{
    int wt = (int) objects[obj->otyp].oc_weight;

    if (obj->oclass == COIN_CLASS) /* one ounce for every ten coins, rounded up */
        return (int) ((obj->quan - 1) / 10L) + 1;

    if (Is_container(obj)) {
        int cwt = 0;

        for (struct obj *contents = obj->cobj; contents; contents = contents->nobj)
            cwt += weight(contents);
        if (obj->otyp == BAG_OF_HOLDING)
            cwt = obj->cursed ? cwt * 2 : obj->blessed ? (cwt + 3) / 4 : (cwt + 1) / 2;
        return wt + cwt;
    }
    return wt ? wt * (int) obj->quan : ((int) obj->quan + 1) >> 1;
}

/*
 * The material of a new object.  Plate mail may come in bronze, hard crystal
 * and better; "crystal plate mail" is that, and no object type of its own.
 */
uchar
get_otyp_initial_material(int otyp)
{
    int depth_now = level_difficulty();

    if (objects[otyp].oc_material_init_type != MATINIT_PLATE_MAIL)
        return objects[otyp].oc_material;
    if (!rn2(depth_now < 10 ? 4 : depth_now < 20 ? 8 : depth_now < 30 ? 16 : 32))
        return MAT_BRONZE;
    if (!rn2(depth_now < 5 ? 150 : depth_now < 10 ? 75 : depth_now < 20 ? 50 : depth_now < 30 ? 25 : 10))
        return MAT_HARD_CRYSTAL;
    return objects[otyp].oc_material;
}
