"""Where corpora lie, what refuses a launch, and what their revisions follow."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gnollbench.corpus.library import Library
from gnollbench.corpus.places import Place, checkout_of, is_url, synchronise
from gnollbench.errors import Refusal
from gnollbench.records.launch import CorpusConfig

FIXTURES = Path(__file__).parents[1] / "fixtures"
NAMES = ("wiki", "nethack_wiki", "knowledge", "source")


def config(cache: Path, **locations: str) -> CorpusConfig:
    """The fixture corpora, some of them elsewhere."""
    places = {name: str(FIXTURES / name) for name in NAMES} | locations
    return CorpusConfig(**places, cache=str(cache))  # pyright: ignore[reportArgumentType]


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org"]
    done = subprocess.run(
        ["git", *identity, "-C", str(folder), *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A work tree with one commit of two pages; its path has a blank and an @ in it."""
    root = tmp_path / "my wiki@home"
    (root / "Monsters").mkdir(parents=True)
    (root / "Monsters" / "Orc.md").write_text("An orc.", "utf-8")
    (root / "Home.md").write_text("Home.", "utf-8")
    (root / "Leak.md").symlink_to("/etc/hostname")
    (root / "picture.bin").write_bytes(b"\0")
    git(tmp_path, "init", "-q", str(root))
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "pages")
    git(root, "config", "uploadpack.allowFilter", "true")
    return root


def test_a_folder_has_the_revision_of_its_contents(tmp_path: Path) -> None:
    """R45: what is no checkout is known by a hash; opening it twice gives the same."""
    first, second = Library.open(config(tmp_path)), Library.open(config(tmp_path))
    assert first.revisions == second.revisions
    assert set(first.revisions) == set(NAMES)
    assert all(len(revision) == 16 for revision in first.revisions.values())


def test_a_changed_source_file_is_another_revision(tmp_path: Path) -> None:
    """R45: the source's hash follows what the tools read, and only that."""
    source = tmp_path / "game"
    (source / "src").mkdir(parents=True)
    (source / "src" / "a.c").write_text("int a;\n", "utf-8")
    first = Library.open(config(tmp_path, source=str(source))).revisions["source"]
    (source / "src" / "notes.md").write_text("not indexed", "utf-8")
    assert Library.open(config(tmp_path, source=str(source))).revisions["source"] == first
    (source / "src" / "a.c").write_text("int b;\n", "utf-8")
    assert Library.open(config(tmp_path, source=str(source))).revisions["source"] != first


def test_a_clean_checkout_has_its_commit(tmp_path: Path, repository: Path) -> None:
    """R45: HEAD where every page is tracked and unmodified; an edit or an untracked page makes a hash."""
    opened = config(tmp_path, wiki=str(repository))
    head = git(repository, "rev-parse", "HEAD")
    assert Library.open(opened).revisions["wiki"] == head
    (repository / "picture.bin").write_bytes(b"\1")  # no page: changes nothing
    assert Library.open(opened).revisions["wiki"] == head
    (repository / "New.md").write_text("new", "utf-8")
    assert len(Library.open(opened).revisions["wiki"]) == 16
    (repository / "New.md").unlink()
    (repository / "Home.md").write_text("Edited.", "utf-8")
    assert len(Library.open(opened).revisions["wiki"]) == 16


def test_a_named_commit_is_read_as_it_was(tmp_path: Path, repository: Path) -> None:
    """R45: path@commit pins a corpus, whatever the work tree holds now; links are left out."""
    head = git(repository, "rev-parse", "HEAD")
    (repository / "Home.md").write_text("Edited.", "utf-8")
    library = Library.open(config(tmp_path, wiki=f"{repository}@{head[:10]}"))
    assert library.revisions["wiki"] == head
    assert {page.path: page.text for page in library.wiki.pages.pages} == {
        "Home.md": "Home.",
        "Monsters/Orc.md": "An orc.",
    }


def test_a_bare_repository_is_read_at_its_head(tmp_path: Path, repository: Path) -> None:
    """R45: a mirror without a work tree will do; it is written out once."""
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(repository), str(bare))
    library = Library.open(config(tmp_path, wiki=str(bare)))
    head = git(repository, "rev-parse", "HEAD")
    assert library.revisions["wiki"] == head
    written = tmp_path / "trees" / f"wiki-{head}"
    assert sorted(path.name for path in written.rglob("*.md")) == ["Home.md", "Orc.md"]
    assert not list(written.parent.glob(".draft-*"))
    assert Library.open(config(tmp_path, wiki=str(bare))).revisions["wiki"] == head


