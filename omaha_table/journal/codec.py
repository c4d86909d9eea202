"""Records as JSON: cards as text, streets as words, money as whole cents, with a version number.

pydantic reads and writes the program's own dataclasses. Unknown keys are rejected; a field with a
default may be missing, so that old records stay readable.
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
    """Data that is not a record of this program."""


def type_name(kind: type) -> str:
    """'hand_ended' for HandEnded."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


KINDS: Final[dict[str, type[Any]]] = {type_name(kind): kind for kind in get_args(Event)}


def _forbid_extra(hint: Any) -> None:
    """Makes pydantic reject unknown keys of a dataclass and of the dataclasses inside it.

    Set here and not on the classes, because the core must not depend on pydantic.
    """
    if not dataclasses.is_dataclass(hint):
        for inner in get_args(hint):
            _forbid_extra(inner)
    elif not hasattr(hint, "__pydantic_config__"):
        for inner in get_type_hints(hint).values():
            _forbid_extra(inner)
        # Set last: another thread takes it as a sign that the classes inside are done.
        hint.__pydantic_config__ = _STRICT  # type: ignore[union-attr]


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:
        _forbid_extra(kind)
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


_ADAPTERS: Final[dict[type[Any], TypeAdapter[Any]]] = {}
"""Built on first use: building all of them takes a tenth of a second."""


for _kind in KINDS.values():
    if _HEAD & {field.name for field in dataclasses.fields(_kind)}:
        raise TypeError(f"{_kind.__name__} reuses the name of a field that every record has")


def encode(value: Any) -> dict[str, Any]:
    """A dataclass as JSON data."""
    encoded: dict[str, Any] = _adapter(type(value)).dump_python(value, mode="json")
    return encoded


def decode(kind: type[Any], data: dict[str, Any]) -> Any:
    """The dataclass in JSON data; raises RecordError."""
    try:
        # Not through the adapter's own method, which looks up a frame for each event.
        return _adapter(kind).validator.validate_python(data)
    except _BROKEN as error:
        raise RecordError(
            f"the data of {type_name(kind)} is damaged ({type(error).__name__})"
        ) from None


def to_json(record: Record) -> dict[str, Any]:
    """A record as it is printed."""
    head = {"type": type_name(type(record.event)), "seq": record.seq, "hand": record.hand}
    return head | to_stored(record.event)


def to_stored(event: Event) -> dict[str, Any]:
    """An event as the body of a journal row: what has its own column is left out."""
    return {"v": VERSION} | encode(event)


def from_json(data: dict[str, Any]) -> Record:
    """The record in a JSON object; raises RecordError."""
    body = dict(data)
    try:
        name, seq, hand = body.pop("type"), body.pop("seq"), body.pop("hand")
    except KeyError as error:
        raise RecordError(f"not an event of this program: {error} is missing") from None
    return Record(seq, hand, _event(name, body))


@functools.lru_cache(maxsize=2048)
def event_in(name: str, body: str) -> Any:
    """The event in a row's body; cached, because most of an evening's events are alike."""
    try:
        # Not `json`, which accepts half a surrogate pair; that cannot be printed or stored.
        data = parse_json(body)
    except (ValueError, TypeError):  # a damaged cell may not even be text
        data = None
    if not isinstance(data, dict):
        raise RecordError(f"the data of {name} is damaged (not a JSON object)")
    return _event(name, data)


def _event(name: str, body: dict[str, Any]) -> Any:
    kind = KINDS.get(name)
    if kind is None:
        raise RecordError(f"not an event of this program: {name!r}")
    version = body.pop("v", None)
    if type(version) is not int or version != VERSION:
        raise RecordError(f"written in format {version!r}; this program reads format {VERSION}")
    return decode(kind, body)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a record: one of the kinds, each with the common fields."""
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
