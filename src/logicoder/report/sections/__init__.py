"""The sections of a report: each turns content into markup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from logicoder.report.content import Content
from logicoder.report.markup import Markup
from logicoder.report.sections.architecture import architecture
from logicoder.report.sections.clause_lists import programs
from logicoder.report.sections.facts import facts
from logicoder.report.sections.findings import findings
from logicoder.report.sections.layers import layers
from logicoder.report.sections.likely_errors import likely_errors
from logicoder.report.sections.over_time import over_time
from logicoder.report.sections.predicates import predicates
from logicoder.report.sections.proposals import proposals
from logicoder.report.sections.rate_distortion import curve
from logicoder.report.sections.search_progress import search
from logicoder.report.sections.summary import headline, summary

__all__ = ["everything", "headline"]


def everything(content: Content, browsable: Mapping[str, Any]) -> Sequence[tuple[str, str, Markup]]:
    """Return the sections with their keys and the words of the navigation."""
    made = (
        ("findings", "What it found", findings(content)),
        ("errors", "Likely errors", likely_errors(content)),
        ("proposals", "Proposals", proposals(content)),
        ("summary", "Summary", summary(content)),
        ("layers", "Layers", layers(content)),
        ("architecture", "Architecture", architecture(content)),
        ("programs", "Programs", programs(content)),
        ("predicates", "Predicates", predicates(content)),
        ("facts", "Facts", facts(content, browsable)),
        ("search", "Search", search(content)),
        ("curve", "Curve", curve(content)),
        ("time", "Over time", over_time(content)),
    )
    return [(key, words, markup) for key, words, markup in made if markup is not None]
