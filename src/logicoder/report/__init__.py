"""What a person sees: the HTML report, plots and the view of a notebook."""

from __future__ import annotations

from logicoder.report.page import report_html, write_report

__all__ = ["report_html", "write_report"]
