"""What runs cost is told where all of it is known (R39)."""

from gnollbench.errors import Withheld
from gnollbench.records.run import Cost, Role
from gnollbench.statistics.costs import role_usd, run_usd
from tests.statistics.made import run


def test_a_cost_that_is_known_in_part_is_withheld() -> None:
    """R39: it is at least that, and no figure to compare or to average."""
    whole = run("r1", [50.0, 60.0], usd=1.0)
    partly = Cost(usd=0.5, reason="no usage", unpriced=1)
    part = whole.model_copy(update={"costs": {Role.CANDIDATE: partly}})
    for figure in (role_usd(Role.CANDIDATE, [whole, part]), run_usd([whole, part])):
        assert isinstance(figure, Withheld)
    assert not isinstance(run_usd([whole, whole]), Withheld)
