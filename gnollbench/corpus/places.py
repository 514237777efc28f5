"""Where a corpus lies: a folder, a git work tree, a repository at a commit, the starter, a URL's checkout.

Every corpus is read from a plain folder in the end. Files of a bare repository, or of a named
commit, are written out once below the cache folder, so that a series reads one fixed state.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gnollbench.errors import Refusal
from gnollbench.records.addresses import public_uri
from gnollbench.records.canonical import hash_text

STARTER = "starter"
_STARTER_ROOT = Path(__file__).parent / "starter"
_GIT_TIMEOUT_S = 600  # a clone of the game's repository takes minutes
_QUIET = {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}

Wanted = Callable[[str], bool]  # a relative path with forward slashes -> is it part of the corpus


@dataclass(frozen=True, slots=True)
class Place:
    """A corpus folder that exists.

    Attributes
    ----------
    root : Path
        The folder, resolved.
    commit : str or None
        The commit that the folder was written out from; None for a folder that people edit.
    """

    root: Path
    commit: str | None = None


def default_cache() -> Path:
    """Return the folder for checkouts and written-out commits when the launch names none."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "gnollbench"


def is_url(location: str) -> bool:
    """Tell whether a location is a git URL rather than a path."""
    return "://" in location or re.match(r"[\w.-]+@[\w.-]+:", location) is not None


def checkout_of(location: str, cache: Path) -> Path:
    """Return the folder that holds a URL's checkout, whether or not it is there yet.

    It is named after the repository and the whole URL, without credentials: two that end alike are two.
    """
    url = public_uri(_split_commit(location)[0]).rstrip("/")
    name = Path(url.replace(":", "/")).name.removesuffix(".git")
    return cache / "checkouts" / f"{name}-{hash_text(url)}"


def locate(name: str, location: str, cache: Path, wanted: Wanted) -> Place:
    """Find a corpus.

    Parameters
    ----------
    name : str
        The corpus' name in messages and the starter's folder name.
    location : str
        ``starter``, a path relative to the working directory, ``path@commit``, or a git URL.
    cache : Path
        Where checkouts and written-out commits lie.
    wanted : callable
        Which files to write out of a commit.

    Raises
    ------
    Refusal
        If there is nothing at the location, a URL has no checkout yet, or a commit is unknown.
    """
    if location == STARTER:
        return Place(_existing(name, location, _STARTER_ROOT / name).resolve())
    if is_url(location):
        return _tree(name, location, *_checkout(name, location, cache), cache, wanted)
    path = Path(location).expanduser()
    if path.exists():
        return _tree(name, location, _existing(name, location, path), None, cache, wanted)
    bare, commit = _split_commit(location)
    return _tree(name, location, _existing(name, location, Path(bare).expanduser()), commit, cache, wanted)


def files_below(root: Path, wanted: Wanted) -> Iterator[str]:
    """Yield the wanted files below a folder as relative paths, files before sub-folders, each sorted.

    Folders led by a dot are passed over. Nothing outside the folder is ever named: folders that
    are links are passed over, and so is a file that links to somewhere outside, a device or a pipe.
    A file that nobody may look at and a link that leads nowhere are named: whoever reads them learns it.

    Raises
    ------
    Refusal
        If a folder cannot be listed: what is in it would be missing without a word.
    """
    inside = root.resolve()
    for folder, subfolders, names in os.walk(root, followlinks=False, onerror=_refuse_unlisted):
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        here = Path(folder)
        below = here.relative_to(root).as_posix() + "/" if here != root else ""
        for name in sorted(names):
            if wanted(below + name) and _inside(here / name, inside):
                yield below + name


def clean_commit(root: Path, files: Iterable[str]) -> str | None:
    """Return HEAD of the work tree at ``root`` if each of the files is tracked and unmodified, else None."""
    if not (root / ".git").exists():
        return None
    try:
        tracked = set(_git(root, "ls-files", "-z").decode("utf-8", "replace").split("\0"))
        changed = _git(root, "status", "--porcelain", "-z", "--untracked-files=no").decode("utf-8", "replace")
        head = _git(root, "rev-parse", "--verify", "HEAD^{commit}").decode().strip()
    except (OSError, subprocess.SubprocessError):
        return None
    touched = {entry[3:] for entry in changed.split("\0")}
    return head if all(file in tracked and file not in touched for file in files) else None


