"""The one alarm line: what it shows when several things want it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.table_view import Alarm

if TYPE_CHECKING:
    from omaha_table.dealer.model import Facts, Model


def alarm_line(model: Model) -> Alarm:
    """The answer to the last key first, then what is wrong, then what somebody says."""
    if model.answer.level != "none":
        return model.answer
    standing = standing_alarm(model.facts)
    if standing is not None:
        return standing
    if model.hint:
        return Alarm("hint", model.hint)
    if model.story.remedy:
        return Alarm("info", f"Remedy: {model.story.remedy[-1]}")
    return model.answer


def standing_alarm(facts: Facts) -> Alarm | None:
    """What is wrong for longer than a moment."""
    for device in facts.devices:
        if device.lost and not device.acknowledged:
            why = device.doing.rstrip(".")
            return Alarm("warn", f"{device.name.upper()} {device.link}: {why}. Deal by hand.")
        if device.alarm:
            return Alarm("fault", f"{device.name.upper()}  {device.alarm}")
    if facts.mirror_fault and facts.state.hand is None:
        return Alarm("warn", facts.mirror_fault)
    return None
