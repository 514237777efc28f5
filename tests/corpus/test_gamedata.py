"""What the stats tools answer, over tables in miniature."""

import json
from pathlib import Path
from typing import Any

import pytest

from gnollbench.corpus.failure import ToolFailure
from gnollbench.corpus.gamedata import MAX_CHARACTERS, GameData, read_tables
from gnollbench.corpus.source import Source

GAME = Path(__file__).parents[1] / "fixtures" / "source" / "game"
FLAGS = {"M1_FLY": "can fly", "ad_phys": "physical damage"}


@pytest.fixture(scope="module")
def game() -> GameData:
    return GameData.open(Source.open(GAME), FLAGS)


def read(answer: str) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(answer)
    assert answer == json.dumps(parsed, indent=2, ensure_ascii=False)
    return parsed


def test_counts_and_unresolved(game: GameData) -> None:
    """R14: every entry counts; those that could not be told are listed with the reason."""
    assert game.counts == {"monsters": 7, "objects": 6, "artifacts": 1}
    assert game.unresolved == [
        ("monsters: broken (line 32)", "MON takes 14 arguments, 3 are given"),
        ("monsters: stranger (line 33)", "UNKNOWN_MON is no macro that is defined there"),
    ]


def test_tables_are_plain_json(game: GameData) -> None:
    """R14: a caller may keep them and open them again."""
    kept = json.loads(json.dumps(read_tables(Source.open(GAME))))
    assert kept == game.tables
    assert GameData.of(kept, FLAGS).monster("cub") == game.monster("cub")


def test_nothing_is_read_before_use() -> None:
    """R14: opening is free."""

    def fail() -> Any:
        raise AssertionError("read too early")

    GameData(fail)


class TestMonsters:
    def test_fields(self, game: GameData) -> None:
        """R14: a comma in a text or a comment shifts nothing; numbers are numbers, flags are lists."""
        assert read(game.monster("Thorn Beast"))["stats"] == {
            "mname": "thorn beast",
            "mtitle": "Terror, of the Hills",
            "mdescription": "a beast, large (and slow)",
            "mlet": "'q'",
            "mlevel": "STR18(2)",
            "mmove": 6,
            "ac": -3,
            "mr": 0,
            "maligntyp": 0,
            "geno": ["G_GENO", "G_NOGEN"],
            "geno_frequency": 3,
            "mattk": [
                {"aatyp": "AT_BITE", "adtyp": "AD_PHYS", "damn": 2, "damd": 4, "aflags": 0, "dice": "2d4"}
            ],
            "cwt": "BIG_WEIGHT",
            "msize": "SZ_SMALL",
            "mresists": 0,
            "mconveys": 0,
            "mflags1": ["M1_FLY", "M1_SWIM"],
            "mflags2": "M2_NONE",
            "difficulty": 5,
            "mcolor": "HI_PET",
        }

    def test_general_macro_and_single_flag(self, game: GameData) -> None:
        """R14: null texts are left out; a single flag is a text, parentheses or none."""
        stats = read(game.monster("cub"))["stats"]
        assert "mtitle" not in stats
        assert stats["mflags1"] == "M1_FLY"
        assert stats["geno"] == ["G_GENO"]
        assert stats["geno_frequency"] == 0

    def test_attacks_behind_a_macro(self, game: GameData) -> None:
        """R14: an attack without dice has none."""
        attacks = read(game.monster("tempter"))["stats"]["mattk"]
        assert [attack.get("dice") for attack in attacks] == ["1d3", None]

    def test_keys_and_descriptions(self, game: GameData) -> None:
        """R14: the order of keys; constants with their description, or their own name."""
        answer = read(game.monster("thorn beast"))
        assert list(answer) == ["stats", "flag_descriptions", "macro_definitions", "struct_definitions"]
        described = answer["flag_descriptions"]
        assert described["M1_FLY"] == "can fly"
        assert described["AD_PHYS"] == "physical damage"
        assert described["M1_SWIM"] == "M1_SWIM"
        assert "beast" not in described

    def test_the_first_of_a_name_wins(self, game: GameData) -> None:
        """R14: and says so."""
        answer = read(game.monster("twin"))
        assert answer["stats"]["difficulty"] == 1
        assert answer["stats"]["mdescription"] == 'one of two, "paired"'
        assert "first of 2 entries" in answer["message"]

    def test_an_unresolved_entry_is_shown_raw(self, game: GameData) -> None:
        """R14: with the reason."""
        answer = read(game.monster("broken"))
        assert "stats" not in answer
        assert answer["raw_definition"] == 'MON("broken", None, "too few arguments")'
        assert "3 are given" in answer["message"]

    def test_a_miss_is_an_answer(self, game: GameData) -> None:
        """R14: an error key, not a failure; an entry in dead code is a miss."""
        for name in ("dragon", "phantom"):
            answer = read(game.monster(name))
            assert "monster_lookup" in answer["error"]
            assert "stats" not in answer

    def test_a_missing_name_fails(self, game: GameData) -> None:
        """R14: missing arguments are failures."""
        for ask in (game.monster, game.item, game.artifact):
            with pytest.raises(ToolFailure):
                ask(" ")


