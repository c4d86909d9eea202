"""Practice: the same table, with marks. What was keyed against what was said, and what was read.

Situations go through the same commands as everything else, so that what a dealer learns here is
what the table will ask for.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from omaha_table.cards import format_cards
from omaha_table.dealer.event_text import chips
from omaha_table.demo.evidence import Evidence, difference
from omaha_table.demo.practice_table import PracticeTable
from omaha_table.demo.score import Score
from omaha_table.hand.events import (
    Acted,
    BackedUp,
    BoardDealt,
    HandEnded,
    HandStarted,
    Mucked,
    RemedyOrdered,
    Tabled,
    Undone,
)
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omaha_table.cards import Card
    from omaha_table.demo.emulated_table import Life
    from omaha_table.demo.evidence import HandRead, RaiseAnswer
    from omaha_table.demo.situations import Situation
    from omaha_table.journal.events import Record


class Examiner:
    """Watches the console and compares what is recorded with what was said."""

    def __init__(
        self,
        life: Life,
        situation: Situation | None = None,
        *,
        before: Examiner | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._life, self._situation, self._clock = life, situation, clock
        self._console = console = life.console
        self._events: list[Record] = [] if before is None else before._events
        self._score: Score = Score() if before is None else before.score
        self._began: float | None = None if before is None else before._began
        # A console that was started again counts from zero.
        self._counted = (0, 0) if before is None else (self._score.refusals, self._score.keys)
        self._reading_since: float | None = None
        if situation is not None:
            self._score.situation = situation.name
        asks = PracticeTable().asks_for_raise if situation is None else situation.asks_for_raise
        table = PracticeTable(asks_for_raise=asks) if before is None else before.table
        self._set_table(table)
        life.on_deal = self._dealt
        self._dealt()
        console.listeners.append(self.look)

    @property
    def table(self) -> PracticeTable:
        """With what the dealer has read so far."""
        table = self._console.model.modes[0]
        assert isinstance(table, PracticeTable)
        return table

    @property
    def score(self) -> Score:
        """As it stands now. Until a situation is over, it is not handled."""
        score, console, table = self._score, self._console, self.table
        score.refusals = self._counted[0] + console.model.refusals
        score.keys = self._counted[1] + console.model.keys
        score.read = len(table.readings) + len(table.answers)
        score.misread = [*map(_misreading, filter(_is_wrong, table.readings))]
        score.misread += [_misjudged(given) for given in table.answers if given.said != given.right]
        if self._situation is not None:
            score.failed = self._situation.judge(self._evidence())
        return score

    @property
    def hands(self) -> int:
        return self._score.hands

    def look(self, records: Sequence[Record]) -> None:
        """Takes in what has just been recorded, while the player's words still stand."""
        score = self._score
        for record in records:
            event = record.event
            self._events.append(record)
            match event:
                case HandStarted():
                    self._began = self._clock() if self._began is None else self._began
                case Acted() | Mucked() | Tabled():
                    score.actions += 1
                    self._compare(record, event)
                case BoardDealt():
                    self._compare_board(record, event)
                case Undone():
                    score.undos += 1
                    self._take_back(event.seqs)
                case BackedUp():
                    self._take_back(self._after(event.to))
                    self._lose_sight()
                case RemedyOrdered():
                    self._replace_exposed(event)
                case HandEnded():
                    score.hands += 1
                    score.seconds = self._clock() - (self._began or 0.0)

        self._settle()

    def tick(self) -> None:
        """Shows what was named wrong; and the time that the dealer reads is not one of dealing."""
        now, state = self._clock(), self._console.session.state
        if self.table.told != state.hands and isinstance(self._console.model.mode, PracticeTable):
            page = self.table.correction(state)
            if page is not None:
                self._set_table(replace(self.table, told=state.hands))
                self._console.model = self._console.model.enter(page)
        reading = self.table.asks(self._console.model)
        if reading and self._reading_since is not None and self._began is not None:
            self._began += now - self._reading_since
        self._reading_since = now if reading else None

    def _dealt(self) -> None:
        """The cards of the hand are laid down."""
        self._set_table(replace(self.table, dealt=self._life.dealt))

    def _settle(self) -> None:
        """The winners may all have been named to the console: nothing is left to ask."""
        self._set_table(self.table.settled(self._console.session.state))

    def _set_table(self, table: PracticeTable) -> None:
        model = self._console.model
        self._console.model = replace(model, modes=(table, *model.modes[1:]))

    def _after(self, entry: int) -> list[int]:
        """The numbers of the events of this hand that came after an entry."""
        gone: list[int] = []
        for record in reversed(self._events):
            if isinstance(record.event, HandStarted):
                break
            if getattr(record.event, "entry", 0) > entry:
                gone.append(record.seq)
        return gone

    def _take_back(self, seqs: Sequence[int]) -> None:
        self._events = [record for record in self._events if record.seq not in seqs]
        for seq in seqs:
            self._score.wrong.pop(seq, None)

    def _lose_sight(self) -> None:
        """The shoe goes on with other cards than those of the deal; by hand they stay the same."""
        if not self._life.by_hand:
            self._life.deal(None)

    def _replace_exposed(self, event: RemedyOrdered) -> None:
        life = self._life
        if life.dealt is None:
            return
        if event.kind != "exposed_card" or event.seat is None:
            self._lose_sight()
            return
        place = life.struck[1] if life.struck is not None else 0
        life.deal(life.dealt.replace_exposed(event.seat, place))

    def _evidence(self) -> Evidence:
        struck = self._life.struck
        return Evidence(
            [record.event for record in self._events],
            tuple(reading for reading in self.table.readings if reading.hand == 1),
            tuple(answer for answer in self.table.answers if answer.hand == 1),
            None if struck is None else struck[0],
        )

    # What was keyed

    def _compare(self, record: Record, event: Acted | Mucked | Tabled) -> None:
        intent, console = self._life.heard, self._console
        if intent is None:
            return
        name = console.session.state.seats[event.seat].name
        if isinstance(event, Acted):
            all_in = intent.word == "allin"
            right = event.all_in if all_in else event.action == intent.word
            if intent.amount is not None and not all_in:
                right = right and event.to == intent.amount
            done: str = event.action
            if event.action in ("bet", "raise") and intent.amount is not None:
                done = f"{event.action} {chips(event.to)}"
        else:
            done = "muck" if isinstance(event, Mucked) else "show"
            right = done == intent.word
        if not right:
            text = f'{name} said "{intent.announcement()}", keyed was {done}'
            self._score.wrong[record.seq] = text
        elif isinstance(event, Tabled) and self._life.dealt is not None:
            self._compare_cards(record, f"{name} tabled", self._life.dealt.held(event.seat), event)

    def _compare_board(self, record: Record, event: BoardDealt) -> None:
        if self._life.dealt is not None:
            street = self._life.dealt.street(event.street)
            self._compare_cards(record, f"The {event.street.word} was", street, event)

    def _compare_cards(
        self, record: Record, what: str, cards: Sequence[Card], event: Tabled | BoardDealt
    ) -> None:
        if set(cards) != set(event.cards):
            keyed = format_cards(event.cards)
            self._score.wrong[record.seq] = f"{what} {format_cards(cards)}, keyed was {keyed}"


def _is_wrong(reading: HandRead) -> bool:
    return bool(reading.wrong)


def _misreading(reading: HandRead) -> str:
    said, right = reading.wrong[0]
    return f"Hand {reading.hand}: {difference(said, right, reading.pots)}"


def _misjudged(answer: RaiseAnswer) -> str:
    may = "may raise" if answer.right else "may only call or fold"
    return f"Hand {answer.hand}: seat {answer.seat} {may}; you said otherwise."
