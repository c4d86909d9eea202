"""A table driven at random through the choices its step offers, with what must always hold."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from omaha_table.cards import DECK, Card, parse_card
from omaha_table.floor import BY_NAME
from omaha_table.floor.files import demo_staff
from omaha_table.hand import Refused
from omaha_table.hand import commands as hand
from omaha_table.hand.events import (
    Acted,
    BackedUp,
    BoardDealt,
    FeeDue,
    FoldedOutOfTurn,
    HandDeclared,
    HandEnded,
    StreetClosed,
    Undone,
)
from omaha_table.hand.phases import Street
from omaha_table.journal.codec import from_json, to_json
from omaha_table.journal.replay import advance
from omaha_table.journal.writer import Clock
from omaha_table.session import Session
from omaha_table.table import commands as table
from omaha_table.table import open_table
from omaha_table.table.events import (
    AuthorityRefused,
    ChipsBought,
    FeeReturned,
    HandTakenBack,
    PlayerLeft,
    PlayerSeated,
    Ruled,
    StackAdjusted,
    StackSet,
    TableOpened,
    TakenBack,
)

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.floor import Give
    from omaha_table.hand import Choice, HandState
    from omaha_table.journal.events import Event, Record
    from omaha_table.rules import Profile
    from omaha_table.table import TableState
    from omaha_table.table.commands import TableCommand


def open_game(state: TableState, button: int) -> list[TableCommand]:
    """Gives a seat the first button as the rules say: it is placed, or the ace of a draw."""
    if state.profile.button.initial == "placed":
        return [table.PlaceButton(button)]
    cards = [card for card in DECK if card.rank != ACE.rank]
    return [
        table.Draw(seat, ACE if seat == button else card)
        for seat, card in zip(state.present, cards, strict=False)
    ]


ACE = parse_card("As")
STREETS = {"flop": Street.FLOP, "turn": Street.TURN, "river": Street.RIVER}


class Evening:
    """A session, the log of everything it did, and the checks after every event."""

    def __init__(self, profile: Profile, limit_id: str, folder: Path | None = None) -> None:
        limit = profile.limit(limit_id)
        assert limit is not None
        self.now = 1_800_000_000.0
        self.pace = 0.0
        """Seconds that pass with every command."""
        if folder is None:
            self.session = Session(profile, limit, demo_staff(), lambda: self.now)
        else:
            clock = Clock(lambda: self.now, lambda: self.now)
            self.session = Session.on_journal(
                folder, "session", profile, limit, demo_staff(), clock=clock
            )
        self.log: list[Record] = [*self.session.opening]
        self.outside = 0
        """Chips that came to the table less those that left it, the drop included."""

    def do(self, command: TableCommand) -> list[Record] | Refused:
        before = self.session.state
        self.now += self.pace
        done = self.session.do(command)
        if done.refusal is not None:
            assert self.session.state is before
            assert not done.records
            assert done.refusal.code
            assert done.refusal.message.endswith(".")
            assert done.refusal.rule
            assert done.refusal.source
            return done.refusal
        self._check(before, done.records)
        return done.records

    def rule(self, ruling: Give) -> Refused | None:
        """A ruling, with the same checks; one that is refused changes at most who is locked out."""
        before = self.session.state
        answer = self.session.rule(ruling)
        records, refusal = answer.records, answer.refusal
        assert (refusal is None) == any(isinstance(r.event, Ruled) for r in records)
        if refusal is not None:
            assert all(isinstance(r.event, AuthorityRefused) for r in records)
            assert self.session.state.hand is before.hand
            assert self.session.state.seats is before.seats
            assert refusal.message.endswith(".")
        else:
            assert BY_NAME[ruling.ruling].allowed(before), ruling
        self._check(before, records)
        return refusal

    def _check(self, before: TableState, done: list[Record]) -> None:
        self.log += done
        state = before
        for record in done:
            state = advance(state, record.event)
            assert record.seq == state.seq
            self._count(record.event, state)
            assert (
                chips(state) + sum(sum(held.values()) for held in state.impounded.values())
                == self.outside
            )
            if state.hand is not None:
                check_hand(state.hand)
        assert state == self.session.state

    def _count(self, event: Event, state: TableState) -> None:
        match event:
            case PlayerSeated(stack=stack):
                self.outside += stack or 0
            case ChipsBought(seat=seat, amount=amount):
                if state.seats[seat].stack is not None:
                    self.outside += amount
            case StackAdjusted(amount=amount):
                self.outside += amount
            case StackSet(stack=stack, was=was):
                self.outside += (stack or 0) - (was or 0)
            case PlayerLeft(stack=stack):
                self.outside -= stack or 0
            case TakenBack(seqs=seqs):
                for record in reversed([r for r in self.log if r.seq in seqs]):
                    self._uncount(record.event, state)
            case FeeReturned(seat=seat, amount=amount):
                if state.seats[seat].stack is not None:
                    self.outside += amount
            case HandEnded() as ended:
                taken = ended.fee + ended.jackpot
                # What seats that are not tracked won or lost came from or went outside.
                self.outside -= taken + sum(
                    ended.awards.get(seat, 0) - put_in
                    for seat, put_in in ended.invested.items()
                    if seat not in ended.stacks
                )
                assert sum(ended.invested.values()) == sum(ended.awards.values()) + taken
                for pot in ended.pots:
                    assert {*pot.high, *pot.low} <= set(pot.eligible)
                    assert sum(pot.high.values()) + sum(pot.low.values()) == pot.amount

    def _uncount(self, event: Event, state: TableState) -> None:
        """Chips that came or went with an entry that was taken back."""
        match event:
            case PlayerSeated(stack=stack):
                self.outside -= stack or 0
            case ChipsBought(seat=seat, amount=amount):
                if state.seats[seat].stack is not None:
                    self.outside -= amount
            case StackSet(stack=stack, was=was):
                self.outside -= (stack or 0) - (was or 0)
            case PlayerLeft(stack=stack):
                self.outside += stack or 0

    def check_log(self) -> None:
        """The log, written and read again, folds to the same state, and keeps the rules."""
        opening = from_json(to_json(self.log[0])).event
        assert isinstance(opening, TableOpened)
        state = open_table(opening)
        standing: list[Record] = []
        for record in self.log[1:]:
            again = from_json(to_json(record))
            assert again == record
            state = advance(state, again.event)
            if isinstance(record.event, Undone):
                taken_back = set(record.event.seqs)
                assert taken_back == {r.seq for r in standing if r.seq in taken_back}
                standing = [r for r in standing if r.seq not in taken_back]
            elif isinstance(record.event, BackedUp):
                standing = [
                    r
                    for r in standing
                    if r.hand != record.hand or getattr(r.event, "entry", 0) <= record.event.to
                ]
            else:
                standing.append(record)
        assert state == self.session.state
        check_actions(standing)


def chips(state: TableState) -> int:
    """All tracked chips: behind, in front and in the middle."""
    if state.hand is None:
        return sum(at.stack or 0 for at in state.seats.values())
    dealt = state.hand.seats
    behind = sum(at.stack or 0 for seat, at in state.seats.items() if seat not in dealt)
    return behind + sum(
        seat.stack + seat.put_in + seat.dead for seat in dealt.values() if seat.stack is not None
    )


def check_hand(state: HandState) -> None:
    assert len(state.board) in (0, 3, 4, 5)
    face_up = [*state.board, *(card for cards in state.tabled.values() for card in cards)]
    assert len(set(face_up)) == len(face_up)
    for seat in state.seats.values():
        assert seat.bet >= 0
        assert seat.put_in >= seat.bet
        assert seat.stack is None or seat.stack >= 0
        assert seat.bet <= state.price or seat.folded or not state.price
    cap = state.setup.profile.betting.max_raises
    assert not cap or state.uncapped or state.raises <= cap
    pots = state.pots()
    returned_later = state.pot_total - sum(pot.amount for pot in pots)
    assert returned_later >= 0
    assert state.cards_out <= len(state.setup.slots)


def check_actions(log: list[Record]) -> None:
    """No seat acts twice without more to call, a fee is due once, and the dead win nothing."""
    acted: dict[int, int] = {}
    price = 0
    folded: set[int] = set()
    fees = 0
    for record in log:
        match record.event:
            case Acted() as event:
                if event.seat in acted:
                    assert price > acted[event.seat], record
                assert event.seat not in folded
                price = max(price, event.to)
                acted[event.seat] = max(price, event.to)
                if event.action == "fold":
                    folded.add(event.seat)
            case FoldedOutOfTurn() as early:
                assert early.seat not in folded
                folded.add(early.seat)
            case StreetClosed() | BoardDealt():
                acted, price = {}, 0
            case HandDeclared() as declared:
                acted = {}
                folded = folded | {declared.seat} if declared.dead else folded - {declared.seat}
            case FeeDue():
                fees += 1
                assert fees == 1
            case HandTakenBack():
                acted, price, folded, fees = {}, 0, set(), 0
            case HandEnded() as ended:
                assert ended.by_ruling or not folded & ended.awards.keys()
                assert fees or not ended.fee + ended.jackpot
                acted, price, folded, fees = {}, 0, set(), 0


@st.composite
def command_for(draw: st.DrawFn, evening: Evening) -> TableCommand:
    """One of the choices of the step, with amounts inside what it says."""
    step = evening.session.step
    choice: Choice = draw(st.sampled_from(step.choices))
    state = evening.session.state.hand
    if state is not None and step.what in ("act", *STREETS) and draw(st.integers(0, 15)) == 15:
        waiting = [seat for seat in state.able if seat != state.actor]
        if waiting:
            return hand.FoldOutOfTurn(draw(st.sampled_from(waiting)))
    match choice.word:
        case "fold" | "check" | "call":
            return hand.Act(choice.word)
        case "bet" | "raise":
            assert choice.least is not None
            most = choice.most if choice.most is not None else choice.least * 3
            return hand.Act(choice.word, draw(st.integers(choice.least, most)))
        case "allin":
            assert state is not None
            assert step.seat is not None
            if choice.least is None:
                low = state.seats[step.seat].bet + 1
                return hand.Act("allin", draw(st.integers(low, low + 2 * state.price + 1000)))
            return hand.Act("allin")
        case "deal":
            return hand.Deal()
        case "card":
            face_up = state is not None and evening.session.next_card_is_face_up
            return hand.DealCard(draw(some_cards(state, 1))[0] if state and face_up else None)
        case "checked" | "floor":
            return hand.Settle()
        case "burn":
            return hand.Burn()
        case "flop" | "turn" | "river":
            street = STREETS[choice.word]
            assert state is not None
            cards = draw(some_cards(state, street.board_cards))
            return hand.Board(street, (*state.turned, *cards)[: street.board_cards])
        case "show":
            assert state is not None
            assert step.seat is not None
            hole = state.setup.profile.game.hole_cards
            return hand.Show(step.seat, draw(some_cards(state, hole)))
        case "muck":
            assert step.seat is not None
            return hand.Muck(step.seat)
        case "high" | "low":
            assert state is not None
            seats = draw(st.sets(st.sampled_from(state.contenders), min_size=choice.word == "high"))
            return hand.Read(choice.word, tuple(sorted(seats)))
        case "push":
            return hand.Push()
    raise AssertionError(choice.word)


def some_cards(state: HandState, count: int) -> st.SearchStrategy[tuple[Card, ...]]:
    """Cards that do not lie face up yet; one number stands for the choice."""
    rest = unseen(state)
    return st.integers(0, 2**32).map(lambda seed: tuple(random.Random(seed).sample(rest, count)))


def unseen(state: HandState) -> list[Card]:
    seen = {*state.board, *state.turned, *(c for cards in state.tabled.values() for c in cards)}
    return [card for card in DECK if card not in seen]
