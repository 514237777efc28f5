/* extern.h - functions that one file offers the others */

#ifndef EXTERN_H
#define EXTERN_H

/* dice: rn2(x) is 0 to x-1, rnd(x) 1 to x, rn1(x, y) y to y+x-1, d(n, x) n dice of x sides */
extern int rn2(int), rnd(int), rnz(int), d(int, int);
#define rn1(x, y) (rn2(x) + (y))

extern boolean adjattrib(int, int);
extern void exercise(int, boolean);
extern int acurr(int), acurrstr(void), m_acurr(struct monst *, int);
extern int get_saving_throw_adjustment(struct obj *, struct monst *, struct monst *);
extern boolean check_ability_resistance_success(struct monst *, int, int);
extern boolean check_magic_cancellation_success(struct monst *, int);
extern int magic_negation(struct monst *), magic_negation_percentage(int);
extern int weight(struct obj *), weight_cap(void);
extern boolean onscary(int, int, struct monst *), can_pray(void);

extern void done(int), losehp(double), fall_asleep(int), polyself(int), incr_itimeout(int64_t *, int);
extern void fix_petrification(void), make_blinded(int64_t), make_sick(int64_t);
extern void make_mon_fearful(struct monst *, int), damage_monster(struct monst *, struct obj *);
extern void bless(struct obj *), curse(struct obj *), obfree(struct obj *), water_damage(struct obj *);
extern void useup(struct obj *), useupf(struct obj *), addinv(struct obj *);
extern struct obj *oname(struct obj *, const char *);
extern const char *artiname(int);
extern boolean exist_artifact(int, const char *), is_worn_correctly(struct obj *);
extern boolean ammo_and_launcher(struct obj *, struct obj *);
extern int identify_pack(int), greatest_erosion(struct obj *), find_mac(struct monst *);
extern int does_passive_impact_obj(struct permonst *, struct obj *);
extern int distmin(int, int, int, int), level_difficulty(void), in_trouble(void);
extern boolean on_altar(void), sengr_at(const char *, int, int), canseemon(struct monst *);
extern struct obj *sobj_at(int, int, int);
extern aligntyp a_align(int, int);
extern boolean inhishop(struct monst *), inhistemple(struct monst *), inhissmithy(struct monst *);
extern boolean in_his_npc_room(struct monst *), in_hell(void), in_endgame(void);
extern void create_current_floor_location(int, int), deltrap(struct trap *);

#define Inhell in_hell()
#define In_endgame(x) in_endgame()

#endif /* EXTERN_H */
