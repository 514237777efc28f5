"""The door: a Hydra launch, or a command. The only user of Hydra and OmegaConf.

A first word without ``=``, but for options, names a command; anything else is a launch.
"""

import codecs
import errno
import io
import json
import os
import re
import sys
import tempfile
import uuid
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from traceback import format_exc
from typing import Any, NoReturn

from pydantic import ValidationError

from gnollbench import HARNESS_VERSION, __version__
from gnollbench.commands import COMMANDS
from gnollbench.errors import GnollBenchError, Refusal
from gnollbench.records.addresses import public_uri
from gnollbench.records.launch import Launch
from gnollbench.shipped import shipped_folder
from gnollbench.signals import take_signals

SCRATCH = "GNOLLBENCH_SCRATCH"  # folder of a sweep: what each job ended with; Hydra's own files too
# Hydra's options that a value follows: always, or unless it is an override
_VALUED = "--config-dir -cd --config-path -cp --config-name -cn --package -p --experimental-rerun".split()
_CHOOSING = ["--cfg", "-c", "--info", "-i"]
_SHOWS = re.compile(r"--(cf|in)|-i|-c(?![dnp])")  # those that print the configuration
_WORST_FIRST = (130, 1, 2, 3, 0)
_HELP = """\
gnollbench: measures the Gnoll Overseer's chat the way its users meet it

  gnollbench                                     embedded models, standard suite: no key, no network
  gnollbench candidate=claude panel=standard     one run
  gnollbench -m candidate=claude,gpt             a sweep, one run each
  gnollbench questions=[q03,q11]                 some questions: no exam, no indices
  gnollbench dry_run=true                        print the first request, send nothing
  gnollbench --cfg job                           print the composed configuration
  gnollbench --config-dir DIR candidate=mine     options of your own
  gnollbench COMMAND …                           {commands}

Groups and their options:
{groups}
Exit codes: 0 completed · 1 failed · 2 refused · 3 completed with errors · 130 canceled
"""


def main() -> NoReturn:
    """Run the program; the process ends with its exit code."""
    _let_every_text_through()
    sys.exit(_dispatch(sys.argv[1:]))


def _let_every_text_through() -> None:
    """Have the streams escape what their encoding lacks: an ASCII terminal, a file name that is no UTF-8."""
    codecs.register_error("gnollbench", _escaped)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="gnollbench")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Escape as JSON does, so that a document stays one."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4)), error.end


