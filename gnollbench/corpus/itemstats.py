"""An item's entry as the stats tool tells it: the final slots, by what they mean for its class."""

from typing import Any

from gnollbench.corpus.cpreprocessor import Preprocessor
from gnollbench.corpus.ctables import OBJECTS, Entry, Fields, Tables
from gnollbench.corpus.gamefields import Value, aliased, dice, flags, number, strings

_TEXTS = {  # parameter of the macro: field of the answer
    "name": "name",
    "desc": "description",
    "contentname": "content_name",
    "contentdesc": "content_description",
    "itemdesc": "item_description",
}
_NAMES = {  # constants and sets of flags, told by name
    "sym": "object_class",
    "sub": "subtype",
    "skill": "skill",
    "mtrl": "material",
    "matinit": "material_init",
    "spetype": "enchantable",
    "chrg": "charged",
    "recharging": "recharging",
    "dir": "direction",
    "dirsubtype": "direction_subtype",
    "multigen": "multigen",
    "color": "color",
    "prp": "power",
    "prp1": "power",
    "prp2": "power2",
    "prp3": "power3",
    "pflags": "power_flags",
    "dmgtype": "damage_type",
    "edmgtype": "extra_damage_type",
    "aflags": "attack_flags",
    "aflags2": "attack_flags2",
    "powconfermask": "power_permissions",
    "permittedtargets": "target_permissions",
    "odflags": "description_flags",
    "flags": "flags",
    **{f"flags{place}": f"flags{place}" for place in range(2, 7)},
}
_NUMBERS = {
    "prob": "probability",
    "cost": "cost",
    "wt": "weight",
    "nut": "nutrition",
    "dly": "delay",
    "nmkn": "name_known",
    "mrg": "mergeable",
    "mgc": "magic",
    "uniq": "unique",
    "nwsh": "no_wish",
    "big": "big",
    "tuf": "tough",
    "hitbon": "hit_bonus",
    "mcadj": "mc_adjustment",
    "fixdmgbon": "fixed_damage_bonus",
    "range": "range",
    "critpct": "critical_strike_percentage",
    "materials": "material_components",
    "cooldown": "item_cooldown",
    "special_quality": "special_quality",
}
_WORN = (  # what the eight general slots hold, in the header's own words
    "ac_bonus",
    "magic_cancellation",
    "mana_bonus",
    "hp_bonus",
    "bonus_attributes",
    "attribute_bonus",
    "spell_casting_penalty",
    "multishot_style",
)
_SPELL = (
    "spell_cooldown",
    "spell_level",
    "spell_mana_cost",
    "spell_attribute",
    "spell_range",
    "spell_radius",
    "spell_skill_chance",
    "spell_per_level_step",
)
_WAND = ("", "", "", "", "zap_range", "zap_radius")
_POTION = (
    "breathe_buc_multiplier",
    "quaff_buc_multiplier",
    "nutrition_buc_multiplier",
    "extra_data",
    "breathe_dice_buc_multiplier",
    "quaff_dice_buc_multiplier",
    "nutrition_dice_buc_multiplier",
)
_EDIBLE = ("edible_subtype", "edible_effect")
_SLOTS: dict[str, tuple[str, ...]] = {
    "SPBOOK_CLASS": _SPELL,
    "WAND_CLASS": _WAND,
    "SCROLL_CLASS": (),
    "POTION_CLASS": _POTION,
    "FOOD_CLASS": _EDIBLE,
    "REAGENT_CLASS": _EDIBLE,
}
_BLOW = ("damage_small", "damage_large", "extra_damage")
_MAGIC = ("damage", "duration", "extra_dice")
_DICE: dict[str, tuple[str, str, str]] = {
    "SPBOOK_CLASS": ("damage", "duration_or_per_level_bonus", "extra_dice"),
    "WAND_CLASS": _MAGIC,
    "SCROLL_CLASS": _MAGIC,
    "POTION_CLASS": ("breathe_duration", "quaff_duration", "nutrition_gained"),
    "FOOD_CLASS": ("damage", "effect_duration", "extra_dice"),
}
_NAMED_SLOTS = frozenset(
    ("bonus_attributes", "multishot_style", "spell_attribute", "edible_subtype", "edible_effect")
)
_PENALTY_UNIT = "ARMOR_SPELL_CASTING_PENALTY_MULTIPLIER"  # per cent a point, as the game defines it


def item_stats(entry: Entry, tables: Tables) -> dict[str, Any]:
    """Return an item's fields by name; ``notes`` says in what they count."""
    source, given = tables.source, entry.fields
    stats: dict[str, Any] = strings(tables, given, _TEXTS)
    stats |= {field: _named(source, given[param]) for param, field in _NAMES.items() if param in given}
    stats |= {field: number(source, given[param]) for param, field in _NUMBERS.items() if param in given}
    kind = str(stats["object_class"])
    if kind == "TOOL_CLASS" and "O1_SPELLTOOL" in given.get("flags", []):
        kind = "WAND_CLASS"  # a tool that casts fills its slots as a wand does
    stats |= _rolled(source, given, _DICE.get(kind, _BLOW))
    if "oc8" in given:
        stats |= _slots(source, given, _SLOTS.get(kind, _WORN))
    return stats | _notes(stats, tables)


def _named(source: Preprocessor, code: list[str]) -> Value:
    return flags(aliased(source, code, OBJECTS.path))


def _rolled(source: Preprocessor, given: Fields, names: tuple[str, str, str]) -> dict[str, str]:
    """Return the three rolls that are not empty; NetHack's have sides alone, and roll one die."""
    rolls: dict[str, str] = {}
    for name, size in zip(names, ("s", "l", "e"), strict=True):
        sides = given.get(f"{size}dam", ["0"])
        count = given.get(f"{size}dice", sides if number(source, sides) == 0 else ["1"])
        if roll := dice(source, count, sides, given.get(f"{size}dmgplus", ["0"])):
            rolls[name] = roll
    return rolls


def _slots(source: Preprocessor, given: Fields, names: tuple[str, ...]) -> dict[str, Any]:
    slots: dict[str, Any] = {}
    for place, name in enumerate(names, 1):
        code = given[f"oc{place}"]
        if name:
            slots[name] = _named(source, code) if name in _NAMED_SLOTS else number(source, code)
    return slots


def _notes(stats: dict[str, Any], tables: Tables) -> dict[str, Any]:
    """Return the derived figures and the notes on units that go with them."""
    added: dict[str, Any] = {}
    notes: list[str] = []
    if stats["object_class"] == "ARMOR_CLASS" and isinstance(stats.get("ac_bonus"), int):
        added["base_ac"] = 10 - stats["ac_bonus"]
        notes.append("ac_bonus is taken off the wearer's armour class; base_ac is 10 - ac_bonus.")
    if stats.get("magic_cancellation"):
        notes.append("magic_cancellation is the item's own share of its wearer's MC.")
    penalty, unit = stats.get("spell_casting_penalty"), number(tables.source, [_PENALTY_UNIT])
    if penalty and isinstance(penalty, int) and isinstance(unit, int):
        added["spell_casting_penalty_percent"] = penalty * unit
        notes.append("spell_casting_penalty counts in steps; its percent is what spells lose in success.")
    return added | ({"notes": notes} if notes else {})
