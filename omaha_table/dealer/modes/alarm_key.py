"""One key acknowledges the alarm that stands, wherever `*` does nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.dealer.alarms import standing_alarm
from omaha_table.dealer.change import AcknowledgeAlarm, Change
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt

_KEY: Final = "*"
_MOST_KEYS: Final = 6
"""What the strip has room for."""


def alarm_seen(model: Model) -> Change:
    standing = standing_alarm(model.facts)
    if standing is None:
        return Change(model.inform("There is no alarm."))
    if not standing.can_be_acknowledged:
        return Change(model.refuse("This alarm stands until it is seen to."))
    return Change(model, (AcknowledgeAlarm(),))


def with_alarm_key(model: Model, strip: Strip, prompt: Prompt) -> Prompt:
    """The prompt with the key, if there is an alarm to acknowledge and the key is free.

    While something is typed it is not: `*` may be a suit.
    """
    standing = standing_alarm(model.facts)
    if standing is None or not standing.can_be_acknowledged or model.typed:
        return prompt
    if not strip.is_free(_KEY) or len([key for key in strip.keys if key.label]) >= _MOST_KEYS:
        return prompt
    strip.add(_KEY, "ALARM SEEN", alarm_seen)
    return replace(prompt, keys=tuple(strip.keys))
