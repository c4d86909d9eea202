"""Events in a dealer's words, as parts: the console, the review and reports put them together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from omaha_table.cards import format_cards
from omaha_table.dealer.ruling_text import what_ruling_did
from omaha_table.hand import events as hand
from omaha_table.journal import events as log
from omaha_table.money import format_dollars
from omaha_table.table import events as table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.cards import Card
    from omaha_table.journal.events import Event
    from omaha_table.money import Cents
    from omaha_table.table.state import Check, Reopened, SeatChange, SeatChangeKind


@dataclass(frozen=True, slots=True)
class EventText:
    """What happened, and who did it."""

    what: str
    seat: int | None = None
    mark: str = ""
    """`!` for what needs a second look, `«` for what was taken back."""
    brief: str = ""
    """In a word or two, where `what` is long."""
    cards: tuple[Card, ...] = ()
    """Turned face up by it; a page draws them after the words."""

    @property
    def words(self) -> str:
        """The line without its cards."""
        who = () if self.seat is None else (f"seat {self.seat}",)
        return " ".join(filter(None, (self.mark, *who, self.what)))

    @property
    def line(self) -> str:
        return " ".join(filter(None, (self.words, format_cards(self.cards))))

    @property
    def plain(self) -> str:
        """The line without its mark."""
        return self.line if not self.mark else replace(self, mark="").line


def chips(cents: Cents) -> str:
    """An amount as it is said at the table: 45, 1,240, 2.50."""
    return format_dollars(cents).replace("$", "")


def drop(fee: Cents, jackpot: Cents) -> str:
    """What goes into the boxes: '5', or '5+2' with a jackpot."""
    return f"{chips(fee)}+{chips(jackpot)}" if jackpot else chips(fee)


def hands_text(count: int) -> str:
    return "1 hand" if count == 1 else f"{count} hands"


def pot_name(number: int, pots: int = 2) -> str:
    """'MAIN pot' only where there are side pots."""
    if pots == 1:
        return "The pot"
    return "MAIN pot" if not number else f"SIDE pot {number}"


def minutes(seconds: int) -> str:
    """'0:42', '12:05'."""
    return f"{seconds // 60}:{seconds % 60:02}"


def action(event: hand.Acted) -> str:
    """'RAISE TO 45', 'CALL 45, ALL-IN'."""
    return action_forms(event)[0]


def action_forms(event: hand.Acted) -> tuple[str, ...]:
    """The same action in ever fewer words. An amount is in them whole or not at all."""
    verb = event.action.upper()
    match event.action:
        case "fold" | "check":
            forms: tuple[str, ...] = (verb,)
        case "raise":
            to = chips(event.to)
            forms = (f"{verb} TO {to}", f"{verb} {to}", verb)
        case _:
            forms = (f"{verb} {chips(event.amount)}", verb)
    return (f"{forms[0]}, ALL-IN", f"{forms[0]} ALL-IN", *forms) if event.all_in else forms


EARLY_FOLD: Final = ("FOLD OUT OF TURN", "FOLD EARLY", "FOLD")
"""In ever fewer words."""


CHECKED: Final[dict[Check, str]] = {
    "": "",
    "pin": "PIN checked",
    "list": "",
    "unknown": "NOT ON THE STAFF LIST",
    "no": "identity not checked",
}
"""What the dealer who sits down is told of the check; a number on the list says nothing more."""


def event_line(event: Event) -> str:
    """One line for an event; empty for what a dealer need not read."""
    text = describe(event)
    return "" if text is None else text.line


def describe(event: Event) -> EventText | None:
    """An event in parts; None for what a dealer need not read."""
    return _in_hand(event) or _at_table(event) or _ruled(event)


def _ruled(event: Event) -> EventText | None:
    did = what_ruling_did(event)
    mark = "«" if isinstance(event, hand.BackedUp) else ""
    return EventText(did, mark=mark) if did else None


_ALL_DID = {"fold": "folds", "check": "checks", "call": "calls", "bet": "bets", "raise": "raises"}


def describe_entry(events: Sequence[Event]) -> EventText | None:
    """What one entry did, which may be the same action of several seats."""
    acted = [event for event in events if isinstance(event, hand.Acted)]
    if len(acted) > 1:
        did = _ALL_DID[acted[0].action]
        seats = ", ".join(str(event.seat) for event in acted)
        return EventText(f"{did} of seats {seats}", brief=f"{len(acted)} {did.upper()}")
    return next(filter(None, map(describe, events)), None)


def _in_hand(event: Event) -> EventText | None:
    match event:
        case hand.HandStarted():
            return EventText(f"hand {event.number} opened, button seat {event.button}")
        case hand.Posted():
            kind = event.kind.replace("_", " ").upper()
            return EventText(f"posts {kind} {chips(event.amount)}", event.seat)
        case hand.PostedShort():
            return EventText(f"is all in with its post of {chips(event.amount)}", event.seat)
        case hand.FeePaid():
            return EventText(f"pays its fee of {chips(event.amount)}", event.seat)
        case hand.HoleCardsOut():
            return EventText("hole cards out", brief="CARDS OUT")
        case hand.Acted():
            return EventText(action(event), event.seat)
        case hand.ClockRanOut():
            return EventText("time is up", event.seat, mark="!", brief="CLOCK")
        case hand.FoldedOutOfTurn():
            return EventText(EARLY_FOLD[0], event.seat, mark="!", brief="FOLD")
        case hand.StreetClosed():
            back = "".join(
                f", {chips(cents)} back to seat {seat}" for seat, cents in event.returned.items()
            )
            return EventText(f"bets in, pot {chips(event.pot)}{back}")
        case hand.BoardDealt():
            return EventText(event.street.name, brief=event.street.name, cards=event.cards)
        case hand.FeeDue():
            return EventText(f"drop due {drop(event.fee, event.jackpot)}")
        case hand.Tabled():
            return EventText("tables", event.seat, brief="SHOW", cards=event.cards)
        case hand.Mucked():
            return EventText("mucks", event.seat)
        case hand.DealerRead():
            seats = " ".join(map(str, event.seats)) or "nobody"
            of = "" if event.pot is None else f" of {pot_name(event.pot)}"
            return EventText(f"dealer reads {event.side.upper()}{of}: {seats}")
        case hand.Irregularity():
            return EventText(f"{event.kind.replace('_', ' ')}", mark="!")
        case hand.Settled():
            return EventText(f"{event.kind.replace('_', ' ')}: checked")
        case hand.Undone():
            return EventText("the last entry is taken back", mark="«")
        case hand.RemedyOrdered():
            return EventText(f"remedy: {event.kind.replace('_', ' ')}", mark="!")
        case hand.HandEnded():
            return _ended(event)
    return None


def _ended(event: hand.HandEnded) -> EventText:
    if event.outcome in ("misdeal", "void"):
        what = "misdeal" if event.outcome == "misdeal" else "hand void"
        return EventText(f"{what}: all bets back")
    won = ", ".join(f"seat {seat} wins {chips(cents)}" for seat, cents in event.awards.items())
    return EventText(won or "hand closed")


def _at_table(event: Event) -> EventText | None:
    match event:
        case table.PlayerSeated():
            named = event.name != f"Seat {event.seat}"
            what = f"{event.name} sits down" if named else "sits down"
            what += "" if event.stack is None else f" with {chips(event.stack)}"
            return EventText(f"{what}{_asked(event)}", event.seat, brief="SEATING")
        case table.PlayerLeft(picked_up=True):
            count = "chips" if event.stack is None else f"{chips(event.stack)} in chips"
            return EventText(f"away too long, {count} picked up", event.seat, "!", "PICK-UP")
        case table.PlayerLeft():
            return EventText(f"leaves{_asked(event)}", event.seat, brief="LEAVING")
        case table.PlayerRenamed():
            return EventText(f"is named {event.name}", event.seat, brief="NAME")
        case table.PlayerAway():
            return EventText(f"AWAY{_asked(event)}", event.seat, brief="AWAY")
        case table.PlayerBack():
            return EventText(f"back{_asked(event)}", event.seat, brief="BACK")
        case table.SeatChangeAsked():
            return seat_change(event.change)
        case table.SeatChangeCancelled():
            what = f"{seat_change(event.change).what}: taken back"
            return EventText(what, event.change.seat, mark="«")
        case table.SeatChangeDropped():
            what = f"{wanted(event.change)}, asked for in hand {event.asked_in}: not done. "
            return EventText(f"{what}{event.why}", event.change.seat, mark="!")
        case table.PlayerMoved():
            return EventText(f"moves to seat {event.to}", event.seat, brief="MOVE")
        case table.PostAgreed():
            return EventText("will post", event.seat, brief="POST")
        case table.BlindsMissed():
            return EventText("missed its blind", event.seat)
        case table.DealerIn():
            checked = CHECKED[event.checked]
            return EventText(
                f"dealer {event.dealer} in{checked and f', {checked}'}", brief="PUSH IN"
            )
        case table.DealerOut():
            hands = hands_text(event.hands)
            return EventText(f"dealer {event.dealer} out: {hands}", brief="PUSH OUT")
        case table.ShiftOpened():
            by = f", by {event.by}" if event.by else ""
            return EventText(f"{event.shift} shift opened, {_boxes(event)}{by}")
        case table.ShiftClosed():
            due = f"drop {chips(event.fees)}"
            if event.tally is not None:
                due = f"{hands_text(event.tally.hands)}, {due}"
            due += f", jackpot {chips(event.jackpots)}" if event.jackpots else ""
            by = f", by {event.by}" if event.by else ""
            return EventText(f"{event.shift} shift closed, {_boxes(event)}: {due}{by}")
        case table.FloorCalled():
            return EventText("FLOOR CALLED", mark="!")
        case table.FloorArrived():
            return EventText(f"floor {event.by} at the table after {minutes(event.waited)}")
        case table.FloorCallEnded():
            return EventText(f"floor call ended after {minutes(event.waited)}")
        case table.ChipsBought():
            noted = "" if event.tracked else ", noted only: the stack is not tracked"
            what = f"adds {chips(event.amount)}{noted}{_asked(event)}"
            return EventText(what, event.seat, brief="CHIPS")
        case table.StackSet():
            return EventText(_counted(event), event.seat, brief="CHIPS")
        case table.StackAdjusted():
            way = "up" if event.amount > 0 else "down"
            return EventText(f"stack {way} by {chips(abs(event.amount))}", event.seat, mark="!")
        case table.ButtonCardDrawn():
            return EventText(f"draw seat {event.seat}", brief="DRAWN CARD", cards=(event.card,))
        case table.ButtonPlaced():
            imported = " in the imported hand" if event.how == "imported" else ""
            return EventText(f"button to seat {event.seat}{imported}", brief="BUTTON")
        case table.Ruled():
            return EventText(f"FLOOR {'+'.join(event.by)} {event.ruling}: {event.reason}", mark="!")
        case table.AuthorityRefused():
            number = event.dealer or event.number
            whose = f"PIN of {number}" if number else "PIN"
            return EventText(f"{whose} refused ({event.why.replace('_', ' ')})", mark="!")
        case table.DeckReported():
            return _deck(event)
        case table.DeckReadmitted():
            return EventText(f"{event.back} deck back in play")
        case table.DeckCut():
            return EventText("deck cut", brief="CUT")
        case table.TakenBack():
            return EventText("the last entry is taken back", mark="«")
        case table.HandTakenBack():
            return EventText(f"hand {event.number} is taken back before its first card", mark="«")
        case table.DeviceTakenOut():
            return EventText(f"{event.device} out of use")
        case table.DeviceRestored():
            return EventText(f"{event.device} in use again")
        case table.DeviceNoted(what=table.MISSING):
            return EventText(f"{event.device}: {event.detail}", mark="!", brief="MISSING")
        case table.DeviceIdentified(identity=found):
            says = " ".join(filter(None, (found.vendor, found.model)))
            more = [f"{name} {text}" for name, text in
                    (("serial", found.serial), ("firmware", found.firmware)) if text]  # fmt: skip
            return EventText(", ".join([f"{event.device}: {says or 'unnamed'}", *more]))
        case table.DeviceChanged():
            what = f"setting {event.setting} changed" if event.what == "setting" else "serviced"
            return EventText(f"{event.device}: {what}, for the floor to accept", mark="!")
        case table.DeviceAccepted():
            return EventText(f"{event.device} accepted as it is")
        case table.DeviceMetered() | table.DevicesCarried():
            return None
        case table.DeviceNoted(what=table.LOG_ALARM):
            cause = event.detail.replace("_", " ")
            return EventText(f"{event.device}: log alarm ({cause})", mark="!", brief="LOG ALARM")
        case table.DeviceNoted(what=table.STAFF_LIST):
            return EventText(f"{event.device}: its staff list {event.detail[:8]} is in use")
        case table.DeviceNoted(what=table.ACKNOWLEDGED):
            cause = event.detail.replace("_", " ")
            return EventText(f"{event.device}: alarm acknowledged ({cause})")
        case table.DeviceNoted():
            what = "" if event.what == "link_changed" else f"{event.what.replace('_', ' ')} "
            return EventText(f"{event.device}: {what}{event.detail}".rstrip())
        case log.Recovered():
            return EventText(f"recovered: {event.where}")
        case table.TableClosed():
            return EventText("table closed")
        case table.TableReopened():
            return EventText(f"table opened again {_REOPENED[event.how]}", brief="SEATS")
        case table.LimitChanged():
            return EventText(f"limit {event.limit}")
        case table.ClockCalled():
            return EventText(f"clock on seat {event.seat}: {event.seconds} seconds")
        case table.ClockCancelled():
            return EventText(f"clock on seat {event.seat} called off")
        case log.DayClosed():
            return EventText(f"gaming day closed: {event.words}")
        case log.DayCarried():
            return EventText(f"new gaming day, the table goes on from {event.day}")
        case log.ClockStepped():
            return EventText(f"the clock was moved by {event.seconds:+.0f} s", mark="!")
        case log.IdentitiesLost():
            return EventText("the shoe's cards are lost: key tabled hands", mark="!")
    return None


def seat_change(change: SeatChange) -> EventText:
    """What waits at a seat for the end of the hand."""
    what = f"{wanted(change)} when the hand ends"
    return EventText(what, change.seat, brief=_BRIEF[change.what])


def wanted(change: SeatChange) -> str:
    """'leaves', 'adds 200', 'Ben sits down with 150'."""
    match change.what:
        case "seat":
            named = change.name != f"Seat {change.seat}"
            what = f"{change.name} sits down" if named else "sits down"
            return what if change.amount is None else f"{what} with {chips(change.amount)}"
        case "leave":
            return "leaves"
        case "away":
            return "AWAY"
        case "back":
            return "back"
        case "buy":
            return f"adds {chips(change.amount or 0)}"


_BRIEF: Final[dict[SeatChangeKind, str]] = {
    "seat": "SEATING",
    "leave": "LEAVING",
    "away": "AWAY",
    "back": "BACK",
    "buy": "CHIPS",
}


def _asked(
    event: table.PlayerSeated
    | table.PlayerLeft
    | table.PlayerAway
    | table.PlayerBack
    | table.ChipsBought,
) -> str:
    return f", asked for in hand {event.asked_in}" if event.asked_in else ""


_REOPENED: Final[dict[Reopened, str]] = {
    "same": "with the players it was closed with",
    "file": "with the players of its file",
    "empty": "without players",
}


def _counted(event: table.StackSet) -> str:
    was = "" if event.was is None else f", was {chips(event.was)}"
    if event.stack is None:
        return f"stack not tracked any more{was}"
    return f"stack counted: {chips(event.stack)}{was}"


def _boxes(event: table.ShiftOpened | table.ShiftClosed) -> str:
    jackpot = event.jackpot_box
    return f"box {event.box}" + (f", jackpot box {jackpot}" if jackpot not in ("", "none") else "")


def _deck(event: table.DeckReported) -> EventText:
    back = f"{event.back} deck" if event.back else "deck"
    if event.state == "manual":
        return EventText(f"{back} shuffled by hand")
    if event.state == "unverified":
        return EventText(f"{back} not verified", mark="!")
    count = "" if event.count is None else f" {event.count}/52"
    return EventText(f"{back} {'ready' if event.state == 'ok' else 'OUT OF PLAY'}{count}")
