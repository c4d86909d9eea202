"""Events in a dealer's words, for the lines under the table and for the reviewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.cards import format_cards
from omaha_table.hand import events as hand
from omaha_table.journal import events as log
from omaha_table.money import format_dollars
from omaha_table.table import events as table

if TYPE_CHECKING:
    from omaha_table.journal.events import Event
    from omaha_table.money import Cents


def chips(cents: Cents) -> str:
    """An amount as it is said at the table: 45, 1,240, 2.50."""
    return format_dollars(cents).replace("$", "")


def action(event: hand.Acted) -> str:
    """'RAISE TO 45', 'CALL 45, ALL-IN'."""
    match event.action:
        case "fold" | "check":
            said = event.action.upper()
        case "raise":
            said = f"RAISE TO {chips(event.to)}"
        case _:
            said = f"{event.action.upper()} {chips(event.amount)}"
    return f"{said}, ALL-IN" if event.all_in else said


def say(event: Event) -> str:
    """One line for an event; empty for what a dealer need not read."""
    return _in_hand(event) or _at_table(event)


def _in_hand(event: Event) -> str:
    match event:
        case hand.HandStarted():
            return f"hand {event.number} opened, button seat {event.button}"
        case hand.Posted():
            kind = event.kind.replace("_", " ").upper()
            return f"seat {event.seat} posts {kind} {chips(event.amount)}"
        case hand.HoleCardsOut():
            return "hole cards out"
        case hand.Acted():
            return f"seat {event.seat} {action(event)}"
        case hand.StreetClosed():
            back = "".join(
                f", {chips(cents)} back to seat {seat}" for seat, cents in event.returned.items()
            )
            return f"bets in, pot {chips(event.pot)}{back}"
        case hand.BoardDealt():
            return f"{event.street.name} {format_cards(event.cards)}"
        case hand.FeeDue():
            return f"drop due {chips(event.fee)}+{chips(event.jackpot)}"
        case hand.Tabled():
            return f"seat {event.seat} tables {format_cards(event.cards)}"
        case hand.Mucked():
            return f"seat {event.seat} mucks"
        case hand.DealerRead():
            seats = " ".join(map(str, event.seats)) or "nobody"
            return f"dealer reads {event.side.upper()}: {seats}"
        case hand.Irregularity():
            return f"! {event.kind.replace('_', ' ')}"
        case hand.Settled():
            return f"{event.kind.replace('_', ' ')}: checked"
        case hand.Undone():
            return "« the last entry is taken back"
        case hand.RemedyOrdered():
            return f"! remedy: {event.kind.replace('_', ' ')}"
        case hand.HandEnded():
            return _ended(event)
    return ""


def _ended(event: hand.HandEnded) -> str:
    if event.outcome in ("misdeal", "void"):
        return f"hand {event.outcome}: all bets back"
    won = ", ".join(f"seat {seat} {chips(cents)}" for seat, cents in event.awards.items())
    return f"hand closed: {won}"


def _at_table(event: Event) -> str:
    match event:
        case table.PlayerSeated():
            return f"seat {event.seat} {event.name} sits down"
        case table.PlayerLeft():
            return f"seat {event.seat} leaves"
        case table.PlayerAway():
            return f"seat {event.seat} AWAY"
        case table.PlayerBack():
            return f"seat {event.seat} back"
        case table.PlayerMoved():
            return f"seat {event.seat} moves to seat {event.to}"
        case table.PostAgreed():
            return f"seat {event.seat} will post"
        case table.BlindsMissed():
            return f"seat {event.seat} missed its blind"
        case table.DealerIn():
            return f"dealer {event.dealer} in"
        case table.DealerOut():
            return f"dealer {event.dealer} out: {event.hands} hands"
        case table.ChipsBought():
            return f"seat {event.seat} adds {chips(event.amount)}"
        case table.ButtonCardDrawn():
            return f"draw seat {event.seat} {event.card}"
        case table.ButtonPlaced():
            return f"button to seat {event.seat}"
        case table.Ruled():
            return f"! FLOOR {'+'.join(event.by)} {event.ruling}: {event.reason}"
        case table.AuthorityRefused():
            return f"! PIN refused ({event.why.replace('_', ' ')})"
        case table.DeckReported():
            return _deck(event)
        case table.DeckReadmitted():
            return f"{event.back} deck back in play"
        case table.DeckCut():
            return "deck cut"
        case table.DeviceTakenOut():
            return f"{event.device} out of use"
        case table.DeviceRestored():
            return f"{event.device} in use again"
        case table.DeviceNoted():
            what = "" if event.what == "link_changed" else f"{event.what.replace('_', ' ')} "
            return f"{event.device}: {what}{event.detail}".rstrip()
        case log.Recovered():
            return f"recovered: {event.where}"
        case table.TableClosed():
            return "table closed"
        case table.LimitChanged():
            return f"limit {event.limit}"
        case table.ClockCalled():
            return f"clock on seat {event.seat}: {event.seconds} seconds"
        case log.ClockStepped():
            return f"! the clock was moved by {event.seconds:+.0f} s"
        case log.IdentitiesLost():
            return "! the shoe's cards are lost: key tabled hands"
    return ""


def _deck(event: table.DeckReported) -> str:
    back = f"{event.back} deck" if event.back else "deck"
    if event.state == "manual":
        return f"{back} shuffled by hand"
    count = "" if event.count is None else f" {event.count}/52"
    return f"{back} {'ready' if event.state == 'ok' else 'OUT OF PLAY'}{count}"
