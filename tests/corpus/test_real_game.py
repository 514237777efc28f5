"""The real games: counts, values equal to the compiled ones, functions that the objects have.

``GNOLLHACK_SOURCE`` and ``NETHACK_SOURCE`` name checkouts. NetHack's is downloaded where none is
named; without GnollHack's, the shipped small source alone stands for it.
"""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gnollbench.corpus.artifactstats import artifact_stats
from gnollbench.corpus.ctables import Tables
from gnollbench.corpus.gamedata import GameData
from gnollbench.corpus.itemstats import item_stats
from gnollbench.corpus.monsterstats import monster_stats
from gnollbench.corpus.source import Source
from gnollbench.corpus.sourcetext import read_tree
from gnollbench.records.canonical import hash_text
from tests.corpus import compiled, real

GNOLLHACK_AUGUST_2026 = "45e879ed5fec2ece"  # src/monst.c at 19a2dc7b, to which the figures below belong
SAMPLE = 3000  # values compared at a time, of some 91,000
NOT_THE_GAME = ("nle.c", "nlernd.c", "soundset.c", "vis_tab.c")  # nle's own; and what production leaves out
LEAST_RECALL = 0.999
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
ROLLS = {"damage": "ws", "damage_small": "ws", "damage_large": "wl", "extra_damage": "we"}
ITEM_TEXTS = {"name": "oc_name", "description": "oc_descr"}
GNOLLHACK_ITEM_TEXTS = ITEM_TEXTS | {
    "content_name": "oc_content_name",
    "content_description": "oc_content_description",
    "item_description": "oc_item_description",
}
MONSTER_TEXTS = ("mname", "mtitle", "mdescription", "mfemalename", "mcommonname")
NETHACK_ARTIFACT_FIELDS = {"worn_prop": "defn", "carried_prop": "cary"}
ARTIFACT_TEXTS = ("name", "desc", "hit_desc")


def test_gnollhack_counts() -> None:
    """R14: what the game's own makedefs counts; the constants are production's to the last name."""
    root = real.gnollhack()
    source = Source.open(root)
    game = GameData.open(source)
    assert not game.unresolved
    if hash_text(source.content("src/monst.c") or "") != GNOLLHACK_AUGUST_2026:
        pytest.skip("the figures belong to another revision")
    assert game.counts == {"monsters": 543, "objects": 971, "artifacts": 68}
    assert sum(entry["name"] is None for entry in game.tables["objects"]) == 23
    reserved = [entry for entry in game.tables["artifacts"] if "reserved" in entry["name"].lower()]
    assert len(reserved) == 8
    first_snapshot = [
        (path, content)
        for path, content in read_tree(root)
        if not path.startswith("win/") and path != "include/winprocs.h"
    ]
    assert Source.of(first_snapshot).counts["files"] == 226
    assert Source.of(first_snapshot).counts["constants"] == 13_716


@pytest.mark.timeout(600)
def test_nethack_counts() -> None:
    """R14: NetHack 3.6.7."""
    game = GameData.open(Source.open(real.nethack()))
    assert game.counts == {"monsters": 382, "objects": 454, "artifacts": 33}
    assert not game.unresolved


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("root_of", "fields", "texts", "artifacts"),
    [
        (lambda: real.STARTER, GNOLLHACK_ITEM_FIELDS, GNOLLHACK_ITEM_TEXTS, {}),
        (real.gnollhack, GNOLLHACK_ITEM_FIELDS, GNOLLHACK_ITEM_TEXTS, {}),
        (real.nethack, ITEM_FIELDS, ITEM_TEXTS, NETHACK_ARTIFACT_FIELDS),
    ],
    ids=["starter", "gnollhack", "nethack"],
)
def test_values_equal_the_compiled_ones(
    root_of: Callable[[], Path],
    fields: dict[str, str],
    texts: dict[str, str],
    artifacts: dict[str, str],
    tmp_path: Path,
) -> None:
    """R14: a sample of numbers, flags, texts and dice of all three tables, compiled as they are told."""
    compiled.needs_gcc()
    root = root_of()
    generated = compiled.generated_headers(root, tmp_path)
    tables = Tables(Source.open(root).content)
    claims = [
        *monster_claims([monster_stats(entry, tables) for entry in tables.monsters()], len(texts) > 2),
        *item_claims([item_stats(entry, tables) for entry in tables.objects()], fields, texts),
    ]
    if generated:
        claims += artifact_claims([artifact_stats(e, tables) for e in tables.artifacts()], artifacts)
    claims += [f"SAME({value}, {name})" for name, value in tables.source.enumerators.items()]
    sample = random.Random(7).sample(sorted(claims), min(SAMPLE, len(claims)))
    known = tables.source.enumerators
    assert compiled.false_claims(root, tmp_path, generated, sample, known) == []