class TestItems:
    def test_class_is_chosen(self, game: GameData) -> None:
        """R14: the first of a name, or the one of the class; the others are named."""
        first = read(game.item("light"))["stats"]
        assert first["object_class"] == "WEAPON_CLASS"
        assert first["ambiguous_object_classes"] == ["SPBOOK_CLASS", "WEAPON_CLASS"]
        assert "object_class" in first["notes"][-1]
        book = read(game.item("light", "spbook_class"))["stats"]
        assert book["object_class"] == "SPBOOK_CLASS"
        assert "SPBOOK_CLASS, WEAPON_CLASS" in read(game.item("light", "RING_CLASS"))["error"]

    def test_weapon(self, game: GameData) -> None:
        """R14: dice, flags of the wrappers, abbreviations of the file written out."""
        stats = read(game.item("light"))["stats"]
        assert stats["damage_small"] == "1d8+1"
        assert stats["direction"] == ["PIERCE", "SLASH"]
        assert stats["flags4"] == ["O4_SHIP", "O4_FLOOR"]

    def test_armour(self, game: GameData) -> None:
        """R14: 10 - 3 is the bonus; a step of penalty is 30 per cent; texts are joined."""
        answer = read(game.item("plate"))
        stats = answer["stats"]
        assert (stats["ac_bonus"], stats["base_ac"], stats["magic_cancellation"]) == (7, 3, 2)
        assert (stats["spell_casting_penalty"], stats["spell_casting_penalty_percent"]) == (10, 300)
        assert stats["description"] == "shining, bright"
        assert stats["item_description"] == "worn by 20 knights"
        assert answer["raw_definition"] == 'ARMOR("plate", "shining, bright", 3, 2, 10)'
        assert "class" in answer["message"]

    def test_spellbook(self, game: GameData) -> None:
        """R14: slots by what they mean for the class; a computed price."""
        stats = read(game.item("storm"))["stats"]
        assert stats["cost"] == (4 + 2) * 10 + 5
        assert (stats["spell_level"], stats["spell_mana_cost"], stats["damage"]) == (4, 20, "2d6")
        assert "ac_bonus" not in stats

    def test_a_full_name_is_a_miss_with_a_hint(self, game: GameData) -> None:
        """R14: names are bare ones, as in production."""
        assert "try 'light'" in read(game.item("spellbook of light"))["error"]


def test_artifacts(game: GameData) -> None:
    """R14: parentheses and comments go, the attack stays as written."""
    assert read(game.artifact("brightblade"))["stats"] == {
        "name": "Brightblade",
        "otyp": "LONG_SWORD",
        "aflags": ["M1_FLY", "M1_SWIM"],
        "spfx": "M1_FLY",
        "tohit_dice": 1,
        "attk": "PHYS(1, 10)",
        "cost": 4000,
    }
    assert "wiki_search" in read(game.artifact("Dullblade"))["error"]


def test_long_answers_lose_their_descriptions_and_longer_ones_fail() -> None:
    """R14: over 9,900 characters without descriptions, over 10,000 a failure."""
    entry = {
        "name": "x",
        "line": 1,
        "raw": " ".join(f"FLAG_{number}" for number in range(200)),
        "stats": {"a": 1},
    }
    tables = {"monsters": [entry], "objects": [], "artifacts": []}
    flags = {f"FLAG_{number}": "long " * 20 for number in range(200)}
    shortened = GameData.of(tables, flags).monster("x")
    assert read(shortened)["flag_descriptions"] == {}
    assert "left out" in read(shortened)["message"]
    assert len(shortened) < MAX_CHARACTERS
    entry["stats"] = {"a": "x" * 11_000}
    with pytest.raises(ToolFailure):
        GameData.of(tables, flags).monster("x")
