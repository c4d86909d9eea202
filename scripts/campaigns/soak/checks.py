"""What must hold after every hand and every restart of a soak, read from the file itself."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from omaha_table.journal.reader import Reader
from omaha_table.journal.verification import DayEnd, FileCheck, Verdict
from scripts.campaigns.soak.process import Wrong

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CARD = re.compile(r"[2-9TJQKA][cdhs]")


class Auditor:
    """Follows one day's journal: the chain, the seals, every hand played again."""

    def __init__(self, path: Path, ends: dict[str, DayEnd]) -> None:
        self._path, self._ends = path, ends
        self._checked = FileCheck(path, Verdict())
        self.events: list[tuple[int, str, dict[str, Any]]] = []
        """Of this day, in order: number, kind, body."""
        self._told = 0

    @property
    def seq(self) -> int:
        return self._checked.seq

    @property
    def verdict(self) -> Verdict:
        return self._checked.verdict

    def follow(self) -> None:
        """Checks what is new; raises Wrong for an event that is not as it must be."""
        try:
            with Reader(self._path) as reader:
                for row in reader.since(self._checked.seq):
                    self._checked.check(row, self._ends)
                    self.events.append((row.seq, row.kind, json.loads(row.body)))
        except Exception as error:
            raise Wrong(f"event {self._checked.seq + 1}: {error!r}") from error

    def fresh(self) -> list[tuple[int, str, dict[str, Any]]]:
        """What nobody has looked at yet."""
        self.follow()
        new, self._told = self.events[self._told :], len(self.events)
        return new

    def hash_at(self, seq: int) -> str:
        with Reader(self._path) as reader:
            row = reader.get(seq)
        return "" if row is None else row.hash.hex()


def cards_in(body: Any) -> Iterator[str]:
    """Every card that is named in an event, wherever."""
    if isinstance(body, str):
        if len(body) <= 40 or " " in body:  # a longer word is a key or a signature
            yield from (word for word in re.split(r"[^0-9A-Za-z]+", body) if CARD.fullmatch(word))
    elif isinstance(body, dict):
        for key, value in body.items():
            if key not in ("profile", "signature"):
                yield from cards_in(value)
    elif isinstance(body, list):
        for value in body:
            yield from cards_in(value)
