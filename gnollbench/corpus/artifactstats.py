"""An artifact's entry as the stats tool tells it."""

from typing import Any

from gnollbench.corpus.ctables import Entry, Tables
from gnollbench.corpus.gamefields import flags, plain, strings

_TEXTS = {"nam": "name", "desc": "desc", "hit_desc": "hit_desc"}  # parameter of the macro: field
_FIELDS = {
    "typ": "otyp",
    "masktyp": "maskotyp",
    "material": "material",
    "exceptionality": "exceptionality",
    "mythic_prefix": "mythic_prefix",
    "mythic_suffix": "mythic_suffix",
    "aflags": "aflags",
    "aflags2": "aflags2",
    "spfx": "spfx",
    "cspfx": "cspfx",
    "s1": "spfx",  # NetHack's names of the two above
    "s2": "cspfx",
    "mt": "mtype",
    "tohitdice": "tohit_dice",
    "tohitsize": "tohit_diesize",
    "tohitplus": "tohit_plus",
    "atk": "attk",
    "dfn": "worn_prop",
    "cry": "carried_prop",
    "inv": "inv_prop",
    "inv_dur_dice": "inv_duration_dice",
    "inv_dur_diesize": "inv_duration_diesize",
    "inv_dur_plus": "inv_duration_plus",
    "manacost": "inv_mana_cost",
    "repower": "repower_time",
    "al": "alignment",
    "cl": "role",
    "rac": "race",
    "cost": "cost",
    "glowclr": "acolor",
    "clr": "acolor",
    "objclr": "ocolor",
    "height": "tile_floor_height",
    "soundset": "soundset",
    "stand_anim": "stand_animation",
    "enlarge": "enlargement",
    "replacement": "replacement",
}
_FLAGS = frozenset(("aflags", "aflags2", "spfx", "cspfx", "mtype"))


def artifact_stats(entry: Entry, tables: Tables) -> dict[str, Any]:
    """Return an artifact's fields by name, in the order of the table."""
    given = entry.fields
    stats: dict[str, Any] = strings(tables, given, _TEXTS)
    for param, field in _FIELDS.items():
        if param in given:
            stats[field] = flags(given[param]) if field in _FLAGS else plain(given[param])
    return stats