def _dispatch(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        print(f"gnollbench {__version__}, harness {HARNESS_VERSION}, scoring method 13")
        return 0
    options, words = _parted(arguments)
    try:
        if words and "=" not in words[0] and not words[0].startswith(("+", "~")):
            from gnollbench.commands import run_command

            place = arguments.index(next((word for word in words if word in COMMANDS), words[0]))
            rest = (*arguments[:place], *arguments[place + 1 :])
            return run_command([arguments[place], *rest], compose_launch)
        if {"-h", "--help"} & set(options):
            print(_help())
            return 0
        return _launch([*options, *map(_settable, words)])
    except Exception as error:
        return _failed(error)
    except KeyboardInterrupt:
        print("canceled", file=sys.stderr)
        return 130


def _parted(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Part options, with their values, from words: Hydra takes no word between two options."""
    options: list[str] = []
    words: list[str] = []
    for place, word in enumerate(arguments):
        before = arguments[place - 1] if place else ""
        valued = _is_one_of(before, _VALUED) or (_is_one_of(before, _CHOOSING) and "=" not in word)
        (options if word.startswith("-") or valued else words).append(word)
    return options, words


def _is_one_of(word: str, options: Sequence[str]) -> bool:
    """Whether a word is one of these options, or the beginning of one, which argparse takes for it."""
    return word in options or (len(word) > 2 and any(option.startswith(word) for option in options))


def _launch(arguments: list[str]) -> int:
    import hydra
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException
    from yaml import YAMLError

    sys.argv[1:] = arguments
    os.environ["HYDRA_FULL_ERROR"] = "1"  # errors of composition reach us as they are
    with tempfile.TemporaryDirectory(prefix="gnollbench-") as scratch:
        os.environ[SCRATCH] = scratch
        entry: Any = hydra.main(version_base="1.3", config_path=str(_conf()), config_name="config")(_job)
        try:
            _entered(entry)
        except (HydraException, OmegaConfBaseException, YAMLError, ValueError) as error:
            raise _composition_refusal(error) from error
        except SystemExit as end:
            if end.code not in (0, None):
                return 2  # argparse has said what is wrong with the command line
        codes = [int(path.read_text("utf-8")) for path in Path(scratch).glob("*.exit")]
    return next((code for code in _WORST_FIRST if code in codes), 0)


def _entered(entry: Callable[[], None]) -> None:
    """Enter Hydra; where it prints the configuration, a store's address loses its password."""
    if not any(map(_SHOWS.match, sys.argv[1:])):
        entry()
        return
    with redirect_stdout(io.StringIO()) as shown:
        entry()
    print(public_uri(shown.getvalue()), end="")


def _job(config: Any) -> None:
    """Carry out one job; its exit code goes to the scratch folder, for it may run in another process.

    No exception of a job reaches Hydra, which would print its overrides, and with them a store's password.
    KeyboardInterrupt does: it ends a sweep.
    """
    code = 1
    take_signals()
    try:
        launch = _validated(config)
        from gnollbench.launcher import carry_out

        code = carry_out(launch)
    except Exception as error:
        code = _failed(error)
    except KeyboardInterrupt:
        code = 130
        raise
    finally:
        (Path(os.environ[SCRATCH]) / f"{uuid.uuid4().hex}.exit").write_text(str(code), encoding="utf-8")


def compose_launch(overrides: list[str], config_dir: str | None = None) -> Launch:
    """Compose and validate a launch, for who only looks at one.

    Parameters
    ----------
    overrides : list of str
        As on the command line of a launch.
    config_dir : str, optional
        A folder of options of one's own, as ``--config-dir`` names it.

    Raises
    ------
    Refusal
        Naming the setting that is wrong, and what is allowed.
    """
    from hydra import compose, initialize_config_dir
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    words = [_settable(word) for word in overrides]
    if config_dir is not None:
        words.append(_search_path(config_dir))
    try:
        with initialize_config_dir(str(_conf()), version_base="1.3"):
            config = compose("config", overrides=words)
    except (HydraException, OmegaConfBaseException) as error:
        raise _composition_refusal(error) from error
    return _validated(config)


def _search_path(config_dir: str) -> str:
    folder = Path(config_dir).expanduser().absolute()
    if not folder.is_dir():
        raise Refusal(f"--config-dir {config_dir} is refused", "there is no such folder", "name another")
    quoted = str(folder).replace("\\", "\\\\").replace("'", "\\'")
    return f"hydra.searchpath=['file://{quoted}']"


def _settable(word: str) -> str:
    """Let ``a.b=c`` set what an option leaves at its default; what may stand there, `Launch` says."""
    return f"++{word}" if re.match(r"(?!hydra\.)[a-z_]+(\.\w+)+=", word) else word


def _composition_refusal(error: Exception) -> Refusal:
    said = f"{error}\n{error.__cause__ or ''}".partition("Config search path:")[0]
    lines = dict.fromkeys(" ".join(line.split()) for line in said.splitlines() if line.strip())
    what, *why = list(lines) or [type(error).__name__]
    if unknown := re.search(r"Key '(.+?)' is not in struct", said):
        what, why = (
            f"there is no setting {unknown[1]!r}",
            ["every setting stands in conf/, or in --config-dir"],
        )
    return Refusal(
        f"the command line is refused: {what}",
        " ".join(why) or "it cannot be composed",
        "see gnollbench --help, or the settings with gnollbench --cfg job",
    )


def _validated(config: Any) -> Launch:
    """Resolve and validate a composed configuration; a refusal names the first offending field."""
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        tree = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        raise _composition_refusal(error) from error
    try:
        return Launch.model_validate_json(json.dumps(tree))
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        path = ".".join(str(step) for step in problems[0]["loc"])
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise Refusal(
            f"the configuration is refused at {path or 'its top'}{more}",
            problems[0]["msg"],
            "mend that setting",
        ) from error


def _failed(error: Exception) -> int:
    """Say on stderr what went wrong, and return the exit code for it."""
    if isinstance(error, BrokenPipeError):  # who read us has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:  # wherever a path is first used
        why = f"{error.strerror}: {error.filename}"
        error = Refusal("the command line is refused", why, "give a shorter path")
    if isinstance(error, Refusal):
        _complain(f"refused: {error.what}")
        _complain(f"why:     {error.why}")
        _complain(f"lift it: {error.lifted_by}")
        return 2
    if isinstance(error, GnollBenchError):
        _complain(f"failed: {error}")
    elif isinstance(error, ValueError):  # of a run, not of the command line
        _complain(f"failed: {type(error).__name__}: {error}")
    else:
        _complain(f"failed: {format_exc()}")
    return 1


def _complain(text: str) -> None:
    """Say on stderr what went wrong; an address in a word that is quoted loses its password."""
    print(public_uri(text), file=sys.stderr)


def _conf() -> Path:
    return shipped_folder("conf")


def _help() -> str:
    folders = sorted(path for path in _conf().iterdir() if path.is_dir())
    groups = "".join(
        f"  {folder.name:<11} {', '.join(sorted(path.stem for path in folder.glob('*.yaml')))}\n"
        for folder in folders
    )
    return _HELP.format(commands=", ".join(COMMANDS), groups=groups)
