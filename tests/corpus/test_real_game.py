"""The real games: counts, and values equal to those that a C compiler gives.

``GNOLLHACK_SOURCE`` and ``NETHACK_SOURCE`` name the checkouts; without them, the shipped small
source alone is compiled. Without gcc nothing is.
"""

import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gnollbench.corpus.ctables import Tables
from gnollbench.corpus.ctokens import tokens
from gnollbench.corpus.gamedata import GameData
from gnollbench.corpus.itemstats import item_stats
from gnollbench.corpus.monsterstats import monster_stats
from gnollbench.corpus.source import Source
from gnollbench.corpus.sourcetext import read_tree
from gnollbench.records.canonical import hash_text

GNOLLHACK_AUGUST_2026 = "45e879ed5fec2ece"  # src/monst.c at 19a2dc7b, to which the figures below belong
SAMPLE = 3000  # values compared; the first version was compared whole, 91,024 values
ITEM_FIELDS = {  # fields of the answer by their names in struct objclass, of both games
    "object_class": "oc_class",
    "subtype": "oc_subtyp",
    "material": "oc_material",
    "charged": "oc_charged",
    "direction": "oc_dir",
    "color": "oc_color",
    "power": "oc_oprop",
    "probability": "oc_prob",
    "cost": "oc_cost",
    "weight": "oc_weight",
    "nutrition": "oc_nutrition",
    "delay": "oc_delay",
    "name_known": "oc_name_known",
    "mergeable": "oc_merge",
    "magic": "oc_magic",
    "unique": "oc_unique",
    "big": "oc_big",
    "tough": "oc_tough",
}
GNOLLHACK_ITEM_FIELDS = ITEM_FIELDS | {
    "skill": "oc_skill",
    "enchantable": "oc_enchantable",
    "attack_flags": "oc_aflags",
    "flags": "oc_flags",
    "flags4": "oc_flags4",
    "ac_bonus": "oc_oc1",
    "magic_cancellation": "oc_oc2",
    "spell_casting_penalty": "oc_oc7",
    "spell_level": "oc_oc2",
    "spell_mana_cost": "oc_oc3",
    "zap_range": "oc_oc5",
    "edible_effect": "oc_oc2",
}
MONSTER_TEXTS = ("mname", "mtitle", "mdescription", "mfemalename", "mcommonname")


def checkout(variable: str) -> Path:
    """Return the checkout that a variable names; the shipped small source for an empty name."""
    if not variable:
        return Path(__file__).parents[2] / "gnollbench" / "corpus" / "starter" / "source"
    root = Path(os.environ.get(variable, ""))
    if not os.environ.get(variable) or not (root / "src" / "monst.c").is_file():
        pytest.skip(f"{variable} names no checkout")
    return root


def test_gnollhack_counts() -> None:
    """R14: what each game's own makedefs counts; the constants are production's to the last name."""
    root = checkout("GNOLLHACK_SOURCE")
    source = Source.open(root)
    assert not GameData.open(source).unresolved
    if hash_text(source.content("src/monst.c") or "") != GNOLLHACK_AUGUST_2026:
        pytest.skip("the figures belong to another revision")
    game = GameData.open(source)
    assert game.counts == {"monsters": 543, "objects": 971, "artifacts": 68}
    assert sum(entry["name"] is None for entry in game.tables["objects"]) == 23
    first_snapshot = [
        (path, content)
        for path, content in read_tree(root)
        if not path.startswith("win/") and path != "include/winprocs.h"
    ]
    assert Source.of(first_snapshot).counts["files"] == 226
    assert Source.of(first_snapshot).counts["constants"] == 13_716


def test_nethack_counts() -> None:
    """R14: NetHack 3.6.7."""
    game = GameData.open(Source.open(checkout("NETHACK_SOURCE")))
    assert game.counts == {"monsters": 382, "objects": 454, "artifacts": 33}
    assert not game.unresolved


