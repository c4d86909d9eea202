"""What the log is worth that a report was made from, on the face of the report."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from omaha_table.journal.verdict import damage_lines, demo_line, trust_lines
from omaha_table.review.reports.page import Fact

if TYPE_CHECKING:
    from omaha_table.journal.verdict import Verdict
    from omaha_table.review.reports.page import Report


def with_verdict(report: Report, verdict: Verdict) -> Report:
    """The report with what the log it was made from is worth: a warning first, or a fact."""
    damage = list(damage_lines(verdict))
    log: dict[str, object] = {"sound": verdict.sound, "damage": damage}
    if verdict.remarks:
        log["remarks"] = verdict.remarks
    data = report.data | {"log": log}
    facts, warnings = report.facts, report.warnings
    if verdict.sound:
        facts = (*facts, Fact("Log", " ".join(trust_lines(verdict))))
    else:
        told = f"Do not rely on this: the log is NOT SOUND. {' '.join(damage)}"
        warnings = (*warnings, told, *verdict.remarks)
    if verdict.demo:
        warnings = (*warnings, demo_line(verdict))
        data |= {"demo": verdict.demo}
    return replace(report, facts=facts, warnings=warnings, data=data)
