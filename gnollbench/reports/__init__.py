"""What people read of a run: the seven-part report, the glance, the report writer's page (R57-R60)."""

from gnollbench.reports.glance import glance
from gnollbench.reports.render import document_markdown, report_json, report_markdown

__all__ = ["document_markdown", "glance", "report_json", "report_markdown"]
