"""A value that nobody may see: the identity of a face-down card."""

from __future__ import annotations

from typing import Any, Generic, NoReturn, TypeVar, final

T = TypeVar("T")


@final
class Sealed(Generic[T]):
    """Cannot be shown, compared, copied or serialized; only `reveal` returns the value."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "<sealed>"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return "<sealed>"

    def __rich_repr__(self) -> list[object]:
        return []

    def __eq__(self, other: object) -> NoReturn:
        raise TypeError("a sealed card cannot be compared")

    def __hash__(self) -> NoReturn:
        raise TypeError("a sealed card cannot be compared")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a sealed card cannot be copied")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a sealed card cannot be copied")

    def __copy__(self) -> NoReturn:
        raise TypeError("a sealed card cannot be copied")

    def __deepcopy__(self, memo: dict[int, Any]) -> NoReturn:
        raise TypeError("a sealed card cannot be copied")


def reveal(sealed: Sealed[T]) -> T:
    """The only way to the value. Call it only where the rules turn the card face up."""
    return sealed._value
