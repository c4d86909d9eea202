"""Events at the edge: one pydantic model per event, with a version and a stable JSON form.

Inside the program events are plain dataclasses. The models are made from them, so that a field
is named once; cards are written as text, streets as words, money as whole cents.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import types
from dataclasses import dataclass
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    WithJsonSchema,
    create_model,
)
from pydantic.json_schema import models_json_schema

from omaha_table.cards import Card, parse_card
from omaha_table.hand.phases import Street
from omaha_table.table.events import TableEvent

VERSION: Final = 1


_HEAD: Final = frozenset({"type", "seq", "hand", "v"})


class RecordError(ValueError):
    """A record that is not one of ours."""


@dataclass(frozen=True, slots=True)
class Record:
    """An event with its place in the log. `hand` is None between hands."""

    seq: int
    hand: int | None
    event: TableEvent


class _Wire(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="forbid", from_attributes=True, arbitrary_types_allowed=True
    )


def _as_card(value: object) -> object:
    return parse_card(value) if isinstance(value, str) else value


def _as_street(value: object) -> object:
    return Street[value.upper()] if isinstance(value, str) else value


_CARD: Final = Annotated[
    Card,
    BeforeValidator(_as_card),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": "string", "pattern": "^[2-9TJQKA][cdhs]$"}),
]
_STREET: Final = Annotated[
    Street,
    BeforeValidator(_as_street),
    PlainSerializer(lambda street: street.word, return_type=str),
    WithJsonSchema({"enum": [street.word for street in Street]}),
]


def _wire_type(hint: Any) -> Any:
    """The type of a field at the edge."""
    if hint is Card:
        return _CARD
    if hint is Street:
        return _STREET
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _model(hint)
    origin = get_origin(hint)
    if origin is types.UnionType or origin is Union:
        return Union[tuple(map(_wire_type, get_args(hint)))]  # noqa: UP007 - made at run time
    if origin in (tuple, dict):
        return origin[tuple(arg if arg is ... else _wire_type(arg) for arg in get_args(hint))]
    return hint


def _model(kind: type[Any]) -> type[_Wire]:
    if kind not in _MODELS:
        _MODELS[kind] = _make_model(kind)
    return _MODELS[kind]


_MODELS: Final[dict[type[Any], type[_Wire]]] = {}


def _make_model(kind: type[Any]) -> type[_Wire]:
    hints = get_type_hints(kind)
    if _HEAD & {field.name for field in dataclasses.fields(kind)}:
        raise TypeError(f"{kind.__name__} has a field that every record has")
    fields = {
        field.name: (_wire_type(hints[field.name]), ...) for field in dataclasses.fields(kind)
    }
    made: type[_Wire] = create_model(
        kind.__name__,
        __base__=_Wire,
        __doc__=kind.__doc__ if not (kind.__doc__ or "").startswith(kind.__name__) else None,
        **fields,  # type: ignore[call-overload]
    )
    return made


def type_name(kind: type) -> str:
    """'hand_ended' for HandEnded."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


KINDS: Final[dict[str, type[Any]]] = {type_name(kind): kind for kind in get_args(TableEvent)}


def encode(value: Any) -> dict[str, Any]:
    """A dataclass as JSON."""
    return _model(type(value)).model_validate(value).model_dump(mode="json")


def decode(kind: type[Any], data: dict[str, Any]) -> Any:
    """The dataclass in JSON; raises RecordError."""
    try:
        return _inside(kind, _model(kind).model_validate(data))
    except (ValidationError, ValueError, TypeError, KeyError) as error:
        raise RecordError(f"a broken {type_name(kind)}: {type(error).__name__}") from None


def to_json(record: Record) -> dict[str, Any]:
    """A record as it is printed and stored."""
    kind: type[Any] = type(record.event)
    body = encode(record.event)
    return {"type": type_name(kind), "seq": record.seq, "hand": record.hand, "v": VERSION, **body}


def from_json(data: dict[str, Any]) -> Record:
    """The record in a JSON object; raises RecordError."""
    body = dict(data)
    try:
        kind = KINDS[body.pop("type")]
        version, seq, hand = body.pop("v"), body.pop("seq"), body.pop("hand")
    except KeyError as error:
        raise RecordError(f"not an event of this program: {error}") from None
    if version != VERSION:
        raise RecordError(f"written by another version: {version!r}, this one knows {VERSION}")
    return Record(seq, hand, decode(kind, body))


def from_stored(seq: int, hand: int | None, name: str, body: str) -> Record:
    """The record in a row of a journal, whose body is JSON; raises RecordError."""
    return Record(seq, hand, event_in(name, body))


@functools.lru_cache(maxsize=2048)
def event_in(name: str, body: str) -> Any:
    """The event in a row's body; an evening has the same small ones again and again."""
    kind = KINDS.get(name)
    if kind is None:
        raise RecordError(f"not an event of this program: {name!r}")
    try:
        return _inside(kind, _stored(kind).model_validate_json(body))
    except (ValidationError, ValueError, TypeError, KeyError) as error:
        raise RecordError(f"a broken {name}: {type(error).__name__}") from None


def _stored(kind: type[Any]) -> type[_Wire]:
    """An event as a journal holds it: with the version beside its fields."""
    if kind not in _STORED:
        version = (int, Field(ge=VERSION, le=VERSION))
        _STORED[kind] = create_model(kind.__name__, __base__=_model(kind), v=version)
    return _STORED[kind]


_STORED: Final[dict[type[Any], type[_Wire]]] = {}


def _inside(kind: type[Any], model: BaseModel) -> Any:
    """The dataclass of a model."""
    names, nested = _FIELDS.get(kind) or _learn_fields(kind)
    values = [getattr(model, name) for name in names]
    for at, inner in nested:
        values[at] = _nested(inner, values[at])
    return kind(*values)


_FIELDS: Final[dict[type[Any], tuple[tuple[str, ...], list[tuple[int, type[Any]]]]]] = {}
"""The fields of a kind in order, and which of them hold other dataclasses."""


def _learn_fields(kind: type[Any]) -> tuple[tuple[str, ...], list[tuple[int, type[Any]]]]:
    hints = get_type_hints(kind)
    names = tuple(field.name for field in dataclasses.fields(kind))
    found = [(at, _dataclass_in(hints[name])) for at, name in enumerate(names)]
    _FIELDS[kind] = names, [(at, inner) for at, inner in found if inner is not None]
    return _FIELDS[kind]


def _nested(kind: type[Any], value: Any) -> Any:
    if isinstance(value, BaseModel):
        return _inside(kind, value)
    if isinstance(value, tuple):
        return tuple(_inside(kind, inner) for inner in value)
    if isinstance(value, dict):
        return {key: _inside(kind, inner) for key, inner in value.items()}
    return value


def _dataclass_in(hint: Any) -> Any:
    """The dataclass in a field's type, however it is wrapped."""
    if dataclasses.is_dataclass(hint):
        return hint
    return next(filter(None, map(_dataclass_in, get_args(hint))), None)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a record: one of the kinds, each with its head."""
    _, schema = models_json_schema(
        [(_model(kind), "serialization") for kind in KINDS.values()],
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
