"""The table of a practice: the dealer reads each showdown before the console says what it sees.

A mode in the place of the table's own. It asks at the steps where there is something to read, and
leaves everything else to the console as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from omaha_table.dealer.change import Change, clear, type_digit
from omaha_table.dealer.event_text import chips, pot_name
from omaha_table.dealer.modes.at_table import AtTable
from omaha_table.dealer.modes.pages import Reading
from omaha_table.dealer.modes.table_keys import typed_caption, ways_out
from omaha_table.dealer.table_view import Staging
from omaha_table.demo.evidence import HandRead, PotRead, RaiseAnswer, difference
from omaha_table.evaluate.words import describe_high, describe_low
from omaha_table.hand.betting import options
from omaha_table.hand.frozen import replace
from omaha_table.hand.phases import Phase
from omaha_table.hand.showdown import claims, end_hand, read_tabled, state_drop

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.demo.deal import DealtHand
    from omaha_table.hand import HandState
    from omaha_table.table import TableState

_PAGE: Final = 64


class Question(NamedTuple):
    what: Literal["high", "low", "amount"]
    pot: int
    seat: int = 0
    """Of an amount."""


class Reply(NamedTuple):
    question: Question
    seats: tuple[int, ...] = ()
    cents: int = 0


@dataclass(frozen=True, slots=True)
class PracticeTable(AtTable):
    dealt: DealtHand | None = None
    """The cards of this hand, as the players hold them."""
    asks_for_raise: Callable[[HandState], bool] = lambda _hand: False
    at: tuple[int, int] = (0, 0)
    """The hand and the entry that the replies are about; what is taken back is asked again."""
    replies: tuple[Reply, ...] = ()
    tied: tuple[int, ...] = ()
    """Named so far of a tie."""
    readings: tuple[HandRead, ...] = ()
    told: int = 0
    """The last hand of which it was said what was read wrong."""
    answers: tuple[RaiseAnswer, ...] = ()

    # What is shown

    def show(self, model: Model, strip: Strip) -> Prompt:
        now = self._now(model)
        if _raise_is_asked(now, model):
            return now._ask_raise(model, strip)
        question = now._question(model)
        if question is None:
            return AtTable.show(self, model, strip)
        if question.what == "amount":
            return now._ask_amount(model, strip, question)
        return now._ask_winners(model, strip, question)

    def staging(self, model: Model) -> Staging:
        """Nothing is told before the dealer has read it; hands that nobody reads lie face up."""
        hand = model.state.hand
        if hand is None or not _is_shown_down(hand):
            return Staging()
        read = any(reading.hand == model.state.hands for reading in self.readings)
        return Staging(readings=read, face_up=self._face_up(model, hand))

    def _face_up(self, model: Model, hand: HandState) -> dict[int, tuple[str, ...]]:
        if self.dealt is None or self.dealt.number != model.state.hands:
            return {}
        hidden = {*hand.tabled, *hand.mucked, *model.facts.readable}
        return {
            seat: tuple(card.text for card in self.dealt.held(seat))
            for seat in hand.contenders
            if seat not in hidden
        }

    # What is asked

    def asks(self, model: Model) -> bool:
        """Whether the dealer is reading now, before the console does."""
        now = self._now(model)
        reads = now._question(model) is not None or _raise_is_asked(now, model)
        return reads or isinstance(model.mode, Reading)

    def _now(self, model: Model) -> PracticeTable:
        return self._at(model.state)

    def _at(self, state: TableState) -> PracticeTable:
        """Without the replies to what does not stand any more."""
        hand = state.hand
        at = (state.hands, 0 if hand is None else hand.entry)
        return self if self.at == at else replace(self, at=at, replies=(), tied=())

    def _question(self, model: Model) -> Question | None:
        """The next thing to read; None: all is read, or there is nothing to read."""
        hand = model.state.hand
        if hand is None or not self._is_to_read(model.state):
            return None
        given = {reply.question for reply in self.replies}
        return next((one for one in self._questions(hand) if one not in given), None)

    def _is_to_read(self, state: TableState) -> bool:
        """Whether the winners are known to the console now, and not read yet."""
        hand = state.hand
        if hand is None or hand.phase is not Phase.PUSH or not _is_shown_down(hand):
            return False
        if hand.trouble is not None or self._true_hand(hand) is None:
            return False
        return all(reading.hand != state.hands for reading in self.readings)

    def _questions(self, hand: HandState) -> list[Question]:
        """Pot by pot as they are pushed: high, low, and the shares where there is a split.

        What the dealer has told the console by naming the winners is not asked again.
        """
        asked: list[Question] = []
        for number in _contested(hand):
            if not _named_by_dealer(hand, number):
                asked.append(Question("high", number))
                if hand.setup.profile.splits:
                    asked.append(Question("low", number))
            named = dict.fromkeys((*self._named(hand, "high", number),
                                   *self._named(hand, "low", number)))  # fmt: skip
            if len(named) > 1:
                asked += [Question("amount", number, seat) for seat in named]
        return asked

    def _named(self, hand: HandState, side: Literal["high", "low"], number: int) -> tuple[int, ...]:
        if _named_by_dealer(hand, number):
            read = hand.read_high if side == "high" else hand.read_low
            return tuple(sorted(read.get(number, ())))
        question = Question(side, number)
        given = (reply.seats for reply in self.replies if reply.question == question)
        return tuple(sorted(next(given, ())))

    def _ask_winners(self, model: Model, strip: Strip, question: Question) -> Prompt:
        live = claims(model.hand, model.hand.pots()[question.pot])
        typed, side = model.number, question.what
        named = tuple(dict.fromkeys((*self.tied, *((typed,) if typed in live else ()))))
        listed = " ".join(map(str, live))
        if typed is not None and typed not in live:
            why = f"Seat {typed} cannot win this pot. Live hands: {listed}."
            strip.explain("ENTER", why=why)
        elif named:
            label = f"{side.upper()}: SEAT{'S' if len(named) > 1 else ''} "
            label += " ".join(map(str, named))
            strip.add("ENTER", label, lambda now: self._reply(now, Reply(question, named)),
                      strong=True)  # fmt: skip
        else:
            strip.when_pressed("ENTER", f"Type the winner's seat: {listed}.")
        if typed in live:
            strip.add("+", "TIE WITH ANOTHER", lambda now: self._tie(now, named))
        if side == "low" and not named:
            strip.add("-", "NO LOW", lambda now: self._reply(now, Reply(question)))
        strip.digits("SEAT", type_digit)
        self._way_back(model, strip)
        so_far = f"   So far: {' '.join(map(str, self.tied))}." if self.tied else ""
        detail = f"{_pot(model.hand, question.pot)}.  You read first.  Live hands: {listed}."
        title = f"{side.upper()}: WHO WINS?"
        return strip.prompt("DEALER", title, f"{detail}{so_far}", *typed_caption(model, "SEAT"))

    def _ask_amount(self, model: Model, strip: Strip, question: Question) -> Prompt:
        amount, seat = model.amount, question.seat
        whole = state_drop(model.hand).pots[question.pot].amount
        if amount is not None and amount > whole:
            why = f"There is only {chips(whole)} to push. Press . to clear."
            strip.explain("ENTER", why=why)
        elif amount is not None:
            reply = Reply(question, cents=amount)
            strip.add("ENTER", f"SEAT {seat} GETS {chips(amount)}",
                      lambda now: self._reply(now, reply), strong=True)  # fmt: skip
        else:
            strip.when_pressed("ENTER", f"Type what seat {seat} gets of this pot.")
        strip.digits("AMOUNT", type_digit)
        if not strip.decimal_point(model, cents=model.state.profile.has_cents):
            self._way_back(model, strip)
        number = question.pot
        high = " ".join(map(str, self._named(model.hand, "high", number)))
        low = " ".join(map(str, self._named(model.hand, "low", number)))
        won = f"High {high}" + (f", low {low}" if low else "")
        detail = f"{_pot(model.hand, number)} to push.  {won}.  High and low together."
        return strip.prompt("DEALER", f"SEAT {seat} GETS?", detail, *typed_caption(model))

    def _way_back(self, model: Model, strip: Strip) -> None:
        if model.typed:
            strip.add(".", f"CLEAR {model.typed}", clear)
        elif self.tied:
            strip.add(".", "BACK", lambda now: Change(now.become(replace(self, tied=()))))
        elif self.replies:
            strip.add(".", "BACK", self._forget_last)
        else:
            ways_out(model, strip)

    def _forget_last(self, model: Model) -> Change:
        return Change(model.become(replace(self, replies=self.replies[:-1])))

    def _tie(self, model: Model, named: tuple[int, ...]) -> Change:
        return Change(model.clear().become(replace(self, tied=named)))

    def _reply(self, model: Model, reply: Reply) -> Change:
        """Takes a reply in; after the last one, says what is right."""
        table = replace(self, replies=(*self.replies, reply), tied=())
        model = model.clear().become(table)
        if table._question(model) is not None:
            return Change(model)
        return table._compare(model)

    def settled(self, state: TableState) -> PracticeTable:
        """With the reading of a showdown that the dealer has told the console in full."""
        table = self._at(state)
        hand = state.hand
        if hand is None or not table._is_to_read(state) or table._questions(hand):
            return self
        return table._with_reading(state)

    def _with_reading(self, state: TableState) -> PracticeTable:
        hand = state.hand
        shown = None if hand is None else self._true_hand(hand)
        if hand is None or shown is None or not _contested(hand):
            return self
        right = tuple(self._right(shown, number) for number in _contested(hand))
        said = tuple(self._said(hand, pot.number) for pot in right)
        reading = HandRead(state.hands, said, right, len(hand.pots()))
        return replace(self, readings=(*self.readings, reading))

    def _compare(self, model: Model) -> Change:
        table = replace(self._with_reading(model.state), told=model.state.hands)
        page = table.correction(model.state)
        model = model.become(table)
        if page is not None:
            return Change(model.enter(page))
        return Change(model.inform("You read it right. Push it so."))

    def correction(self, state: TableState) -> Reading | None:
        """What the dealer read wrong in this hand, and what the cards say."""
        hand = state.hand
        reading = next((one for one in self.readings if one.hand == state.hands), None)
        shown = None if hand is None else self._at(state)._true_hand(hand)
        if hand is None or reading is None or shown is None or not reading.wrong:
            return None
        lines = list[str]()
        for wrong, right in reading.wrong:
            lines += wrap(difference(wrong, right, reading.pots), _PAGE)
            lines += [f"  {line}" for line in _words(shown, right)]
        if any(_named_by_dealer(hand, right.number) for _, right in reading.wrong):
            lines += ["", "Take back with . what the console was told wrong."]
        return Reading("READ IT AGAIN", tuple(lines))

    def _said(self, hand: HandState, number: int) -> PotRead:
        amounts = tuple(sorted(
            (reply.question.seat, reply.cents)
            for reply in self.replies
            if reply.question.what == "amount" and reply.question.pot == number
        ))  # fmt: skip
        high, low = self._named(hand, "high", number), self._named(hand, "low", number)
        return PotRead(number, high, low, amounts)

    def _right(self, shown: HandState, number: int) -> PotRead:
        award = end_hand(shown, 0).pots[number]
        shares: dict[int, int] = {}
        for part in (award.high, award.low):
            for seat, cents in part.items():
                shares[seat] = shares.get(seat, 0) + cents
        return PotRead(
            number,
            tuple(sorted(award.high)),
            tuple(sorted(award.low)),
            tuple(sorted(shares.items())),
        )

    def _true_hand(self, hand: HandState) -> HandState | None:
        """The hand with all its cards face up; None: somebody's are not known."""
        dealt = self.dealt
        live = [seat for seat in hand.contenders if seat not in hand.mucked]
        if dealt is None or dealt.number != self.at[0]:
            return hand if all(seat in hand.tabled for seat in live) else None
        tabled = {seat: dealt.held(seat) for seat in live} | hand.tabled
        return replace(hand, tabled=tabled, board=dealt.board, read_high={}, read_low={})

    # Who may raise

    def _ask_raise(self, model: Model, strip: Strip) -> Prompt:
        seat = model.step.seat
        # Not + and -: the next step has them for a raise and a fold.
        strip.add("1", "YES, IT MAY RAISE", lambda now: self._answer_raise(now, said=True))
        strip.add("2", "NO, CALL OR FOLD", lambda now: self._answer_raise(now, said=False))
        ways_out(model, strip)
        hand = model.hand
        bet = f"The bet is {chips(hand.price)} after an all-in for less than a full raise."
        return strip.prompt("DEALER", f"MAY SEAT {seat} RAISE?", bet)

    def _answer_raise(self, model: Model, *, said: bool) -> Change:
        seat = model.step.seat or 0
        right = options(model.hand).least is not None
        answer = RaiseAnswer(model.state.hands, seat, said, right)
        model = model.become(replace(self, answers=(*self.answers, answer)))
        may = "may raise" if right else "may only call or fold"
        text = f"{'Right' if said == right else 'No'}: seat {seat} {may}."
        return Change(model.inform(text))


