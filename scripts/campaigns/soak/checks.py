"""What must hold after every hand and every restart of a soak, read from the file itself."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from omaha_table.journal.file_check import FileCheck
from omaha_table.journal.reader import Reader
from omaha_table.journal.verdict import Verdict
from scripts.campaigns.soak.process import Wrong

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.journal.table_check import DayEnd

CARD = re.compile(r"[2-9TJQKA][cdhs]")


class Auditor:
    """Follows a table's journals: the chain, the seals, every hand played again.

    A table that deals on past six goes on in another file.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = max(folder.glob("*.journal"))
        self._ends: dict[str, DayEnd] = {}
        self._checked = FileCheck(self._path, Verdict())
        self.files = [self._path]
        self.events: list[tuple[str, str, dict[str, Any]]] = []
        """In order: hash, kind, body."""
        self._told = 0

    def follow(self) -> None:
        """Checks what is new; raises Wrong for an event that is not as it must be."""
        try:
            self._read()
            for path in sorted(self._folder.glob("*.journal")):
                if path > self._path:
                    end = self._checked.end
                    self._path, self._ends = path, {self._checked.table: end}
                    self._checked = FileCheck(path, Verdict())
                    self.files.append(path)
                    self._read()
        except Exception as error:
            raise Wrong(f"{self._path.name}, event {self._checked.seq + 1}: {error!r}") from error

    def _read(self) -> None:
        with Reader(self._path) as reader:
            for row in reader.since(self._checked.seq):
                self._checked.check(row, self._ends)
                self.events.append((row.hash.hex(), row.kind, json.loads(row.body)))

    def fresh(self) -> list[tuple[str, str, dict[str, Any]]]:
        """What nobody has looked at yet."""
        self.follow()
        new, self._told = self.events[self._told :], len(self.events)
        return new

    def between(self, head: str, last: str) -> list[str] | None:
        """The kinds of the events after one head up to another; None: one of them is not there."""
        heads = [found for found, _, _ in self.events]
        if not {head, last} <= {*heads}:
            return None
        return [kind for _, kind, _ in self.events[heads.index(head) + 1 : heads.index(last) + 1]]


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