@pytest.mark.parametrize(
    ("variable", "fields"),
    [
        ("", GNOLLHACK_ITEM_FIELDS),
        ("GNOLLHACK_SOURCE", GNOLLHACK_ITEM_FIELDS),
        ("NETHACK_SOURCE", ITEM_FIELDS),
    ],
)
def test_values_equal_the_compiled_ones(variable: str, fields: dict[str, str], tmp_path: Path) -> None:
    """R14: a sample of fields, texts and enumerators, each said by the compiled tables themselves."""
    root = checkout(variable)
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    tables = Tables(Source.open(root).content)
    monsters = [monster_stats(entry, tables) for entry in tables.monsters()]
    items = [item_stats(entry, tables) for entry in tables.objects()]
    told = [
        *monster_values(monsters),
        *item_values(items, fields),
        *tables.source.enumerators.items(),
    ]
    told = random.Random(7).sample(sorted(told, key=str), min(SAMPLE, len(told)))
    compiled = said_by_the_compiler(root, tmp_path, [expression for expression, _ in told])
    wrong = [
        (expression, value, said)
        for (expression, value), said in zip(told, compiled, strict=True)
        if not same(number(tables, value), said)
    ]
    assert wrong == []


def item_values(items: list[dict[str, Any]], fields: dict[str, str]) -> Iterator[tuple[str, Any]]:
    """Yield the numbers of every item as a C expression and the value that is told."""
    for at, item in enumerate(items):
        for name in fields.keys() & item.keys():
            yield f"objects[{at}].{fields[name]}", item[name]


def monster_values(monsters: list[dict[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield every number of every monster as a C expression and the value that is told."""
    for at, monster in enumerate(monsters):
        for name, value in monster.items():
            if name == "geno":
                yield f"mons[{at}].geno", [*value, monster["geno_frequency"]]
            elif name == "mattk":
                for place, attack in enumerate(value):
                    for field in attack.keys() - {"dice"}:
                        yield f"mons[{at}].mattk[{place}].{field}", attack[field]
            elif name not in (*MONSTER_TEXTS, "geno_frequency"):
                yield f"mons[{at}].{name}", value


def number(tables: Tables, value: Any) -> int:
    if isinstance(value, list):
        total = 0
        for part in value:
            total |= number(tables, part)
        return total
    return value if isinstance(value, int) else tables.source.value(tokens(value))


def same(told: int, compiled: int) -> bool:
    """Tell whether two numbers are equal, or equal in the width of the field that holds them."""
    return told == compiled or any(
        (told - compiled) % (1 << bits) == 0 and told < 0 for bits in (8, 16, 32, 64)
    )


def said_by_the_compiler(root: Path, folder: Path, expressions: list[str]) -> list[int]:
    """Compile the tables with a program that prints the expressions, and run it."""
    headers = dict.fromkeys(
        header
        for table in ("monst.c", "objects.c")
        for header in re.findall(
            r'^#include "(\w+\.h)"', (root / "src" / table).read_text("utf-8"), re.MULTILINE
        )
    )
    program = [
        "#include <stdio.h>",
        "struct monst { struct monst *dummy; };",
        *(f'#include "{header}"' for header in headers),
        "extern struct permonst mons[]; extern struct objclass objects[];",
        "int main(void) {",
        *(f'printf("%lld\\n", (long long) ({expression}));' for expression in expressions),
        "return 0; }",
    ]
    (folder / "main.c").write_text("\n".join(program), "utf-8")
    places = [f"-I{root / 'include'}", f"-I{root / 'src'}"]
    tables = [str(root / "src" / table) for table in ("monst.c", "objects.c")]
    subprocess.run(["gcc", "-w", *places, "main.c", *tables, "-o", "main"], cwd=folder, check=True)
    printed = subprocess.run([str(folder / "main")], capture_output=True, text=True, check=True).stdout
    return [int(line) for line in printed.split()]
