"""The desk: the one object through which console, script and simulated players use a table."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from omaha_table.floor import Staff, give
from omaha_table.floor import read as read_ruling
from omaha_table.hand import Refused, Step
from omaha_table.hand.commands import DealCard, Show
from omaha_table.hand.events import CardDealt, HandStarted
from omaha_table.journal.codec import Record
from omaha_table.table import apply, decide, open_table
from omaha_table.table.events import TableOpened
from omaha_table.table.step import step

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.cards import Card
    from omaha_table.floor import Give
    from omaha_table.rules import Limit, Profile
    from omaha_table.table import TableState
    from omaha_table.table.commands import TableCommand
    from omaha_table.table.events import TableEvent


class Desk:
    """A table in memory. Commands go in by `do`; what happened comes out as records."""

    def __init__(
        self,
        profile: Profile,
        limit: Limit,
        staff: Staff | None = None,
        clock: Callable[[], float] = time.time,
        *,
        deck_required: bool = False,
    ) -> None:
        opened = TableOpened(
            profile.id, profile.profile.version, limit.id, deck_required, profile.as_data()
        )
        self._state = open_table(opened)
        self.opening = Record(1, None, opened)
        self._staff = staff if staff is not None else Staff()
        self._clock = clock
        self._face_down = _FaceDown()

    @property
    def state(self) -> TableState:
        return self._state

    @property
    def step(self) -> Step:
        """What the table must do now."""
        return step(self._state)

    def do(self, command: TableCommand) -> list[Record] | Refused:
        """Carries a command out, all of it or nothing."""
        passed = None
        if isinstance(command, DealCard) and not self._lies_face_up():
            command, passed = DealCard(), command.card
        elif isinstance(command, Show):
            shown = self._shown(command)
            if isinstance(shown, Refused):
                return shown
            command = shown
        decided = decide(self._state, command)
        if isinstance(decided, Refused):
            return decided
        records = [self._record(event) for event in decided]
        if passed is not None:
            for event in decided:
                if isinstance(event, CardDealt) and event.seat is not None:
                    self._face_down.add(event.seat, passed)
        return records

    def rule(self, ruling: Give) -> tuple[list[Record], Refused | None]:
        """Carries a ruling out; a refusal may leave a record too, where it concerns authority."""
        made, refusal = give(self._state, self._staff, ruling, int(self._clock()))
        return [self._record(event) for event in made], refusal

    def effect(self, ruling: Give) -> str | Refused:
        """What a ruling would do, in one sentence."""
        try:
            return read_ruling(self._state, ruling)[0].effect
        except Refused as refusal:
            return refusal

    def _shown(self, command: Show) -> Show | Refused:
        """A tabled hand with the cards the shoe has read; they must not differ from those keyed."""
        dealt = self._face_down.of(command.seat)
        if not command.cards:
            return Show(command.seat, dealt)
        whole = len(dealt) == self._state.profile.game.hole_cards
        if whole and set(dealt) != set(command.cards):
            return Refused(
                "cards_speak",
                f"Seat {command.seat}'s cards are not those the shoe dealt: show it without cards, "
                "or call the floor.",
                self._state.profile,
            )
        return command

    def _lies_face_up(self) -> bool:
        """Whether the card that comes next is turned up for all to see."""
        hand = self._state.hand
        if hand is None or hand.next_slot is None:
            return False
        return hand.setup.slots[hand.next_slot].kind not in ("hole", "burn")

    def _record(self, event: TableEvent) -> Record:
        before = self._state
        self._state = apply(before, event)
        if isinstance(event, HandStarted):
            self._face_down = _FaceDown()
        running = self._state if self._state.hand is not None else before
        hand = running.hands if running.hand is not None else None
        return Record(self._state.seq, hand, event)


class _FaceDown:
    """The hole cards a shoe has read, kept out of every state, event and traceback."""

    __slots__ = ("_cards",)

    def __init__(self) -> None:
        self._cards: dict[int, list[Card]] = {}

    def add(self, seat: int, card: Card) -> None:
        self._cards.setdefault(seat, []).append(card)

    def of(self, seat: int) -> tuple[Card, ...]:
        return tuple(self._cards.get(seat, ()))

    def __repr__(self) -> str:
        return "<face down>"
