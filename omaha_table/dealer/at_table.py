"""The table itself: what each step asks of the dealer, and which key answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.cards import parse_cards
from omaha_table.dealer.betting import act
from omaha_table.dealer.between import between_hands
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.faults import Sure
from omaha_table.dealer.floor import AskPin
from omaha_table.dealer.pad import RANKS, SUITS
from omaha_table.dealer.pushes import pushes
from omaha_table.dealer.showdown import ReadWinners, explain
from omaha_table.hand import commands as hand
from omaha_table.hand.phases import Street

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.dealer.controller import Front
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.view import Prompt
    from omaha_table.hand import HandState, Step
    from omaha_table.hand.events import Trouble
    from omaha_table.table import TableState
    from omaha_table.table import commands as table

LETTERS: Final = 17
"""The most that the band shows in large letters."""
_TROUBLES: Final[dict[Trouble, str]] = {
    "premature_card": "A card left the shoe while betting is open. Leave it; the floor rules.",
    "card_too_many": "A card left the shoe and none was due. Leave it; the floor rules.",
    "duplicate_card": "The shoe has read a card twice: the deck may be fouled. The floor rules.",
    "foreign_card": "The shoe has read a card of another deck. The floor rules.",
    "returned_card": "A card was put back into the shoe. The floor rules.",
    "unreadable_card": "The shoe could not read a card. Good and dealt: +. Else put it right.",
    "stuck_card": "A card is stuck in the shoe. Free it, look at the count, go on.",
    "lid_opened": "The shoe's lid was opened. Close it, look at the count, go on.",
    "events_lost": "The shoe has missed cards. Count those dealt; + for each one it missed.",
}


class AtTable:
    """Follows the table's own step; it keeps only what the dealer has half typed."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self._cards: list[str] = []
        """Keyed of a board or a hand, until it is whole."""
        self._for: tuple[int, str, int | None] | None = None
        self._typing_hand = False
        self.pushed = 0
        self._by_hand = False
        self.drawing = False
        """The draw for the button has begun: players who come now wait for it."""

    def show(self, strip: Strip) -> Prompt:
        step = self._front.session.step
        key = (self._front.session.state.hands, step.what, step.seat)
        if key != self._for:
            self._for, self._cards, self.pushed = key, [], 0
            self._typing_hand = self._by_hand = False
        if step.what != "draw":
            self.drawing = False
        match step.what:
            case "act":
                return act(self._front, self, strip, step)
            case "deal":
                return self._deal(strip)
            case "flop" | "turn" | "river":
                return self._board(strip, step.what)
            case "show" | "read":
                return self._showdown(strip, step)
            case "push":
                return self._push(strip)
            case "check_cards" | "rule_on_card":
                return self._trouble(strip, step)
            case _:
                return self._between_hands(strip, step)

    def begin_draw(self) -> None:
        self.drawing = True

    # Shared keys

    def ways_out(self, strip: Strip, *, undo: bool = True, cents: bool = False) -> None:
        front = self._front
        if front.decimal_key(strip, cents=cents):
            pass
        elif front.typed or self._cards:
            strip.add(".", f"CLEAR {front.typed}".rstrip(), self._back)
        elif undo and self._can_go_back():
            strip.add(".", "BACK / UNDO", self._back)
        strip.add("/", "FLOOR / MENU", self._menu)

    def _can_go_back(self) -> bool:
        hand = self._front.session.state.hand
        half_way = self.pushed or self._typing_hand or self._by_hand
        return bool(half_way) or (hand is not None and hand.undoable)

    def _menu(self) -> None:
        self._front.enter(AskPin(self._front))

    def _back(self) -> None:
        """One step back: typing is cleared, a keyed card taken off, or an undo asked for."""
        front = self._front
        if front.typed:
            front.clear()
        elif self._cards:
            self._cards.pop()
        elif self.pushed:
            self.pushed -= 1
        elif self._typing_hand or self._by_hand:
            self._typing_hand = self._by_hand = False
        else:
            self._ask_undo()

    def _ask_undo(self) -> None:
        state = self._front.session.state.hand
        if state is None or not state.undoable or state.before is None:
            self._front.refuse(
                "There is nothing on this street to take back; more is a ruling: / FLOOR."
            )
            return
        text = self._front.entry_text(state.standing_seqs)
        title = f"UNDO {text.brief or text.what}?"
        self._front.enter(
            Sure(
                self._front,
                title if len(title) <= LETTERS else "UNDO IT?",
                f"Takes back: {text.line}. The log keeps both.",
                "YES, TAKE IT BACK",
                lambda: self._front.do(hand.Undo()),
            )
        )

    # Dealing

    def _do(self, command: table.TableCommand) -> None:
        self._front.do(command)

    def _deal(self, strip: Strip) -> Prompt:
        front = self._front
        state = _hand(front.session.state)
        hole = front.session.state.profile.game.hole_cards
        whole = len(state.setup.dealt) * hole
        shoe = front.devices is not None and front.devices.shoe_deals
        if shoe:
            strip.add("+", "DEAL BY HAND", self._deal_by_hand)
            self.ways_out(strip, undo=False)
            detail = f"{hole} cards to {len(state.setup.dealt)} seats, from the shoe."
            title = f"PITCH {hole} TO {len(state.setup.dealt)}"
            return strip.prompt("DEALER", title, detail, str(state.cards_out), f"OF {whole}")
        strip.add("ENTER", "CARDS ARE OUT", lambda: self._do(hand.Deal()), strong=True)
        self.ways_out(strip, undo=False)
        first = state.setup.slots[state.cards_out].seat
        which = "next" if state.cards_out else "first"
        detail = f"{hole} cards to {len(state.setup.dealt)} seats, {which} to seat {first}."
        if front.devices is not None and front.devices.of("shoe") is not None:
            detail = f"BY HAND, the shoe is not read: {detail}"
        return strip.prompt("DEALER", f"PITCH {hole} TO {len(state.setup.dealt)}", detail[:78])

    def _deal_by_hand(self) -> None:
        self._front.enter(
            Sure(
                self._front,
                "DEAL BY HAND?",
                "The shoe is not read for the rest of this hand; all hole cards are out.",
                "YES, CARDS ARE OUT",
                lambda: self._do(hand.Deal()),
            )
        )

    def _board(self, strip: Strip, street: str) -> Prompt:
        front = self._front
        state = _hand(front.session.state)
        count = 3 if street == "flop" else 1
        fee = state.setup.limit.bracket(len(state.setup.dealt))
        trigger = state.setup.profile.fee.trigger
        drop = ""
        if fee is not None and street == trigger and not state.fee_waived:
            drop = f"  Drop {chips(fee.fee)} + {chips(fee.jackpot)}."
        burn = "" if state.burned or state.street.following in state.no_burn else "  Burn 1."
        shoe = front.devices is not None and front.devices.shoe_deals and not self._by_hand
        face = "Three cards" if count == 3 else "One card"
        title = f"BURN - {street.upper()}" if burn else f"DEAL {street.upper()}"
        if shoe:
            strip.add("+", "TYPE CARDS", self._by_keys)
            self.ways_out(strip)
            done = len(state.turned)
            detail = f"Collect bets.{drop}{burn}  {face} face up, from the shoe."
            return strip.prompt("DEALER", title, detail, str(done), f"OF {count}")
        self.card_keys(strip, lambda card: self._add_board(street, count, card))
        detail = f"Collect bets.{drop}{burn}  {face} face up: key rank, then suit."
        so_far = " ".join([*map(str, state.turned), *self._cards])
        if so_far:
            detail = f"So far: {so_far}.  Rank, then suit:  1=A 2-9 10=T 11=J 12=Q 13=K"
        elif front.typed:
            detail = "Rank, then suit:  1=A 2-9 10=T 11=J 12=Q 13=K"
        return strip.prompt("DEALER", title, detail, front.typed, "TYPED" if front.typed else "")

    def _by_keys(self) -> None:
        self._by_hand = True
        if self._front.devices is not None:
            self._front.devices.dealt_by_hand()

    def _add_board(self, street: str, count: int, card: str) -> None:
        state = _hand(self._front.session.state)
        self._cards.append(card)
        if len(state.turned) + len(self._cards) >= count:
            keyed, self._cards = self._cards, []
            cards = (*state.turned, *parse_cards(" ".join(keyed)))
            if not self._front.do(hand.Board(Street[street.upper()], cards)):
                self._cards = keyed[:-1]

    def card_keys(self, strip: Strip, take: Callable[[str], object]) -> None:
        """Rank by digits; once they are a rank the operators are the suits."""
        front = self._front
        rank = RANKS.get(front.typed)
        if rank is None:
            strip.digits("RANK OF THE CARD", self._rank_digit)
            if front.typed:
                strip.add(".", f"CLEAR {front.typed}", front.clear)
            else:
                self.ways_out(strip)
            return
        names = {"/": "♠ spade", "*": "♥ heart", "-": "♦ diamond", "+": "♣ club"}
        for cap, suit in SUITS.items():
            strip.add(cap, names[cap], lambda suit=suit: self._take_card(take, rank + suit))  # type: ignore[misc]
        strip.digits("RANK", self._rank_digit)
        strip.add(".", f"CLEAR {front.typed}", front.clear)

    def _rank_digit(self, digit: str) -> None:
        typed = self._front.typed + digit
        if typed not in RANKS:
            self._front.refuse("A rank is 1 for the ace, 2 to 10, 11, 12, 13 for J, Q, K.")
            return
        self._front.typed = typed

    def _take_card(self, take: Callable[[str], object], card: str) -> None:
        self._front.clear()
        take(card)

    # Showdown

    def _showdown(self, strip: Strip, step: Step) -> Prompt:
        front = self._front
        if step.what == "read" or step.seat is None:
            strip.add("ENTER", "WHO WINS?", lambda: front.enter(ReadWinners(front)), strong=True)
            self.ways_out(strip)
            return strip.prompt("DEALER", "READ WINNERS", "Say who has the high and the low.")
        seat = step.seat
        name = front.session.state.seats[seat].name if seat in front.session.state.seats else ""
        if self._typing_hand:
            return self._type_hand(strip, seat)
        words = {choice.word for choice in step.choices}
        if front.session.can_read(seat):
            strip.add("ENTER", "SHOWS - READ", lambda: self._do(hand.Show(seat, ())), strong=True)
        else:
            strip.add("ENTER", "WHO WINS?", lambda: front.enter(ReadWinners(front)), strong=True)
        if "muck" in words:
            strip.add("-", "MUCKS", lambda: self._do(hand.Muck(seat)))
        strip.add("+", "TYPE CARDS", self._start_typing)
        if _hand(front.session.state).tabled:
            strip.add("*", "EXPLAIN HANDS", lambda: front.enter(explain(front)))
        self.ways_out(strip)
        return strip.prompt(
            "DEALER",
            f"SEAT {seat} TO SHOW",
            f"{name} is next to show.   Two from the hand, three from the board.",
        )

    def _start_typing(self) -> None:
        self._typing_hand = True

    def _type_hand(self, strip: Strip, seat: int) -> Prompt:
        hole = self._front.session.state.profile.game.hole_cards
        self.card_keys(strip, lambda card: self._add_hole(seat, hole, card))
        typed = self._front.typed
        keyed = " ".join(self._cards) or "none yet"
        return strip.prompt(
            "DEALER",
            f"CARDS SEAT {seat}",
            f"Keyed: {keyed}.  {len(self._cards)} of {hole}.  1=A 2-9 10=T 11=J 12=Q 13=K",
            typed,
            "TYPED" if typed else "",
        )

    def _add_hole(self, seat: int, hole: int, card: str) -> None:
        self._cards.append(card)
        if len(self._cards) == hole:
            keyed, self._cards, self._typing_hand = self._cards, [], False
            if not self._front.do(hand.Show(seat, parse_cards(" ".join(keyed)))):
                self._cards, self._typing_hand = keyed[:-1], True

    def _push(self, strip: Strip) -> Prompt:
        front = self._front
        state = _hand(front.session.state)
        due = pushes(state)
        at = min(self.pushed, max(len(due) - 1, 0))
        strip.add("ENTER", "PUSHED", lambda: self._pushed(len(due)), strong=True)
        if state.tabled:
            strip.add("*", "EXPLAIN HANDS", lambda: front.enter(explain(front)))
        self.ways_out(strip)
        if not due:
            return strip.prompt("DEALER", "CLOSE THE HAND", "Nothing is in the pot.")
        push = due[at]
        title = f"PUSH {chips(push.amount)} > SEAT {push.seat}"
        return strip.prompt(
            "DEALER",
            title if len(title) <= LETTERS else title.replace("SEAT ", ""),
            f"{push.what}.   push {at + 1} of {len(due)}.   {push.why}"[:78],
        )

    def _pushed(self, count: int) -> None:
        self.pushed += 1
        if self.pushed >= count:
            self.pushed = max(count - 1, 0)
            self._front.push_done()

    # Trouble

    def _trouble(self, strip: Strip, step: Step) -> Prompt:
        state = _hand(self._front.session.state)
        trouble = state.trouble or "events_lost"
        if step.who == "floor":
            strip.add("/", "FLOOR / MENU", self._menu, strong=True)
            return strip.prompt("STOP", "CALL THE FLOOR", _TROUBLES[trouble])
        strip.add("ENTER", "CHECKED, GO ON", lambda: self._do(hand.Settle()), strong=True)
        if state.next_slot is not None and not self._front.session.lies_face_up:
            out, slot = state.cards_out, state.setup.slots[state.next_slot]
            whose = "burn" if slot.seat is None else f"seat {slot.seat}"
            strip.add("+", f"CARD {out + 1} TO {whose.upper()}", self._card_unread)
        strip.add("/", "FLOOR / MENU", self._menu)
        return strip.prompt("STOP", "CHECK THE CARDS", _TROUBLES[trouble])

    def _card_unread(self) -> None:
        if self._front.devices is not None:
            self._front.devices.dealt_unread(_hand(self._front.session.state).cards_out + 1)
        self._do(hand.DealCard())

    # Between hands

    def _between_hands(self, strip: Strip, step: Step) -> Prompt:
        return between_hands(self._front, self, strip, step)


def _hand(state: TableState) -> HandState:
    assert state.hand is not None
    return state.hand
