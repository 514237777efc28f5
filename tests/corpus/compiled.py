"""What a C compiler makes of a game's tables and functions: the truth that the parser is held to."""

import re
import shutil
import subprocess
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

_SAME = """
#include <stdio.h>
#include <string.h>
struct monst;
static int same(long long told, long long compiled, int bytes)
{   /* a negative number may be held in a field without a sign */
    return told == compiled || (told < 0 && bytes < 8 && !((told - compiled) & ((1LL << 8 * bytes) - 1)));
}
static int same_text(const char *told, const char *compiled)
{
    return !told || !compiled ? told == compiled : !strcmp(told, compiled);
}
#define SAME(told, field) same((long long) (told), (long long) (field), sizeof ((field) + 0) > 4 ? 8 : 4)
"""
_CONFIGURED = ("-DDUMPLOG", "-DDUMPHTML")  # GnollHack's windows.c compiles only with both


def needs_gcc() -> None:
    """Skip without a C compiler."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")


def generated_headers(root: Path, work: Path) -> Path | None:
    """Let the game's own makedefs write what it generates, and return the folder of headers to include first.

    None where the source does not bring makedefs along.
    """
    if not (root / "util" / "makedefs.c").is_file():
        return None
    for folder in ("util", "include/fcontext", "src", "dat"):
        (work / folder).mkdir(parents=True)
    types = "typedef int fcontext_t, fcontext_stack_t, fcontext_transfer_t;\n"  # nle's additions ask for them
    (work / "include" / "fcontext" / "fcontext.h").write_text(types, "utf-8")
    names = ("src/monst.c", "src/objects.c", "src/animdef.c")
    sources = [root / name for name in ("util/makedefs.c", *names) if (root / name).is_file()]
    makedefs = work / "util" / "makedefs"
    _gcc(f"-I{root / 'include'}", *sources, "-o", makedefs)
    for option in "pova" if (root / "src" / "animdef.c").is_file() else "pov":
        subprocess.run([makedefs, f"-{option}"], cwd=work / "util", capture_output=True, check=False)
    subprocess.run([makedefs, "-z"], cwd=work / "util", capture_output=True, check=False)
    return work / "include"


def false_claims(
    root: Path, work: Path, generated: Path | None, claims: list[str], enumerators: Collection[str]
) -> list[str]:
    """Compile the claims, C expressions over the game's tables, with the tables; return those that are false.

    Macros that the tables' files define for themselves are known to the claims, unless one hides an
    enumerator for a while.
    """
    tables = [root / "src" / name for name in ("monst.c", "objects.c")]
    headers = dict.fromkeys(
        header
        for table in tables
        for header in re.findall(r'^#include "(\w+\.h)"', table.read_text("utf-8"), re.MULTILINE)
    )
    if generated:
        headers |= dict.fromkeys(("hack.h", "artifact.h", "artilist.h"))
    own_macros = [
        match.group(0, 1)
        for file in (root / "include" / "artilist.h", *tables)
        for match in re.finditer(r"^#define[ \t]+(\w+).*[^\\\n]$", file.read_text("utf-8"), re.MULTILINE)
        if match[1] not in enumerators
    ]
    program = [
        _SAME,
        *(f'#include "{header}"' for header in headers),
        *(f"#ifndef {name}\n{line}\n#endif" for line, name in own_macros),
        "extern struct permonst mons[]; extern struct objclass objects[]; extern struct objdescr obj_descr[];",
        "int main(void) {",
        *(f'if (!({claim})) puts("{number}");' for number, claim in enumerate(claims)),
        "return 0; }",
    ]
    (work / "main.c").write_text("\n".join(program), "utf-8")
    include = [f"-I{folder}" for folder in (generated, root / "include", root / "src") if folder]
    _gcc(*include, work / "main.c", *tables, "-o", work / "main")
    said = subprocess.run([work / "main"], capture_output=True, text=True, check=True).stdout
    return [claims[int(number)] for number in said.split()]


def compiled_functions(root: Path, work: Path, generated: Path, files: list[Path]) -> set[tuple[str, str]]:
    """Compile the files on two cores and return the functions of their objects, as path and name."""

    def of(file: Path) -> set[tuple[str, str]]:
        target = work / f"{file.name}.o"
        include = (f"-I{generated}", f"-I{root / 'include'}")
        _gcc("-c", "-fkeep-static-functions", *_CONFIGURED, *include, file, "-o", target)
        symbols = subprocess.run(["nm", target], capture_output=True, text=True, check=True).stdout
        names = re.findall(r"^\w+ [Tt] ([A-Za-z_]\w*)", symbols, re.MULTILINE)
        return {(f"src/{file.name}", name) for name in names}

    with ThreadPoolExecutor(2) as pool:
        return set().union(*pool.map(of, files))


def _gcc(*arguments: str | Path) -> None:
    done = subprocess.run(["gcc", "-w", "-O0", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
