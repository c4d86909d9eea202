"""A session's answer to a command."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omaha_table.hand import Refused
    from omaha_table.journal.events import Record


@dataclass(frozen=True, slots=True)
class Answer:
    """What was recorded, and the refusal if there was one.

    Only a refusal about authority leaves a record: wrong PINs count.
    """

    records: list[Record] = field(default_factory=list)
    refusal: Refused | None = None
