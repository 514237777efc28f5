"""Every option of every configuration group composes and validates (R61)."""

from pathlib import Path

import pytest

from gnollbench.cli import compose_launch
from gnollbench.errors import Refusal
from gnollbench.records.launch import EMBEDDED, Launch

CONF = Path(__file__).parent.parent / "conf"
OPTIONS = sorted(
    (folder.name, path.stem) for folder in CONF.iterdir() if folder.is_dir() for path in folder.glob("*.yaml")
)


@pytest.mark.parametrize(("group", "option"), OPTIONS)
def test_option_composes_and_validates(group: str, option: str) -> None:
    """R61: each shipped option gives a whole, valid launch."""
    assert isinstance(compose_launch([f"{group}={option}"]), Launch)


def test_every_group_of_the_design_is_there() -> None:
    """R61: the groups that a launch is composed from."""
    groups = {group for group, _ in OPTIONS}
    assert groups == set(
        "candidate panel reader verifier writer profile limits chat suite corpus prices compliance tracking".split()
    )


def test_default_needs_no_network() -> None:
    """The default launch's models all run in this process."""
    launch = compose_launch([])
    assert {model.endpoint for model in launch.models.values()} == {EMBEDDED}


def test_standard_panel_brings_its_reader_and_verifier() -> None:
    """R32: judges of two companies are read by a third company's model, not by an embedded one."""
    launch = compose_launch(["panel=standard"])
    providers = [model.provider for role, model in launch.models.items() if role != "candidate"]
    assert providers == ["anthropic", "openai", "google", "google"]


def test_command_line_overrules_what_a_panel_brings() -> None:
    """A reader named on the command line stands beside any panel."""
    assert compose_launch(["panel=standard", "reader=none"]).reader.llm is None


def test_limits_are_the_specified_ones() -> None:
    """R15: 45 tool calls, 22 rounds, 28 model calls; 420, 600 and 720 s by band."""
    limits = compose_launch([]).limits
    assert (limits.tool_calls, limits.tool_rounds, limits.model_calls) == (45, 22, 28)
    assert list(limits.timeout_s.model_dump().values()) == [420, 600, 720]


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("candidate=nope", "candidate/nope"),
        ("limits.tool_calls=-3", "limits.tool_calls"),
        ("limits.tool_calls=3.5", "limits.tool_calls"),
        ("limits.timeout_s.simple=.nan", "limits.timeout_s.simple"),
        ("nonsense=1", "nonsense"),
        ("candidate.nonsense=1", "candidate.nonsense"),
        ("candidate.provider=null", "candidate.provider"),
        ("candidate.api_key_env=sk-abc123", "candidate.api_key_env"),
        ("candidate.endpoint='http://user:pass@host/v1'", "candidate.endpoint"),
        ("candidate.endpoint='http://host/v1?key=1'", "candidate.endpoint"),
        ("candidate.endpoint='http://host/v1#part'", "candidate.endpoint"),
        ("candidate.endpoint='http://host/v1#'", "candidate.endpoint"),
        ("chat.response_style=loud", "chat.response_style"),
        ("panel.mode=single", "panel"),
        ("profile.weights.accuracy=0.9", "profile.weights"),
        ("questions=[]", "questions"),
    ],
)
def test_bad_setting_is_refused_by_its_path(override: str, named: str) -> None:
    """R61: unknown fields and wrong values are refused; the message names the setting."""
    with pytest.raises(Refusal) as refused:
        compose_launch([override])
    assert named in refused.value.what


def test_refusal_shows_no_secret() -> None:
    """A key typed where a variable's name belongs is not repeated."""
    with pytest.raises(Refusal) as refused:
        compose_launch(["candidate.api_key_env=sk-abc123"])
    assert "sk-abc123" not in str(refused.value)


def test_closed_set_is_said() -> None:
    """The message says which values are allowed."""
    with pytest.raises(Refusal) as refused:
        compose_launch(["chat.response_style=loud"])
    assert "concise" in refused.value.why
    assert "verbose" in refused.value.why
