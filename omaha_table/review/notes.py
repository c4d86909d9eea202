"""A reviewer's notes and tags, kept apart from the journals: nothing is added to those."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from omaha_table.files import append_line

if TYPE_CHECKING:
    from pathlib import Path


SEEN = "seen"
"""The tag of an incident that was looked at."""


class Notes:
    """One JSON line a note, appended; a tag set twice is taken off."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._notes: dict[str, list[str]] = {}
        self._tags: dict[str, set[str]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                try:
                    self._take(json.loads(line))
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                    continue

    def _take(self, entry: dict[str, str]) -> None:
        key = entry["hand"]
        if not all(type(text) is str for text in entry.values()):
            raise TypeError("a note is text")
        if "tag" in entry:
            self._tags.setdefault(key, set()).symmetric_difference_update({entry["tag"]})
        else:
            self._notes.setdefault(key, []).append(entry["note"])

    def of(self, key: str) -> list[str]:
        return self._notes.get(key, [])

    def tags(self, key: str) -> set[str]:
        return self._tags.get(key, set())

    def tagged(self, tag: str) -> list[str]:
        return [key for key, tags in self._tags.items() if tag in tags]

    def add(self, key: str, **entry: str) -> None:
        """Writes a note or a tag, then knows it; raises OSError."""
        made = {"hand": key, "at": time.strftime("%Y-%m-%dT%H:%M:%S"), **entry}
        append_line(self._path, json.dumps(made))
        self._take(made)


def notes_beside(folder: Path) -> Path:
    return folder / "review-notes.jsonl"