def test_a_partial_copy_refuses(tmp_path: Path, repository: Path) -> None:
    """R3: a corpus that lacks a page is not read as if it were whole, and leaves no half folder."""
    bare = tmp_path / "bare.git"
    git(
        tmp_path,
        "clone",
        "-q",
        "--bare",
        "--no-local",
        "--filter=blob:none",
        f"file://{repository}",
        str(bare),
    )
    git(bare, "remote", "remove", "origin")
    with pytest.raises(Refusal, match="lacks Home"):
        Library.open(config(tmp_path, wiki=str(bare)))
    assert not list((tmp_path / "trees").iterdir())


def test_a_url_needs_its_checkout(tmp_path: Path, repository: Path) -> None:
    """R3: a corpus that was never fetched refuses the launch and names the command that fetches it."""
    git(tmp_path, "clone", "-q", "--bare", str(repository), "far wiki.git")
    url = f"file://{tmp_path}/far wiki.git"
    with pytest.raises(Refusal, match="gnollbench corpus sync"):
        Library.open(config(tmp_path, wiki=url))
    first = git(repository, "rev-parse", "HEAD")
    assert synchronise(url, tmp_path) == Place(checkout_of(url, tmp_path), first)
    assert Library.open(config(tmp_path, wiki=url)).revisions["wiki"] == first
    (repository / "Home.md").write_text("Newer.", "utf-8")
    git(repository, "commit", "-q", "-a", "-m", "newer")
    git(repository, "push", "-q", str(tmp_path / "far wiki.git"), "HEAD")
    synchronise(url, tmp_path)
    second = git(repository, "rev-parse", "HEAD")
    assert Library.open(config(tmp_path, wiki=url)).revisions["wiki"] == second
    assert Library.open(config(tmp_path, wiki=f"{url}@{first}")).revisions["wiki"] == first


@pytest.mark.parametrize(
    ("location", "name"),
    [
        ("https://example.org/owner/GnollHackWiki.git", "GnollHackWiki"),
        ("https://user@example.org/owner/Wiki/@abc123", "Wiki"),
        ("git@example.org:owner/Wiki.git", "Wiki"),
        ("git@example.org:Wiki", "Wiki"),
    ],
)
def test_urls_have_a_checkout_by_name(location: str, name: str) -> None:
    """R11: a URL's checkout lies under the cache by the repository's name."""
    assert is_url(location)
    place = checkout_of(location, Path("cache"))
    assert place.parent == Path("cache/checkouts")
    assert re.fullmatch(rf"{name}-[0-9a-f]{{16}}", place.name)


def test_urls_that_end_alike_are_two_checkouts(tmp_path: Path, repository: Path) -> None:
    """R11, R45: each corpus is read from its own repository; credentials and a commit make no other checkout."""
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    (other / "Elsewhere.md").write_text("Another wiki.", "utf-8")
    git(other, "add", "-A")
    git(other, "commit", "-q", "-m", "other")
    urls = [f"file://{tmp_path}/{owner}/Wiki.git" for owner in ("one", "two")]
    for url, origin in zip(urls, (repository, other), strict=True):
        git(tmp_path, "clone", "-q", "--bare", str(origin), url.removeprefix("file://"))
        synchronise(url, tmp_path)
    titles = [
        {page.title for page in Library.open(config(tmp_path, wiki=url)).wiki.pages.pages} for url in urls
    ]
    assert titles[1] == {"Elsewhere"}
    assert titles[0] != titles[1]
    same = ["https://a.example/x/W", "https://me:secret@a.example/x/W/", "https://a.example/x/W@abc"]
    assert len({checkout_of(url, tmp_path) for url in same}) == 1


def test_refusals_show_no_credentials(tmp_path: Path) -> None:
    """R45: neither what has not been fetched nor what cannot be is named with its password."""
    url = f"file://me:hush@{tmp_path}/nothing"
    for attempt in (lambda: Library.open(config(tmp_path, wiki=url)), lambda: synchronise(url, tmp_path)):
        with pytest.raises(Refusal) as refused:
            attempt()
        assert "nothing" in str(refused.value)
        assert "hush" not in str(refused.value)


def test_a_url_that_cannot_be_fetched_refuses(tmp_path: Path) -> None:
    """R3: the reason is git's own last word."""
    with pytest.raises(Refusal, match="could not be fetched"):
        synchronise(f"file://{tmp_path}/nothing", tmp_path)
    assert not list((tmp_path / "checkouts").iterdir())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", ["nowhere", "empty"])
