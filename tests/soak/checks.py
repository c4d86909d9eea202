"""What must hold after every hand and every restart of a soak, read from the file itself."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from omaha_table.desk.verify import Verdict, _Reader
from omaha_table.journal.store import open_for_reading, read_rows
from tests.soak.process import Wrong

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CARD = re.compile(r"[2-9TJQKA][cdhs]")


class Auditor:
    """Follows one day's journal: the chain, the seals, every hand played again."""

    def __init__(self, path: Path, heads: dict[str, str]) -> None:
        self._path, self._heads = path, heads
        self._reader = _Reader(path, Verdict())
        self.events: list[tuple[int, str, dict[str, Any]]] = []
        """Of this day, in order: number, kind, body."""
        self._told = 0

    @property
    def seq(self) -> int:
        return self._reader.seq

    @property
    def verdict(self) -> Verdict:
        return self._reader.verdict

    def follow(self) -> None:
        """Checks what is new; raises Wrong for an event that is not as it must be."""
        connection = open_for_reading(self._path)
        try:
            for row in read_rows(connection, self._reader.seq):
                self._reader._row(row, self._heads)
                self.events.append((row.seq, row.kind, json.loads(row.body)))
        except Exception as error:
            raise Wrong(f"event {self._reader.seq + 1}: {error!r}") from error
        finally:
            connection.close()

    def fresh(self) -> list[tuple[int, str, dict[str, Any]]]:
        """What nobody has looked at yet."""
        self.follow()
        new, self._told = self.events[self._told :], len(self.events)
        return new

    def hash_at(self, seq: int) -> str:
        connection = open_for_reading(self._path)
        try:
            found = connection.execute("SELECT hash FROM event WHERE seq = ?", (seq,)).fetchone()
        finally:
            connection.close()
        return "" if found is None else str(found[0].hex())


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
