/* skills.h - skills and their levels */

#ifndef SKILLS_H
#define SKILLS_H

enum p_skills {
    P_NONE = 0,
    P_DAGGER = 1,
    P_AXE = 2,
    P_SWORD = 3,
    P_THRUSTING_WEAPON = 8,
    P_BOW = 9,
    P_SLING = 10,
    P_CROSSBOW = 11,
    P_HEALING_SPELL = 15,
    P_DIVINATION_SPELL = 16,
    P_ENCHANTMENT_SPELL = 20,
    P_NECROMANCY_SPELL = 24,
    P_BARE_HANDED_COMBAT = 25,
    P_THROWN_WEAPON = 29,
    P_SHIELD = 31,
    P_WAND = 32,
    P_DIGGING = 34,
    P_NUM_SKILLS = 36,
};

enum skill_levels {
    P_ISRESTRICTED = 0,
    P_UNSKILLED = 1,
    P_BASIC = 2,
    P_SKILLED = 3,
    P_EXPERT = 4,
    P_MASTER = 5,
    P_GRAND_MASTER = 6,
};

struct skills {
    xchar skill;
    xchar max_skill;
    unsigned short advance;
};

#define P_SKILL_LEVEL(type) (u.weapon_skills[type].skill)

#endif /* SKILLS_H */
