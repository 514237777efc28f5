"""The door: a Hydra launch, or a command. The only user of Hydra and OmegaConf.

A first word without ``=`` or a leading ``-`` names a command; anything else is a launch.
"""

import json
import os
import re
import sys
import tempfile
import uuid
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
    arguments = sys.argv[1:]
    try:
        sys.exit(_dispatch(arguments))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _dispatch(arguments: list[str]) -> int:
    if arguments and arguments[0] in {"-h", "--help"}:
        print(_help())
        return 0
    if arguments == ["--version"]:
        print(f"gnollbench {__version__}, harness {HARNESS_VERSION}, scoring method 13")
        return 0
    try:
        if arguments and "=" not in arguments[0] and not arguments[0].startswith(("-", "+", "~")):
            from gnollbench.commands import run_command

            return run_command(arguments, compose_launch)
        return _launch()
    except Refusal as refusal:
        return _refuse(refusal)
    except GnollBenchError as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("canceled", file=sys.stderr)
        return 130


def _launch() -> int:
    import hydra
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException
    from yaml import YAMLError

    sys.argv[1:] = [_settable(word) for word in sys.argv[1:]]
    os.environ["HYDRA_FULL_ERROR"] = "1"  # errors of composition reach us as they are
    with tempfile.TemporaryDirectory(prefix="gnollbench-") as scratch:
        os.environ[SCRATCH] = scratch
        entry: Any = hydra.main(version_base="1.3", config_path=str(_conf()), config_name="config")(_job)
        try:
            entry()
        except (HydraException, OmegaConfBaseException, YAMLError, ValueError) as error:
            raise _composition_refusal(error) from error
        except SystemExit as end:
            if end.code not in (0, None):
                return 2  # argparse has said what is wrong with the command line
        codes = [int(path.read_text("utf-8")) for path in Path(scratch).glob("*.exit")]
    return next((code for code in _WORST_FIRST if code in codes), 0)


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
    except Refusal as refusal:
        code = _refuse(refusal)
    except GnollBenchError as error:
        print(f"failed: {error}", file=sys.stderr)
    except ValueError as error:  # of the run, not of the command line
        print(f"failed: {public_uri(f'{type(error).__name__}: {error}')}", file=sys.stderr)
    except Exception:  # a fault of ours
        print(f"failed: {public_uri(format_exc())}", file=sys.stderr)
    except KeyboardInterrupt:
        code = 130
        raise
    finally:
        (Path(os.environ[SCRATCH]) / f"{uuid.uuid4().hex}.exit").write_text(str(code), encoding="utf-8")


def compose_launch(overrides: list[str]) -> Launch:
    """Compose and validate a launch, for who only looks at one.

    Raises
    ------
    Refusal
        Naming the setting that is wrong, and what is allowed.
    """
    from hydra import compose, initialize_config_dir
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    try:
        with initialize_config_dir(str(_conf()), version_base="1.3"):
            config = compose("config", overrides=[_settable(word) for word in overrides])
    except (HydraException, OmegaConfBaseException) as error:
        raise _composition_refusal(error) from error
    return _validated(config)


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


def _refuse(refusal: Refusal) -> int:
    print(f"refused: {refusal.what}", file=sys.stderr)
    print(f"why:     {refusal.why}", file=sys.stderr)
    print(f"lift it: {refusal.lifted_by}", file=sys.stderr)
    return 2


def _conf() -> Path:
    return shipped_folder("conf")


def _help() -> str:
    folders = sorted(path for path in _conf().iterdir() if path.is_dir())
    groups = "".join(
        f"  {folder.name:<11} {', '.join(sorted(path.stem for path in folder.glob('*.yaml')))}\n"
        for folder in folders
    )
    return _HELP.format(commands=", ".join(COMMANDS), groups=groups)
