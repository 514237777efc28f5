"""The embedded starter corpus: complete, linked, in its own words, and odd where real corpora are (R14)."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

STARTER = Path(__file__).parents[2] / "gnollbench" / "corpus" / "starter"
REAL_WIKI = Path(__file__).parents[3] / "shared" / "corpus" / "gnollhack-wiki"
SOURCE = STARTER / "source"
LONG_SENTENCE = 60  # characters; shorter ones may agree by chance, infobox lines by necessity
OBJECT_NAMES = (  # object types that the sources name, beside those with a class prefix
    "BAG_OF_HOLDING BATTLE_AXE BROADSWORD ELVEN_BROADSWORD HEAVY_WAR_HAMMER LONG_SWORD LUCKSTONE "
    "RUNESWORD SILVER_SABER STRANGE_OBJECT WAR_HAMMER ART_EXCALIBUR"
)


def pages(corpus: str) -> dict[str, str]:
    root = STARTER / corpus
    return {
        file.relative_to(root).with_suffix("").as_posix(): file.read_text("utf-8")
        for file in root.rglob("*.md")
    }


def source(path: str) -> str:
    return (SOURCE / path).read_text("utf-8")


def front_matter(text: str) -> tuple[dict[str, str], str]:
    head, body = re.fullmatch(r"---\n(.*?)\n---\n\n(.*)", text, re.S).groups()
    return {key: value.strip('"') for key, value in re.findall(r"^(\w+): (.+)$", head, re.M)}, body


def sentences(text: str) -> set[str]:
    return {" ".join(part.split()) for part in re.split(r"[.!?:|]\s|\n", text)}


def test_every_corpus_has_its_pages() -> None:
    """The counts that the starter's README gives."""
    counts = [len(pages(corpus)) for corpus in ("wiki", "nethack_wiki", "knowledge")]
    readme = (STARTER / "README.md").read_text("utf-8")
    assert counts == [70, 10, 8]
    assert [int(count) for count in re.findall(r"\| (\d+) ", readme)] == counts
    assert len(list((SOURCE / "src").glob("*.c"))) >= 20


def test_every_wiki_link_leads_to_a_page() -> None:
    """`[[Alias|/Dir/Page]]`, alias first, to a page of this corpus."""
    wiki = pages("wiki")
    links = [link for text in wiki.values() for link in re.findall(r"\[\[(.*?)\]\]", text)]
    assert len(links) > 100
    assert [link for link in links if link.rpartition("|/")[2] not in wiki or "|/" not in link] == []


def test_wiki_pages_have_the_wiki_s_shape() -> None:
    """No front matter, headings from the second level on."""
    for name, text in pages("wiki").items():
        assert not text.startswith("---"), name
        assert not re.search(r"^# ", text, re.M), name
        assert text.startswith(("## ", "> ")), name


@pytest.mark.skipif(not REAL_WIKI.is_dir(), reason="the real wiki is not here")
def test_no_text_is_taken_from_the_real_wiki() -> None:
    """The real wiki's licence forbids copies: no equal page, no long sentence in common."""
    real = [file.read_text("utf-8", errors="replace") for file in REAL_WIKI.rglob("*.md")]
    taken = {sentence for text in real for sentence in sentences(text) if len(sentence) > LONG_SENTENCE}
    assert len(taken) > 5000
    for name, text in (pages("wiki") | pages("knowledge")).items():
        assert text not in real, name
        assert sentences(text) & taken == set(), name


def test_knowledge_articles_have_title_and_summary() -> None:
    """Topic keys are snake_case; title and summary are one line each."""
    for name, text in pages("knowledge").items():
        attributes, body = front_matter(text)
        assert re.fullmatch(r"[a-z_]+", name)
        assert set(attributes) == {"title", "summary"}
        assert len(body) > 200


def test_nethack_pages_are_as_the_converter_writes_them() -> None:
    """Title, namespace and summary first; the summary is the text's first sentence; `#` headings."""
    found = {name: front_matter(text) for name, text in pages("nethack_wiki").items()}
    for name, (attributes, body) in found.items():
        assert set(attributes) == {"title", "namespace", "summary"}
        assert re.sub(r"[/\\:]", "__", attributes["title"]) == name
        assert attributes["summary"] in body
        assert re.search(r"^# ", body, re.M)
    assert {attributes["namespace"] for attributes, _ in found.values()} == {"article", "source", "category"}
    assert sum("--- Monster Stats ---\nName: " in body for _, body in found.values()) == 1


def test_wiki_oddities() -> None:
    """Twins, emoji headings, a long page: what the view and search tools must cope with."""
    wiki = pages("wiki")
    titles = Counter(name.rpartition("/")[2] for name in wiki)
    assert [title for title, count in titles.items() if count > 1] == ["Gnoll"]
    assert {"Monsters/Gnoll", "Races/Gnoll"} <= set(wiki)
    assert any(re.search(r"^#+ [^\w\s(*\"'-]", text, re.M) for text in wiki.values())
    guide = wiki["Starting Guide for NetHack Veterans"]
    assert len(guide) > 10_000
    assert len(re.findall(r"^##+ ", guide, re.M)) > 40


