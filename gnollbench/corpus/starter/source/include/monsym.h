/* monsym.h - classes of monsters */

#ifndef MONSYM_H
#define MONSYM_H

enum mon_class_types {
    S_COCKATRICE = 3,
    S_DOG = 4,
    S_EYE = 5,
    S_FELINE = 6,
    S_GNOME = 7,
    S_HUMANOID = 8,
    S_ORC = 15,
    S_UNICORN = 21,
    S_ANGEL = 27,
    S_DRAGON = 30,
    S_GNOLL = 33,
    S_GIANT = 34,
    S_LICH = 38,
    S_TROLL = 46,
    S_UNDER = 47,
    S_VAMPIRE = 48,
    S_HUMAN = 53,
    S_GOLEM = 55,
    S_DEMON = 56,
    S_LIZARD = 58,
};

#endif /* MONSYM_H */
