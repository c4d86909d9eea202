"""The options of an adapter: a frozen dataclass whose fields are the settings a table can change.

@dataclass(frozen=True, slots=True)
class AcmeOptions:
    poll_seconds: float = 0.2
    cards: dict[str, str] = field(default_factory=dict)

options = read_options(AcmeOptions, settings.options)
"""

from __future__ import annotations

import difflib
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")


class OptionError(ValueError):
    """An option that the adapter does not have or cannot use. The message is shown to people."""


def read_options(kind: type[T], given: Mapping[str, object]) -> T:
    """The options with their defaults; raises OptionError for an unknown name or another type."""
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    types = get_type_hints(kind)
    for name, value in given.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f" Did you mean {near[0]}?" if near else f" Options: {', '.join(known)}."
            raise OptionError(f"{name}: unknown option.{hint}")
        if not _fits(value, types[name]):
            raise OptionError(f"{name}: expected {_text(types[name])}.")
    return kind(**given)


def _fits(value: object, wanted: Any) -> bool:
    origin, inside = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return value in inside
    if origin in (tuple, list):
        return isinstance(value, list) and all(_fits(one, inside[0]) for one in value)
    if origin is not None and isinstance(origin, type) and issubclass(origin, dict):
        return isinstance(value, dict) and all(_fits(one, inside[1]) for one in value.values())
    if wanted is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if wanted is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, wanted)


def _text(wanted: Any) -> str:
    origin, inside = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return " or ".join(repr(one) for one in inside)
    if origin in (tuple, list):
        return f"a list, each {_text(inside[0])}"
    if origin is not None:
        return f"a table, each {_text(inside[1])}"
    return {bool: "true or false", int: "a number", float: "a number", str: "text"}[wanted]
