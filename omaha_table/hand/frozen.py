"""`replace` for frozen states: a wrong field or type fails the type check, and copying is fast.

mypy checks calls of `dataclasses.replace` by its name, so this module passes that very function
to the type checker; an alias or a method with `**changes` would let anything through. At run time
a state is copied several times for every key, and copying its `__dict__` is about seven times as
fast as calling its constructor.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(state, /, **changes):
        """The same dataclass with some fields changed; the original stays as it is."""
        fields = getattr(state, "__dict__", None)
        if fields is None:  # with slots, and small
            return dataclasses.replace(state, **changes)
        # Joined before the copy is made: a copy's own empty dict would grow again and again.
        copied = fields | changes
        if len(copied) != len(fields):
            raise TypeError(f"no such field: {sorted(changes.keys() - fields.keys())}")
        copy = _new(type(state))
        _set(copy, "__dict__", copied)
        return copy

    _new, _set = object.__new__, object.__setattr__