def make_once(folder: Path, fill: Callable[[Path], object]) -> None:
    """Make a folder unless it is there: filled beside its place first, so that it is never half there.

    Where another process is faster, its folder stands.
    """
    if folder.is_dir():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=folder.parent))
    try:
        fill(draft)
        draft.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def synchronise(location: str, cache: Path) -> Place:
    """Clone a URL below the cache folder, or bring its checkout up to date; return where it stands.

    Raises
    ------
    Refusal
        If git cannot reach or update it.
    """
    url, _ = _split_commit(location)
    target = checkout_of(location, cache)
    try:
        make_once(target, lambda draft: _git(draft, "clone", "--quiet", "--", url, "."))
        _git(target, "remote", "set-url", "--", "origin", url)  # as its credentials are now
        _git(target, "fetch", "--quiet", "origin")
        _git(target, "reset", "--quiet", "--hard", "origin/HEAD")
        head = _git(target, "rev-parse", "--verify", "HEAD^{commit}").decode().strip()
    except (OSError, subprocess.SubprocessError) as error:
        raise Refusal(
            f"{public_uri(url)} could not be fetched",
            public_uri(_reason(error)),
            "check the address and the network",
        ) from error
    return Place(target, head)


def _tree(name: str, location: str, path: Path, commit: str | None, cache: Path, wanted: Wanted) -> Place:
    """Return a work tree or folder as it is, and a bare repository or a named commit written out."""
    bare = (path / "HEAD").is_file() and (path / "objects").is_dir()
    if not bare and commit is None:
        return Place(path.resolve())
    try:
        full = _git(path, "rev-parse", "--verify", "--end-of-options", f"{commit or 'HEAD'}^{{commit}}")
        return _written_out(name, path, full.decode().strip(), cache, wanted)
    except (OSError, subprocess.SubprocessError) as error:
        raise Refusal(
            f"the {name} corpus at {public_uri(location)} cannot be read",
            _reason(error),
            f"name a commit that {path} holds whole",
        ) from error


def _written_out(name: str, repository: Path, commit: str, cache: Path, wanted: Wanted) -> Place:
    """Write the wanted files of a commit below the cache folder once; links and submodules are left out."""
    target = cache / "trees" / f"{name}-{commit}"

    def fill(draft: Path) -> None:
        for path, content in _blobs(repository, commit, wanted):
            file = draft / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)

    make_once(target, fill)
    return Place(target.resolve(), commit)


def _blobs(repository: Path, commit: str, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    listing = _git(repository, "ls-tree", "-r", "-z", commit).decode("utf-8", "surrogateescape")
    entries: list[tuple[str, str]] = []
    for entry in filter(None, listing.split("\0")):
        mode, _, rest = entry.partition(" ")
        blob, _, path = rest.partition("\t")
        if mode.startswith("100") and wanted(path) and not {"", ".", ".."} & set(path.split("/")):
            entries.append((blob.split()[1], path))
    output = _git(
        repository, "cat-file", "--batch", stdin="".join(f"{blob}\n" for blob, _ in entries).encode()
    )
    position = 0
    for _, path in entries:
        end = output.index(b"\n", position)
        header = output[position:end].split()
        position = end + 1
        if header[-1] == b"missing":
            raise FileNotFoundError(f"this partial copy lacks {path}")
        size = int(header[2])
        yield path, output[position : position + size]
        position += size + 1


def _checkout(name: str, location: str, cache: Path) -> tuple[Path, str | None]:
    path = checkout_of(location, cache)
    if not path.is_dir():
        raise Refusal(
            f"the {name} corpus has not been fetched",
            f"{public_uri(location)} has no checkout at {path}",
            "run: gnollbench corpus sync",
        )
    return path, _split_commit(location)[1]


def _split_commit(location: str) -> tuple[str, str | None]:
    match = re.fullmatch(r"(.+)@([^@/\\:]+)", location)
    return (match[1], match[2]) if match else (location, None)


def _existing(name: str, location: str, path: Path) -> Path:
    if not path.is_dir():
        raise Refusal(
            f"the {name} corpus cannot be read",
            f"there is no folder {location}" if location != STARTER else f"the starter has no {name}",
            f"set corpus.{name} to a folder, a repository or {STARTER}",
        )
    return path


def _inside(file: Path, root: Path) -> bool:
    try:
        if file.is_symlink() and not file.resolve(strict=True).is_relative_to(root):
            return False
        return file.is_file()
    except (OSError, RuntimeError):  # RuntimeError: a circle of links, before Python 3.13
        return True


def _refuse_unlisted(error: OSError) -> None:
    raise Refusal(
        f"the folder {error.filename} cannot be read",
        error.strerror or type(error).__name__,
        "give yourself access to it, or name another corpus",
    ) from error


def _git(folder: Path, *arguments: str, stdin: bytes | None = None) -> bytes:
    command = [
        "git",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.hooksPath=/dev/null",
        "-C",
        str(folder),
        *arguments,
    ]
    return subprocess.run(
        command, input=stdin, capture_output=True, check=True, timeout=_GIT_TIMEOUT_S, env=os.environ | _QUIET
    ).stdout


def _reason(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        said = error.stderr.decode("utf-8", "replace").strip().splitlines()
        return said[-1] if said else f"git ended with {error.returncode}"
    return str(error) or type(error).__name__
