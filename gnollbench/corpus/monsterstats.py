"""A monster's entry as the stats tool tells it."""

from typing import Any

from gnollbench.corpus.cpreprocessor import Preprocessor
from gnollbench.corpus.ctables import Entry, Tables
from gnollbench.corpus.ctokens import Unresolved, alternatives, arguments, bare, called
from gnollbench.corpus.gamefields import Plain, flags, nested, plain, strings

_TEXTS = {  # parameter of the macro: field of the struct
    "nam": "mname",
    "title": "mtitle",
    "desc": "mdescription",
    "femalename": "mfemalename",
    "commonname": "mcommonname",
}
_VALUES = {
    "sym": "mlet",
    "lvl": "mlevel",
    "mov": "mmove",
    "ac": "ac",
    "mc": "mc",
    "mr": "mr",
    "aln": "maligntyp",
}
_BODY = {
    "wt": "cwt",
    "nut": "cnutrit",
    "snd": "msound",
    "siz": "msize",
    "heads": "heads",
    "lightrange": "lightrange",
    "body_material": "body_material_type",
    **{ability: ability for ability in ("str", "dex", "con", "intl", "wis", "cha")},
}
_FLAGS = {
    "mr1": "mresists",
    "mr2": "mresists2",
    "mc1": "mconveys",
    **{f"flg{number}": f"mflags{number}" for number in range(1, 9)},
}
_CLOSING = {"d": "difficulty", "col": "mcolor"}
_ATTACK = {
    "at": "aatyp",
    "ad": "adtyp",
    "n": "damn",
    "d": "damd",
    "p": "damp",
    "adj": "mcadj",
    "mlvl": "mlevel",
    "range": "range",
    "aflags": "aflags",
    "atile": "action_tile",
}
_NO_ATTACK = ["NO_ATTK"]


def monster_stats(entry: Entry, tables: Tables) -> dict[str, Any]:
    """Return a monster's fields by their names in the struct, in its order.

    Raises
    ------
    Unresolved
        If the attacks do not have the shape that they have elsewhere.
    """
    given = entry.fields
    stats: dict[str, Any] = strings(tables, given, _TEXTS)
    stats |= {field: plain(given[param]) for param, field in _VALUES.items() if param in given}
    stats |= _generation(given["gen"])
    stats["mattk"] = _attacks(given["atk"], tables.source)
    stats |= {field: plain(given[param]) for param, field in _BODY.items() if param in given}
    flag_fields = _FLAGS if "mc1" in given else _FLAGS | {"mr2": "mconveys"}  # NetHack has no second set
    stats |= {field: flags(given[param]) for param, field in flag_fields.items() if param in given}
    return stats | {field: plain(given[param]) for param, field in _CLOSING.items() if param in given}


def _generation(code: list[str]) -> dict[str, Any]:
    parts = [plain(part) for part in alternatives(code)]
    frequency: list[Plain] = [part for part in parts if isinstance(part, int)]
    return {
        "geno": [part for part in parts if isinstance(part, str)],
        "geno_frequency": frequency[0] if frequency else 0,
    }


def _attacks(code: list[str], source: Preprocessor) -> list[dict[str, Any]]:
    code = bare(code)
    if len(code) == 1 and code[0] in source.macros:  # a macro that stands for all of them
        code = source.macros[code[0]].body
    if called(code) is None:
        raise Unresolved("the attacks are no call")
    given = [attack for attack in arguments(code, 1)[0] if attack != _NO_ATTACK]
    return [_attack(attack, source) for attack in given]


def _attack(code: list[str], source: Preprocessor) -> dict[str, Any]:
    given = nested(source, code)
    if given is None:
        raise Unresolved(f"the attack {' '.join(code)} is no call of a macro")
    attack: dict[str, Any] = {
        field: flags(given[param]) for param, field in _ATTACK.items() if param in given
    }
    if isinstance(attack["damn"], int) and attack["damn"] > 0:
        attack["dice"] = f"{attack['damn']}d{attack['damd']}"
    return attack
