"""Records as JSON: cards as text, streets as words, money as whole cents, a version beside them.

pydantic reads and writes the dataclasses that the program works with. A key that a kind of event
does not have is refused; a field with a default may be missing, so that old records stay readable.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import Any, Final, get_args, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import from_json as parse_json

from omaha_table.journal.events import Event, Record

VERSION: Final = 1
_HEAD: Final = frozenset({"type", "seq", "hand", "v"})
_STRICT: Final = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)
_BROKEN: Final = (ValidationError, ValueError, TypeError, KeyError, RecursionError)


class RecordError(ValueError):
    """A record that is not one of ours."""


def type_name(kind: type) -> str:
    """'hand_ended' for HandEnded."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


KINDS: Final[dict[str, type[Any]]] = {type_name(kind): kind for kind in get_args(Event)}


def _forbid_extra(hint: Any) -> None:
    """Has pydantic refuse unknown keys of a dataclass and of those inside it.

    Said here and not on the classes, because the core does not know of pydantic.
    """
    if not dataclasses.is_dataclass(hint):
        for inner in get_args(hint):
            _forbid_extra(inner)
    elif not hasattr(hint, "__pydantic_config__"):
        for inner in get_type_hints(hint).values():
            _forbid_extra(inner)
        # Last: another thread may take this as a sign that those inside are done.
        hint.__pydantic_config__ = _STRICT  # type: ignore[union-attr]


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:
        _forbid_extra(kind)
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


_ADAPTERS: Final[dict[type[Any], TypeAdapter[Any]]] = {}
"""Made when first needed: all of them take a tenth of a second."""


for _kind in KINDS.values():
    if _HEAD & {field.name for field in dataclasses.fields(_kind)}:
        raise TypeError(f"{_kind.__name__} has a field that every record has")


def encode(value: Any) -> dict[str, Any]:
    """A dataclass as JSON."""
    encoded: dict[str, Any] = _adapter(type(value)).dump_python(value, mode="json")
    return encoded


def decode(kind: type[Any], data: dict[str, Any]) -> Any:
    """The dataclass in JSON; raises RecordError."""
    try:
        return _adapter(kind).validate_python(data)
    except _BROKEN as error:
        raise RecordError(f"a broken {type_name(kind)}: {type(error).__name__}") from None


def to_json(record: Record) -> dict[str, Any]:
    """A record as it is printed."""
    head = {"type": type_name(type(record.event)), "seq": record.seq, "hand": record.hand}
    return head | to_stored(record.event)


def to_stored(event: Event) -> dict[str, Any]:
    """An event as a journal's row holds it: what has a column of its own is not in the body."""
    return {"v": VERSION} | encode(event)


def from_json(data: dict[str, Any]) -> Record:
    """The record in a JSON object; raises RecordError."""
    body = dict(data)
    try:
        name, seq, hand = body.pop("type"), body.pop("seq"), body.pop("hand")
    except KeyError as error:
        raise RecordError(f"not an event of this program: {error}") from None
    return Record(seq, hand, _event(name, body))


@functools.lru_cache(maxsize=2048)
def event_in(name: str, body: str) -> Any:
    """The event in a row's body; an evening has the same small ones again and again."""
    try:
        # Not `json`: that takes half a surrogate pair, which could not be printed or stored.
        data = parse_json(body)
    except (ValueError, TypeError):  # a damaged cell may not even be text
        data = None
    if not isinstance(data, dict):
        raise RecordError(f"a broken {name}: not an object")
    return _event(name, data)


def _event(name: str, body: dict[str, Any]) -> Any:
    kind = KINDS.get(name)
    if kind is None:
        raise RecordError(f"not an event of this program: {name!r}")
    version = body.pop("v", None)
    if type(version) is not int or version != VERSION:
        raise RecordError(f"written by another version: {version!r}, this one knows {VERSION}")
    return decode(kind, body)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a record: one of the kinds, each with its head."""
    _, schema = TypeAdapter.json_schemas(
        [(name, "serialization", _adapter(kind)) for name, kind in KINDS.items()],
        title="omaha-table events",
    )
    head = {
        "seq": {"type": "integer", "minimum": 1},
        "hand": {"type": ["integer", "null"]},
        "v": {"const": VERSION},
    }
    for name, kind in KINDS.items():
        part = schema["$defs"][kind.__name__]
        part["properties"] = {"type": {"const": name}, **head, **part.get("properties", {})}
        part["required"] = ["type", "seq", "hand", "v", *part.get("required", [])]
    schema["oneOf"] = [{"$ref": f"#/$defs/{kind.__name__}"} for kind in KINDS.values()]
    return schema