@pytest.mark.timeout(900)
@pytest.mark.parametrize("root_of", [real.gnollhack, real.nethack])
def test_functions_are_those_of_the_objects(root_of: Callable[[], Path], tmp_path: Path) -> None:
    """R14: 99.9 % of the functions in the compiled objects are found in the file that they stand in."""
    compiled.needs_gcc()
    root = root_of()
    generated = compiled.generated_headers(root, tmp_path)
    if generated is None:
        pytest.skip("the source has no util/makedefs.c, which the game's headers are generated by")
    definitions = Source.open(root).definitions
    files = [path for path in (root / "src").glob("*.c") if path.name not in NOT_THE_GAME]
    truth = compiled.compiled_functions(root, tmp_path, generated, files)
    missed = [
        (path, name)
        for path, name in sorted(truth)
        if path not in {definition.path for definition in definitions.named(name, "function")}
    ]
    assert len(truth) > 3000
    assert len(missed) <= (1 - LEAST_RECALL) * len(truth), missed


def item_claims(items: list[dict[str, Any]], fields: dict[str, str], texts: dict[str, str]) -> Iterator[str]:
    """Yield what is told of every item as C expressions."""
    for at, item in enumerate(items):
        for name in fields.keys() & item.keys():
            yield f"SAME({expression(item[name])}, objects[{at}].{fields[name]})"
        for name, field in texts.items():
            yield f"same_text({text(item.get(name))}, obj_descr[{at}].{field})"
        for name in ROLLS.keys() & item.keys():
            dice, _, plus = str(item[name]).partition("+")
            count, _, sides = dice.partition("d")
            slot = f"objects[{at}].oc_{ROLLS[name]}"
            if "item_description" not in texts:  # NetHack has sides alone
                yield f"SAME({sides}, {slot}dam)"
            elif sides:
                yield f"SAME({count}, {slot}dice) && SAME({sides}, {slot}dam)"
                yield f"SAME({plus or 0}, {slot}dmgplus)"


def monster_claims(monsters: list[dict[str, Any]], all_texts: bool) -> Iterator[str]:
    """Yield what is told of every monster as C expressions."""
    for at, monster in enumerate(monsters):
        for name in MONSTER_TEXTS if all_texts else MONSTER_TEXTS[:1]:
            yield f"same_text({text(monster.get(name))}, mons[{at}].{name})"
        for name, value in monster.items():
            if name == "geno":
                yield f"SAME({expression([*value, monster['geno_frequency']])}, mons[{at}].geno)"
            elif name == "mattk":
                for place, attack in enumerate(value):
                    for field in attack.keys() - {"dice"}:
                        yield f"SAME({expression(attack[field])}, mons[{at}].mattk[{place}].{field})"
            elif name not in (*MONSTER_TEXTS, "geno_frequency"):
                yield f"SAME({expression(value)}, mons[{at}].{name})"


def artifact_claims(artifacts: list[dict[str, Any]], names: dict[str, str]) -> Iterator[str]:
    """Yield what is told of every artifact as C expressions; the first of the table is a dummy."""
    attacks = {"attk", *names}
    for at, artifact in enumerate(artifacts, 1):
        for name, value in artifact.items():
            field = f"artilist[{at}].{names.get(name, name)}"
            if name in attacks:
                yield f"!memcmp(&{field}, &(struct attack) {value}, sizeof (struct attack))"
            elif name not in ARTIFACT_TEXTS:
                yield f"SAME({expression(value)}, {field})"
        for name in ("name",) if names else ARTIFACT_TEXTS:
            yield f"same_text({text(artifact.get(name))}, artilist[{at}].{name})"


def expression(value: Any) -> str:
    """Write a told value as C: a number, a name, or names joined."""
    parts = value if isinstance(value, list) else [value]
    return " | ".join(f"({part})" for part in parts)


def text(value: str | None) -> str:
    """Write a told text as C."""
    return "(const char *) 0" if value is None else json.dumps(value, ensure_ascii=False)
