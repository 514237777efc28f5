"""What people read of a run: the seven-part report and the glance (R57-R59)."""

from gnollbench.reports.glance import glance
from gnollbench.reports.render import report_json, report_markdown

__all__ = ["glance", "report_json", "report_markdown"]
