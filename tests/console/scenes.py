"""Every scene of the console, reached by keys and reports as a dealer would reach it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_drivers import events as said
from omaha_drivers.settings import DeviceSettings

from omaha_table.cards import DECK
from omaha_table.dealer.console import Console
from omaha_table.dealer.modes.stops import Recovered
from omaha_table.floor.files import demo_staff
from omaha_table.journal.faults import Busy, Full, Tampered, Uncertain
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.config import demo_table
from omaha_table.session.devices import Devices
from omaha_table.session.script import run_line
from omaha_table.shipped import config_dir
from omaha_table.table import commands as table
from tests.evenings import opening

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.events import DeviceEvent

AT = 1_763_300_000.0
"""The wall clock of every scene."""


class Table:
    """A console with keys and devices at hand; time goes on by a second a key."""

    def __init__(
        self,
        rules: str = "ca_big_o",
        limit: str | None = None,
        *,
        players: int = 9,
        stacks: dict[int, int | None] | None = None,
        button: int | None = 7,
        devices: bool = False,
        deck_required: bool = False,
    ) -> None:
        profile = load_profile(rules)
        chosen = profile.limits[0] if limit is None else profile.limit(limit)
        assert chosen is not None
        self.session = Session(
            profile, chosen, demo_staff(), lambda: AT, deck_required=deck_required or devices
        )
        for player in demo_table().players[:players]:
            stack = (stacks or {}).get(player.seat, player.stack)
            self.session.do(table.SeatPlayer(player.seat, player.name, stack))
        if button is not None:
            seats = self.session.state.seats
            for line in opening(profile, button, seats):
                assert [made["type"] for made in run_line(self.session, 1, line)] != ["refused"]
        self.devices: Devices | None = None
        if devices:
            configured = [
                DeviceSettings("shuffler", "shuffler", "tdp", "/dev/null"),
                DeviceSettings("shoe", "shoe", "tdp", "/dev/null"),
            ]
            self.devices = Devices(self.session, configured)
        self.console = Console(self.session, self.devices, title="T7", wall=lambda: AT)
        self._now = 0.0
        self._deck = [card.text for card in DECK[::-1]]
        self._number = 0

    def keys(self, *names: str) -> Table:
        """Keys, each a name or several single ones in a word."""
        for name in names:
            for key in [name] if name in ("enter",) else name.split() if " " in name else [name]:
                self._now += 1.0
                self.console.press(key, self._now)
        return self

    def say(self, device: str, event: DeviceEvent, place: str = "") -> Table:
        self.console.report(said.Report(device, event, place, 0.0))
        return self

    def live(self) -> Table:
        for name in ("shuffler", "shoe"):
            self.say(name, said.LinkChanged(said.Link.LIVE, "ready"))
            self.say(name, said.Identified("house", "emu", f"{name}-1", "1", said.Trust.PINNED))
        return self

    def deck(self, back: str = "red", cycle: int = 1) -> Table:
        """A deck through the shuffler and into the shoe."""
        self._number, self._deck = 0, [card.text for card in DECK[::-1]]
        self.say("shoe", said.ShoeLoaded(52))
        self.say("shuffler", said.DeckIn(back)).say("shuffler", said.ShuffleStarted(cycle))
        self.say("shuffler", said.DeckVerified(cycle, 52, True, "ok"))
        return self.say("shuffler", said.ShuffleComplete(cycle, 52)).say(
            "shuffler", said.DeckTaken(cycle)
        )

    def cards(self, count: int) -> Table:
        """Cards through the shoe, from the top of the deck in its order."""
        from omaha_drivers.sealed import Sealed

        for _ in range(count):
            self._number += 1
            self.say("shoe", said.CardDrawn(self._number, Sealed(self._deck.pop()), True))
        return self

    def unreadable(self) -> Table:
        self._number += 1
        self._deck.pop()
        return self.say("shoe", said.CardUnreadable(self._number))

    def to_flop(self) -> Table:
        """Everybody calls; then 7c 5h 2s."""
        self.keys("enter", "enter")
        self.around()
        return self.keys(*"7+5*2/")

    def around(self) -> Table:
        """ENTER until the betting is over."""
        while self.session.step.what == "act":
            self.keys("enter")
        return self

    def to_river(self) -> Table:
        self.to_flop().around().keys("1", "3", "-").around().keys("1", "*")
        return self.around()


def _side_pots() -> Table:
    made = Table("ca_big_o", stacks={1: 3000, 4: 800, 8: 1500}, players=8, button=6)
    made.keys("enter", "enter")
    made.keys("+").around()
    made.keys(*"7+5*2/")
    return made.keys("+", "enter", "+", "enter")


def _pot_limit(*keys: str) -> Table:
    return Table("ca_omaha_hilo", "5-5", players=6, button=1).keys("enter", "enter", *keys)


def _showdown(*keys: str) -> Table:
    made = Table().to_river().keys("+", *"1/3-9+9-", "1", "0", "/")
    return made.keys(*keys)


def _pushing(*keys: str) -> Table:
    made = Table("ca_big_o", players=3, button=3).to_river()
    made.keys("+", *"1/3-9+9-", "1", "0", "/")
    made.keys("+", "1", "3", "+", "1", "3", "/", *"4-8/", "1", "1", "*")
    return made.keys("-", *keys)


def _quartered() -> Table:
    made = Table("ca_big_o", players=3, button=3).to_river()
    made.keys("+", *"1/3-9+9-", "1", "0", "/")
    made.keys("+", *"1-3*8/8+", "1", "1", "*")
    return made.keys("-")


def _shoe() -> Table:
    return Table(devices=True).live()


def _in_shoe_hand(cards: int) -> Table:
    return _shoe().deck().keys("enter", "enter").cards(cards)


def _journal_stop(fault: Callable[[str], Exception]) -> Table:
    made = Table().to_flop()
    made.console.stop(fault("The last entry was not recorded."))  # type: ignore[arg-type]
    return made


def _recovered() -> Table:
    made = Table().to_flop()
    recovered = Recovered("hand 118, flop, action on seat 4")
    made.console.model = made.console.model.enter(recovered)
    return made


def _closed() -> Table:
    made = Table().keys("/", *"4711", "enter")
    return choose(made, "Close the table.").keys("8")


def choose(made: Table, meaning: str) -> Table:
    """Pages through a list to the line, and types its number."""
    for _ in range(9):
        page = made.console.prompt.page
        assert page is not None
        for line in page.lines:
            if meaning in line:
                return made.keys(line[0])
        made.keys("+")
    raise AssertionError(meaning)


def _jam() -> Table:
    made = _in_shoe_hand(40)
    made.say("shuffler", said.DeckIn("blue"))
    return made.say("shuffler", said.Jammed("exit"))


def _two_persons() -> Table:
    made = Table().to_flop().keys("/", *"4711", "enter")
    return choose(made, "Void the hand").keys("1")


def _exposed() -> Table:
    made = Table().keys("enter", "enter", "/", *"4711", "enter")
    return choose(made, "Exposed card").keys("4", "enter", "4")


def _fees() -> Table:
    rules = str(config_dir() / "examples" / "rules" / "fee_by_player.toml")
    return Table(rules, players=5, button=5).keys("enter")


def _untracked() -> Table:
    return Table(players=5, button=5, stacks=dict.fromkeys(range(1, 6))).keys("enter")


SCENES: dict[str, Callable[[], Table]] = {
    "seat_players": lambda: Table(players=1, button=None),
    "open_seat": lambda: Table(players=1, button=None).keys("5", "enter", "2", "0", "0"),
    "at_a_seat": lambda: Table().keys("4", "enter"),
    "leaves": lambda: Table().keys("4", "enter", "/"),
    "before_the_draw": lambda: Table(button=None),
    "draw": lambda: Table(button=None).keys("enter", "1", "3", "*", "9"),
    "draw_next": lambda: Table(button=None).keys("enter", "1", "3", "*"),
    "draw_waits": lambda: Table(button=None).keys("enter", "1", "3", "*", "."),
    "idle": Table,
    "take_the_deck": lambda: _shoe(),
    "cut": lambda: _shoe().deck(),
    "pitch_by_hand": lambda: Table().keys("enter"),
    "pitch_from_the_shoe": lambda: _in_shoe_hand(17),
    "fees_not_paid": lambda: _fees().keys("3", "+"),
    "fee_of_a_seat": lambda: _fees().keys("2"),
    "short_post": lambda: _untracked().keys("2", "*", "1"),
    "preflop": lambda: Table().keys("enter", "enter", "enter", "+", "-", "enter"),
    "fold_to_a_seat": lambda: Table().keys("enter", "enter", "6"),
    "pot_limit": lambda: _pot_limit("*"),
    "raise_typed": lambda: _pot_limit("1", "5"),
    "raise_too_small": lambda: _pot_limit("7"),
    "undo": lambda: Table().keys("enter", "enter", "+", "."),
    "refused": lambda: Table().keys("enter", "enter", "escape"),
    "burn_and_flop": lambda: Table().keys("enter", "enter").around(),
    "flop_half_typed": lambda: Table().keys("enter", "enter").around().keys(*"7+1"),
    "flop_from_the_shoe": lambda: _in_shoe_hand(40).around().cards(2),
    "flop": lambda: Table().to_flop().keys("enter", "+"),
    "side_pots": _side_pots,
    "show": _showdown,
    "type_cards": lambda: _showdown("+", *"4+1"),
    "explain": lambda: _showdown("*"),
    "read_high": lambda: Table().to_river().keys("enter", "4"),
    "read_low": lambda: Table().to_river().keys("enter", "4", "enter", "2", "+"),
    "push": _pushing,
    "push_second": lambda: _pushing("enter"),
    "quartered": _quartered,
    "pin": lambda: Table().to_flop().keys("/", *"471"),
    "rulings": lambda: Table().to_flop().keys("/", *"4711", "enter"),
    "ruling_seat": lambda: choose(Table().to_flop().keys("/", *"4711", "enter"), "hand dead"),
    "ruling_reason": lambda: choose(
        Table().to_flop().keys("/", *"4711", "enter"), "hand dead"
    ).keys("4", "enter"),
    "two_persons": _two_persons,
    "remedy": _exposed,
    "menu": lambda: Table().keys("/", "*"),
    "help": lambda: Table().keys("/", "*", "1"),
    "posted_rules": lambda: Table().keys("/", "*", "2"),
    "devices": lambda: _shoe().keys("/", "*", "3"),
    "slip": lambda: Table().keys("/", "*", "5"),
    "dealer_push": lambda: Table().keys("/", "+", "1", "1", "4"),
    "shift": lambda: Table().keys("/", "+", "*"),
    "shift_box": lambda: Table().keys("/", "+", "*", "2", "7", "1"),
    "jam": _jam,
    "deck_short": lambda: (
        _shoe()
        .say("shuffler", said.DeckIn("red"))
        .say("shuffler", said.DeckVerified(1, 51, False, "short"))
    ),
    "shoe_lost": lambda: _in_shoe_hand(17).say(
        "shoe", said.LinkChanged(said.Link.DOWN, "the cable is out")
    ),
    "unreadable": lambda: _in_shoe_hand(17).unreadable(),
    "events_lost": lambda: _in_shoe_hand(17).say("shoe", said.EventsLost(2)),
    "premature": lambda: _in_shoe_hand(41),
    "log_busy": lambda: _journal_stop(Busy),
    "log_damaged": lambda: _journal_stop(Tampered),
    "log_uncertain": lambda: _journal_stop(Uncertain),
    "log_full": lambda: _journal_stop(Full),
    "recovered": _recovered,
    "closed": _closed,
}