def test_a_missing_or_empty_corpus_refuses(tmp_path: Path, name: str, place: str) -> None:
    """R3: what, why and what lifts it, for every corpus."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(Refusal) as refused:
        Library.open(config(tmp_path, **{name: str(tmp_path / place)}))
    assert name in refused.value.what
    assert refused.value.why
    assert f"corpus.{name}" in refused.value.lifted_by


def test_an_unknown_commit_refuses(tmp_path: Path, repository: Path) -> None:
    """R3: a commit that is not there is said to be so; an option in its place is no option."""
    for commit in ("0123456789", "--all"):
        with pytest.raises(Refusal, match="cannot be read"):
            Library.open(config(tmp_path, wiki=f"{repository}@{commit}"))


def test_flag_descriptions_have_a_revision_or_refuse(tmp_path: Path) -> None:
    """R3, R45: a wrong file refuses; a right one is recorded by its contents."""
    flags = tmp_path / "flags.json"
    for wrong in ("", "[1]", "{", "nul"):
        flags.write_text(wrong, "utf-8")
        with pytest.raises(Refusal, match="flag descriptions"):
            Library.open(config(tmp_path, flags=str(flags)))
    flags.write_text('{"M1_FLY": "flies"}', "utf-8")
    assert len(Library.open(config(tmp_path, flags=str(flags))).revisions["flags"]) == 16


def test_losses_are_warned_of(tmp_path: Path) -> None:
    """R14: a page read with replacements is counted."""
    wiki = tmp_path / "wiki"
    wiki.mkdir()
    (wiki / "Bad.md").write_bytes(b"\xff")
    assert "not UTF-8" in Library.open(config(tmp_path, wiki=str(wiki))).warnings[0]


def test_pages_that_cannot_be_read_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R3, R14: links that lead nowhere or in a circle, files that nobody may read: a loss that is told."""
    wiki = tmp_path / "wiki"
    (wiki / "Folder.md").mkdir(parents=True)
    for name in ("Good", "Locked"):
        (wiki / f"{name}.md").write_text("Stew.", "utf-8")
    (wiki / "Dangling.md").symlink_to(wiki / "gone.md")
    (wiki / "Circle.md").symlink_to(wiki / "Circle.md")
    read = Path.read_bytes

    def locked(path: Path) -> bytes:
        if path.name == "Locked.md":
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", locked)
    library = Library.open(config(tmp_path, wiki=str(wiki)))
    assert [page.title for page in library.wiki.pages.pages] == ["Good"]
    assert library.warnings == ["wiki: 3 pages cannot be read and were left out, first Circle.md"]


def test_folder_that_cannot_be_listed_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R3: the pages in it would be missing without a word."""
    locked = tmp_path / "wiki" / "Locked"
    locked.mkdir(parents=True)
    (tmp_path / "wiki" / "Good.md").write_text("Stew.", "utf-8")
    scan = os.scandir

    def refuses(path: str) -> Any:
        if Path(path) == locked:
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuses)
    with pytest.raises(Refusal, match="Locked cannot be read"):
        Library.open(config(tmp_path, wiki=str(tmp_path / "wiki")))


@pytest.mark.parametrize("name", ["wiki", "knowledge"])
def test_corpus_of_no_page_refuses(tmp_path: Path, name: str) -> None:
    """R3: where every page was lost, the refusal says to what."""
    folder = tmp_path / name
    folder.mkdir()
    (folder / "Gone.md").symlink_to(folder / "nothing.md")
    if name == "wiki":
        (folder / "Large.md").write_bytes(b"x" * 200_000)
    with pytest.raises(Refusal) as refused:
        Library.open(config(tmp_path, **{name: str(folder)}))
    assert refused.value.what == f"the {name} corpus is empty"
    assert "cannot be read and were left out" in refused.value.why


def test_source_that_cannot_be_read_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R3: before the run, for the tools would answer from the rest alone."""
    shutil.copytree(FIXTURES / "source", tmp_path / "source")
    locked = next((tmp_path / "source").rglob("*.c"))
    read = Path.read_bytes

    def refuses(path: Path) -> bytes:
        if path == locked:
            raise PermissionError(13, "Permission denied", str(path))
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuses)
    with pytest.raises(Refusal, match=f"{locked.name} cannot be read"):
        Library.open(config(tmp_path, source=str(tmp_path / "source"))).warm()


def test_the_starter_serves_every_tool(tmp_path: Path) -> None:
    """R14: the embedded corpora need no download, and none is empty."""
    starter = CorpusConfig(**dict.fromkeys(NAMES, "starter"), cache=str(tmp_path / "cache"))  # pyright: ignore
    library = Library.open(starter)
    counts = library.warm()
    assert all(count > 0 for count in counts.values()), counts
    assert library.warnings == []
    assert library.knowledge.topics
    assert all(topic.summary for topic in library.knowledge.topics)
    assert not (tmp_path / "cache").exists()