def _raise_is_asked(table: PracticeTable, model: Model) -> bool:
    hand = model.state.hand
    if hand is None or model.step.what != "act" or not table.asks_for_raise(hand):
        return False
    at = (model.state.hands, model.step.seat)
    return all((answer.hand, answer.seat) != at for answer in table.answers)


def _is_shown_down(hand: HandState) -> bool:
    return hand.phase in (Phase.SHOWDOWN, Phase.PUSH) and len(hand.contenders) > 1


def _contested(hand: HandState) -> list[int]:
    """The pots that more than one hand still claims, in the order in which they are pushed."""
    pots = hand.pots()
    last = len(pots) - 1
    return [number for number in range(last, -1, -1) if len(claims(hand, pots[number])) > 1]


def _named_by_dealer(hand: HandState, number: int) -> bool:
    """Whether the dealer told the console who wins, because not all cards are known to it."""
    live = claims(hand, hand.pots()[number])
    return number in hand.read_high and not all(seat in hand.tabled for seat in live)


def _pot(hand: HandState, number: int) -> str:
    pots = state_drop(hand).pots
    return f"{pot_name(number, len(pots))} {chips(pots[number].amount)}"


def _words(shown: HandState, pot: PotRead) -> list[str]:
    """What the winning hands are."""
    highs, lows = read_tabled(shown)
    lines = [f"high {seat}: {describe_high(highs[seat])}" for seat in pot.high]
    return lines + [f"low {seat}: {describe_low(lows[seat])}" for seat in pot.low]