def test_the_wand_of_cold_contradicts_itself_in_the_wiki_only() -> None:
    """The suite asks for it: 8d6 by item page and table, 12d6 by the veterans' guide."""
    wiki = pages("wiki")
    assert "**Wand effect damage:** 8d6" in wiki["Items/Wand of cold"]
    assert [name for name, text in wiki.items() if "12d6" in text] == ["Starting Guide for NetHack Veterans"]
    entry = " ".join(re.search(r'^WAND\("cold",.*?\),$', source("src/objects.c"), re.M | re.S)[0].split())
    assert "RAY, RAY_WND_COLD, 12, 0, 8, 6, 0," in entry


def test_table_oddities() -> None:
    """What a parser of the real tables stumbles over is here as well."""
    monsters, objects, artifacts = (
        source("src/monst.c"),
        source("src/objects.c"),
        source("include/artilist.h"),
    )
    assert len(re.findall(r'^ +(?:GENERAL_|ENLARGED_|ANIMATED_)?MON\("\w', monsters, re.M)) == 29
    assert re.search(r'MON\("Tarrasque", "[^"]+", "[^"]+, [^"]+"', monsters)
    assert monsters.count('MON("werewolf"') == 2
    assert 'GENERAL_MON("kitten"' in monsters
    for name, macros in {
        "light": {"SCROLL", "SPELL", "WAND"},
        "sleep": {"SPELL", "WAND"},
        "healing": {"POTION", "SPELL"},
    }.items():
        assert set(re.findall(rf'^([A-Z]+)\("{name}",', objects, re.M)) == macros
    assert re.search(r'#if 0 [^\n]*\nRING\("conflict",', objects)
    assert len(re.findall(r'^ +A\("\w', artifacts, re.M)) == 8
    assert re.search(r'A\("The Heart of Ahriman",[^;]*?/\* .*? \*/\n +1, 5, 0, PHYS', artifacts)


def test_code_oddities() -> None:
    """What the index of constants and definitions must get right or knowingly miss."""
    assert re.search(r"^enum obj_class_types\n\{", source("include/objclass.h"), re.M)
    assert re.search(r"^#define SHARPNESS_DIE_ROLL_CHANCE \(.*/.*\)$", source("include/hack.h"), re.M)
    assert re.search(r"^\} align;", source("include/align.h"), re.M)
    assert re.search(r"^#if 0.*?\nleather_cover\(.*?^#endif", source("src/eat.c"), re.M | re.S)
    assert re.search(r"^exercise\(.*?\n\{\n#if 0", source("src/attrib.c"), re.M)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two headers that the game's own tools would write from the tables."""
    folder = tmp_path_factory.mktemp("generated")
    text = "".join(file.read_text("utf-8") for file in sorted(SOURCE.rglob("*.[ch]")))
    kinds = set(re.findall(r"\bPM_[A-Z_]+", text))
    things = set(re.findall(r"\b(?:SCR|RIN)_[A-Z_]+", text)) | set(OBJECT_NAMES.split())
    for header, names in (("pm.h", kinds), ("onames.h", things)):
        (folder / header).write_text(f"enum {{ {', '.join(sorted(names))} }};\n", "utf-8")
    return folder


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")
def test_the_miniature_source_is_valid_c(generated: Path) -> None:
    """Every file compiles, so that tables have the arity that their macros ask for."""
    files = sorted(str(file) for file in (SOURCE / "src").glob("*.c"))
    command = ["gcc", "-std=gnu11", "-Wall", "-Werror", "-fsyntax-only"]
    include = ["-I", str(SOURCE / "include"), "-I", str(generated), "-I", str(SOURCE / "src")]
    result = subprocess.run([*command, *include, *files], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler")
def test_experience_is_what_the_page_says(generated: Path, tmp_path: Path) -> None:
    """The wiki's table and the source's function give the same thresholds (facts 1 and 9)."""
    program = tmp_path / "levels.c"
    program.write_text(
        f'#include <stdio.h>\n#include "{SOURCE}/src/exper.c"\nstruct context_info context; struct you u;\n'
        'int main(void) { for (int i = 1; i < MAXULEV; i++) printf("%d %ld\\n", i + 1, (long) newuexp(i)); }\n',
        "utf-8",
    )
    include = ["-I", str(SOURCE / "include"), "-I", str(generated)]
    subprocess.run(["gcc", *include, str(program), "-o", str(tmp_path / "levels")], check=True)
    output = subprocess.run([tmp_path / "levels"], capture_output=True, text=True, check=True).stdout
    computed = {int(level): int(points) for level, points in re.findall(r"(\d+) (\d+)", output)}
    page = pages("wiki")["Experience Level"]
    rows = re.findall(r"^\| (\d+) \| ([\d,]+) \| (\d+) \| ([\d,]+) \|$", page, re.M)
    told = {int(level): int(points.replace(",", "")) for row in rows for level, points in (row[:2], row[2:])}
    assert len(told) == 12
    assert told == {level: computed[level] for level in told}
    assert computed[30] == 204_000
    assert max(computed) == 50
