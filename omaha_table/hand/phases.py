"""The phases of a hand and the only ways from one to the next.

Everything that decides whether a command fits the moment is in this file: a phase without an
entry for a command refuses it. The diagram in the docs is drawn from `TRANSITIONS`.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pydantic_core import CoreSchema


class Street(IntEnum):
    PREFLOP = 0
    FLOP = 1
    TURN = 2
    RIVER = 3

    @property
    def word(self) -> str:
        return self.name.lower()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> CoreSchema:
        """In a record a street is its word."""
        from pydantic_core import core_schema  # for records alone, as for cards

        words = {street.word: street for street in cls}
        return core_schema.no_info_plain_validator_function(
            lambda word: words[word],
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda street: street.word, return_schema=core_schema.literal_schema([*words])
            ),
        )

    @property
    def following(self) -> Street:
        return Street(self + 1)

    @property
    def board_cards(self) -> int:
        """How many cards this street turns."""
        return (0, 3, 1, 1)[self]


class Phase(StrEnum):
    DEAL = "deal"
    """Blinds are posted; the hole cards are going out."""
    BETTING = "betting"
    BOARD = "board"
    """Betting is over on this street; the next community cards are due."""
    SHOWDOWN = "showdown"
    PUSH = "push"
    """One seat is left, or the winners are known: the pots are to be pushed."""
    ENDED = "ended"


class Move(StrEnum):
    """What brings a hand from one phase to another."""

    HOLE_CARDS_OUT = "hole cards out"
    STREET_CLOSED = "street closed"
    RIVER_CLOSED = "river closed"
    ONE_LEFT = "one seat left"
    BOARD_TURNED = "cards turned"
    READ = "every claim read"
    UNREAD = "claims left to read"
    PUSHED = "pots pushed"
    RULED = "ended by the floor"


TRANSITIONS: Final[dict[tuple[Phase, Move], Phase]] = {
    (Phase.DEAL, Move.HOLE_CARDS_OUT): Phase.BETTING,
    (Phase.BETTING, Move.STREET_CLOSED): Phase.BOARD,
    (Phase.BETTING, Move.RIVER_CLOSED): Phase.SHOWDOWN,
    (Phase.BETTING, Move.ONE_LEFT): Phase.PUSH,
    (Phase.BOARD, Move.BOARD_TURNED): Phase.BETTING,
    # Between streets a seat can throw its hand away, or a ruling declare it dead.
    (Phase.BOARD, Move.ONE_LEFT): Phase.PUSH,
    (Phase.SHOWDOWN, Move.READ): Phase.PUSH,
    (Phase.SHOWDOWN, Move.UNREAD): Phase.SHOWDOWN,
    (Phase.PUSH, Move.READ): Phase.PUSH,
    # A hand that is tabled late can overturn a winner the dealer has named.
    (Phase.PUSH, Move.UNREAD): Phase.SHOWDOWN,
    (Phase.PUSH, Move.PUSHED): Phase.ENDED,
} | {(phase, Move.RULED): Phase.ENDED for phase in Phase if phase is not Phase.ENDED}

# A shoe does not wait for the console: cards and trouble can come at any time in a hand. Nor does a
# player who pays the fee late.
_ALWAYS: Final = frozenset({"card", "trouble", "checked", "paid"})
COMMANDS: Final[dict[Phase, frozenset[str]]] = {
    # Before the first card a seat may be all in with its post, and that may be taken back.
    Phase.DEAL: _ALWAYS | {"deal", "act", "undo"},
    Phase.BETTING: _ALWAYS | {"act", "act_until", "clock", "outofturn", "undo"},
    Phase.BOARD: _ALWAYS | {"burn", "board", "outofturn", "undo"},
    Phase.SHOWDOWN: _ALWAYS | {"show", "muck", "read", "undo"},
    Phase.PUSH: _ALWAYS | {"push", "show", "muck", "read", "undo"},
    Phase.ENDED: frozenset(),
}
"""The commands a phase takes; a `card` that no slot waits for is an irregularity, not a refusal."""


def follow(phase: Phase, move: Move) -> Phase:
    """The phase after a move; a move that is not in the table cannot happen."""
    return TRANSITIONS[phase, move]
