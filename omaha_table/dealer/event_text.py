"""Events in a dealer's words, as parts: the console, the review and reports put them together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omaha_table.cards import format_cards
from omaha_table.hand import events as hand
from omaha_table.journal import events as log
from omaha_table.money import format_dollars
from omaha_table.table import events as table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.journal.events import Event
    from omaha_table.money import Cents


@dataclass(frozen=True, slots=True)
class EventText:
    """What happened, and who did it."""

    what: str
    seat: int | None = None
    mark: str = ""
    """`!` for what needs a second look, `«` for what was taken back."""
    brief: str = ""
    """In a word or two, where `what` is long."""

    @property
    def line(self) -> str:
        who = () if self.seat is None else (f"seat {self.seat}",)
        return " ".join(filter(None, (self.mark, *who, self.what)))

    @property
    def plain(self) -> str:
        """The line without its mark."""
        return self.line if not self.mark else EventText(self.what, self.seat).line


def chips(cents: Cents) -> str:
    """An amount as it is said at the table: 45, 1,240, 2.50."""
    return format_dollars(cents).replace("$", "")


def drop(fee: Cents, jackpot: Cents) -> str:
    """What goes into the boxes: '5', or '5+2' with a jackpot."""
    return f"{chips(fee)}+{chips(jackpot)}" if jackpot else chips(fee)


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


def event_line(event: Event) -> str:
    """One line for an event; empty for what a dealer need not read."""
    text = describe(event)
    return "" if text is None else text.line


def describe(event: Event) -> EventText | None:
    """An event in parts; None for what a dealer need not read."""
    return _in_hand(event) or _at_table(event)


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
            return EventText("hole cards out")
        case hand.Acted():
            return EventText(action(event), event.seat)
        case hand.StreetClosed():
            back = "".join(
                f", {chips(cents)} back to seat {seat}" for seat, cents in event.returned.items()
            )
            return EventText(f"bets in, pot {chips(event.pot)}{back}")
        case hand.BoardDealt():
            cards = format_cards(event.cards)
            return EventText(f"{event.street.name} {cards}", brief=event.street.name)
        case hand.FeeDue():
            return EventText(f"drop due {drop(event.fee, event.jackpot)}")
        case hand.Tabled():
            return EventText(f"tables {format_cards(event.cards)}", event.seat, brief="SHOW")
        case hand.Mucked():
            return EventText("mucks", event.seat)
        case hand.DealerRead():
            seats = " ".join(map(str, event.seats)) or "nobody"
            return EventText(f"dealer reads {event.side.upper()}: {seats}")
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
            return EventText(f"{event.name} sits down" if named else "sits down", event.seat)
        case table.PlayerLeft():
            return EventText("leaves", event.seat)
        case table.PlayerAway():
            return EventText("AWAY", event.seat)
        case table.PlayerBack():
            return EventText("back", event.seat)
        case table.PlayerMoved():
            return EventText(f"moves to seat {event.to}", event.seat)
        case table.PostAgreed():
            return EventText("will post", event.seat)
        case table.BlindsMissed():
            return EventText("missed its blind", event.seat)
        case table.DealerIn():
            return EventText(f"dealer {event.dealer} in")
        case table.DealerOut():
            hands = "1 hand" if event.hands == 1 else f"{event.hands} hands"
            return EventText(f"dealer {event.dealer} out: {hands}")
        case table.ShiftOpened():
            return EventText(f"{event.shift} shift opened, {_boxes(event)}")
        case table.ShiftClosed():
            due = f"drop {chips(event.fees)}"
            due += f", jackpot {chips(event.jackpots)}" if event.jackpots else ""
            return EventText(f"{event.shift} shift closed, {_boxes(event)}: {due}")
        case table.ChipsBought():
            return EventText(f"adds {chips(event.amount)}", event.seat)
        case table.ButtonCardDrawn():
            return EventText(f"draw seat {event.seat} {event.card}")
        case table.ButtonPlaced():
            imported = " in the imported hand" if event.how == "imported" else ""
            return EventText(f"button to seat {event.seat}{imported}")
        case table.Ruled():
            return EventText(f"FLOOR {'+'.join(event.by)} {event.ruling}: {event.reason}", mark="!")
        case table.AuthorityRefused():
            return EventText(f"PIN refused ({event.why.replace('_', ' ')})", mark="!")
        case table.DeckReported():
            return _deck(event)
        case table.DeckReadmitted():
            return EventText(f"{event.back} deck back in play")
        case table.DeckCut():
            return EventText("deck cut")
        case table.DeviceTakenOut():
            return EventText(f"{event.device} out of use")
        case table.DeviceRestored():
            return EventText(f"{event.device} in use again")
        case table.DeviceNoted():
            what = "" if event.what == "link_changed" else f"{event.what.replace('_', ' ')} "
            return EventText(f"{event.device}: {what}{event.detail}".rstrip())
        case log.Recovered():
            return EventText(f"recovered: {event.where}")
        case table.TableClosed():
            return EventText("table closed")
        case table.LimitChanged():
            return EventText(f"limit {event.limit}")
        case table.ClockCalled():
            return EventText(f"clock on seat {event.seat}: {event.seconds} seconds")
        case log.DayClosed():
            return EventText(f"gaming day closed: {event.words}")
        case log.DayCarried():
            return EventText(f"new gaming day, the table goes on from {event.day}")
        case log.ClockStepped():
            return EventText(f"the clock was moved by {event.seconds:+.0f} s", mark="!")
        case log.IdentitiesLost():
            return EventText("the shoe's cards are lost: key tabled hands", mark="!")
    return None


def _boxes(event: table.ShiftOpened | table.ShiftClosed) -> str:
    jackpot = event.jackpot_box
    return f"box {event.box}" + (f", jackpot box {jackpot}" if jackpot not in ("", "none") else "")


def _deck(event: table.DeckReported) -> EventText:
    back = f"{event.back} deck" if event.back else "deck"
    if event.state == "manual":
        return EventText(f"{back} shuffled by hand")
    count = "" if event.count is None else f" {event.count}/52"
    return EventText(f"{back} {'ready' if event.state == 'ok' else 'OUT OF PLAY'}{count}")
