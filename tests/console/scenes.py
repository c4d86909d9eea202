"""Every scene of the console, reached by keys and reports as a dealer would reach it."""

from __future__ import annotations

import dataclasses
import shutil
import weakref
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Any

from omaha_drivers import events as said
from omaha_drivers.settings import DeviceSettings

from omaha_table.cards import DECK
from omaha_table.dealer.console import Console
from omaha_table.dealer.messages import FactsChanged
from omaha_table.dealer.modes.at_table import AtTable
from omaha_table.dealer.modes.stops import Recovered
from omaha_table.dealer.room_status import ShipperReport
from omaha_table.demo.deal import DealtHand
from omaha_table.demo.practice_table import PracticeTable
from omaha_table.demo.score import Result, Score
from omaha_table.floor import BY_NAME, Authority, Staff
from omaha_table.floor.files import demo_staff
from omaha_table.floor.staff import Person, PinHash, Role
from omaha_table.journal.days import day_files
from omaha_table.journal.faults import Busy, Full, Tampered, Uncertain
from omaha_table.journal.opening import open_journal
from omaha_table.journal.writer import Clock
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.config import DeviceSection, demo_table, seat_players
from omaha_table.session.devices import Devices
from omaha_table.session.equipment import Missing, find_device
from omaha_table.session.script import run_line
from omaha_table.shipped import config_dir
from omaha_table.table import commands as table
from tests.evenings import opening
from tests.journal.days import CLOSE, open_session, say
from tests.rulings_before import DAY, bound, dead, play_day
from tests.staff_files import without_dealers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from omaha_drivers.events import DeviceEvent

    from omaha_table.rules import Profile

AT = 1_763_300_000.0
"""The wall clock of every scene."""


class Table:
    """A console with keys and devices at hand; time goes on by a second a key."""

    def __init__(
        self,
        rules: str | Profile = "ca_big_o",
        limit: str | None = None,
        *,
        players: int = 9,
        stacks: dict[int, int | None] | None = None,
        button: int | None = 7,
        devices: bool = False,
        deck_required: bool = False,
        staff: Staff | None = None,
        dealer_pins: bool = False,
        folder: Path | None = None,
        authority: Authority | None = None,
    ) -> None:
        """`folder` is where the log is kept; without it there is none."""
        self._waited = 0.0
        profile = load_profile(rules) if isinstance(rules, str) else rules
        chosen = profile.limits[0] if limit is None else profile.limit(limit)
        assert chosen is not None
        clock = Clock(self._wall, self._wall)
        self.session = Session(
            profile,
            chosen,
            without_dealers() if staff is None else staff,
            self._wall,
            deck_required=deck_required or devices,
            journal=None if folder is None else open_journal(folder, "t7", None, clock),
            dealer_pins=dealer_pins,
            authority=authority,
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
        self.console = Console(self.session, self.devices, title="T7", wall=self._wall)
        self._now = 0.0
        self._deck = [card.text for card in DECK[::-1]]
        self._number = 0

    def _wall(self) -> float:
        return AT + self._waited

    def run(self, *lines: str) -> Table:
        """Script words, for what is not the point of a scene."""
        for line in lines:
            made = [made["type"] for made in run_line(self.session, 1, line)]
            assert "refused" not in made, (line, made)
        self.console.send(FactsChanged(self.console.facts()))
        return self

    def wait(self, seconds: float) -> Table:
        """The wall clock goes on; keys alone do not move it."""
        self._waited += seconds
        return self

    def keys(self, *names: str) -> Table:
        """Keys, each a name or several single ones in a word."""
        for name in names:
            for key in [name] if name in ("enter",) else name.split() if " " in name else [name]:
                self._now += 1.0
                self.console.press(key, self._now)
        return self

    def hammer(self, key: str = "enter", *, times: int = 6, a_second: float = 3) -> Table:
        """The same key again and again, as an impatient hand does it."""
        for _ in range(times):
            self._now += 1 / a_second
            self.console.press(key, self._now)
        self._now += 1.0
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

    def drawn(self, number: int, *, in_game: bool = True) -> Table:
        """The last card of the deck, with this number."""
        from omaha_drivers.sealed import Sealed

        return self.say("shoe", said.CardDrawn(number, Sealed(self._deck[0]), in_game))

    def unreadable(self) -> Table:
        self._number += 1
        self._deck.pop()
        return self.say("shoe", said.CardUnreadable(self._number))

    def to_flop(self) -> Table:
        """Everybody calls; then 7c 5h 2s."""
        self.keys("+", "0")
        self.around()
        return self.keys(*"7+5*2/", "0")

    def around(self) -> Table:
        """ENTER until the betting is over."""
        while self.session.step.what == "act":
            self.keys("enter")
        return self

    def to_river(self) -> Table:
        self.to_flop().around().keys("1", "3", "-", "0").around().keys("1", "*", "0")
        return self.around()


def _no_device_key() -> Table:
    """A table whose file names a key for the shoe that somebody has deleted."""
    made = Table()
    key = Path("/etc/omaha-table/shoe.key")
    section = DeviceSection.model_validate(
        {"adapter": "tdp", "port": "/dev/shoe", "key_file": str(key)}
    )
    missing = find_device("shoe", section, key)
    assert isinstance(missing, Missing)
    devices = Devices(made.session, (), [missing])
    made.console = Console(made.session, devices, missing=[missing], title="T7", wall=lambda: AT)
    return made


def _side_pots() -> Table:
    made = Table("ca_big_o", stacks={1: 3000, 4: 800, 8: 1500}, players=8, button=6)
    made.keys("+", "0")
    made.keys("+").around()
    made.keys(*"7+5*2/", "0")
    return made.keys("+", "enter", "+", "enter")


def _pot_limit(*keys: str) -> Table:
    return Table("ca_omaha_hilo", "5-5", players=6, button=1).keys("+", "0", *keys)


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
    return _shoe().deck().keys("enter", "+").cards(cards)


def _journal_stop(fault: Callable[[str], Exception]) -> Table:
    made = Table().to_flop()
    made.console.stop(fault("The last entry was not recorded."))  # type: ignore[arg-type]
    return made


def _seats_wait() -> Table:
    """Everything that can wait at a seat for the end of a hand."""
    made = Table(players=8).run("away 6").keys("+", "0", "-")
    made.run("leave 3", "away 4", "buy 4 200", "back 6", "buy 2 1200", "seat 9 Kim 150")
    return made.run("leave 8", "seat 8 Dolores", "leave 1")


def _recovered() -> Table:
    made = Table().to_flop()
    recovered = Recovered("hand 118, flop, action on seat 4")
    made.console.model = made.console.model.enter(recovered)
    return made


def _closed() -> Table:
    made = Table().keys("/", *"4711", "enter")
    return choose(made, "close").keys("1", "enter", "+")


def choose(made: Table, ruling: str) -> Table:
    """Types the number of a ruling, by its name."""
    return made.keys(*str(BY_NAME[ruling].number))


def _jam() -> Table:
    made = _in_shoe_hand(40)
    made.say("shuffler", said.DeckIn("blue"))
    return made.say("shuffler", said.Jammed("exit"))


def shoe_lost() -> Table:
    return _in_shoe_hand(17).say("shoe", said.LinkChanged(said.Link.DOWN, "the cable is out"))


class RoomLink:
    """What a shipper says, without one; and what it was given."""

    def __init__(self, said: ShipperReport) -> None:
        self.said = said
        self.beats: list[Mapping[str, object]] = []

    def beat(self, beat: Mapping[str, object]) -> None:
        self.beats.append(beat)


def with_room(table: Table, said: ShipperReport) -> RoomLink:
    table.console.link = link = RoomLink(said)
    table.console.look_at_room()
    return link


def _with_room(table: Table, said: ShipperReport) -> Table:
    with_room(table, said)
    return table


def firmware_changed() -> Table:
    """The shoe comes back with another firmware than it had."""
    made = _shoe()
    return made.say("shoe", said.Identified("house", "emu", "shoe-1", "2", said.Trust.PINNED))


def accept_shoe(made: Table) -> Table:
    """The floor accepts the shoe as it is; the reason is the first one proposed."""
    return choose(made.keys("/", *"4711", "enter"), "accept").keys("2", "1", "enter")


def service_due() -> Table:
    """Two decks with an unread card each, in less than a hundred."""
    made = _shoe()
    for _ in range(2):
        made.say("shoe", said.ShoeLoaded(52)).say("shoe", said.CardUnreadable(1))
    return made.say("shoe", said.ShoeLoaded(52))


def devices_in_trouble() -> Table:
    """As much as one page can have to say of two devices."""
    made = firmware_changed().say("shoe", said.DeviceWarning("LOW LIGHT"))
    made.say("shoe", said.ShoeEmpty(52)).say("shoe", said.EventsLost(2)).keys("*", "*")
    made.say("shuffler", said.DeckIn("red")).say("shuffler", said.ShuffleStarted(3))
    made.say("shuffler", said.Jammed("exit")).say("shuffler", said.SettingsChanged("speed"))
    return made.say("shuffler", said.LinkChanged(said.Link.SILENT, "No message for three seconds."))


def _counted() -> Table:
    """A deck lies ready in the shuffler."""
    made = _shoe().say("shuffler", said.DeckIn("red")).say("shuffler", said.ShuffleStarted(1))
    made.say("shuffler", said.DeckVerified(1, 52, True, "ok"))
    return made.say("shuffler", said.ShuffleComplete(1, 52))


def _plain_shuffler() -> Table:
    """A shuffler that reports neither colors nor cycles."""
    made = _shoe()
    assert made.devices is not None
    shuffler = made.devices.devices["shuffler"]
    made.devices.devices["shuffler"] = dataclasses.replace(
        shuffler, reports_backs=False, reports_cycles=False
    )
    made.console.send(FactsChanged(made.console.facts()))
    return made


def _two_persons() -> Table:
    made = Table().to_flop().keys("/", *"4711", "enter")
    return choose(made, "void").keys("1", "enter", "+")


def _awarded() -> Table:
    """Three players put 4 in each and the drop is 3: seat 2 gets 5, seat 1 gets 4."""
    made = Table(players=3, button=3).to_river().keys("/", *"4711", "enter")
    choose(made, "award").keys("2", "enter", "5", "enter", "1", "enter", "4", "enter")
    return made.keys("1", "enter")


def _held() -> Table:
    made = Table(players=3, button=3).to_river().keys("enter", "3", "enter", "3", "enter")
    while made.session.step.what == "push":
        made.keys("0")
    made.keys("/", *"4711", "enter")
    return choose(made, "impound").keys("3", "enter", "4", "enter", "1", "enter")


def given_before(folder: Path) -> Table:
    """Nine players, and the rulings of two earlier gaming days in the table's folder."""
    play_day(folder, AT - 3 * DAY, dead(1, "fouled hand"), bound("call", "acted out of turn"))
    play_day(folder, AT - DAY, dead(2, "wrong number of cards"), dead(3, "clock ran out"),
             bound("fold", "slow play"))  # fmt: skip
    return Table(folder=folder).to_flop().keys("/", *"4711", "enter")


def _given_before(ruling: str, *keys: str, unsound: bool = False) -> Table:
    with TemporaryDirectory() as name:
        made = given_before(Path(name))
        if unsound:
            path = day_files(Path(name), "t7")[0]
            path.chmod(0o644)
            path.write_bytes(b"no journal")
        choose(made, ruling).keys(*keys)
        made.session.close()
    return made


def _exposed() -> Table:
    made = Table().keys("+", "0", "/", *"4711", "enter")
    return choose(made, "exposed").keys("4", "enter", "1", "enter")


def on_the_clock(*, flop: bool = False) -> Table:
    """The floor has called the clock on seat 1, before the flop or on it."""
    made = Table(players=6, button=6).to_flop() if flop else Table(players=6, button=4).keys(*"+0")
    for made_ in run_line(made.session, 1, 'floor 4711 clock 1 "asked for"'):
        assert made_["type"] != "refused", made_
    made.console.send(FactsChanged(made.console.facts()))
    return made


def _fees() -> Table:
    rules = str(config_dir() / "examples" / "rules" / "fee_by_player.toml")
    return Table(rules, players=5, button=5).keys("+")


def _untracked() -> Table:
    return Table(players=5, button=5, stacks=dict.fromkeys(range(1, 6))).keys("+")


def dealer_table(*, pins: bool = False) -> Table:
    """A staff list with dealers: D114 with a PIN, and D200, who is disabled."""
    dealers = [
        Person(number, f"Dealer {number}", Role.DEALER, PinHash.of(pin, b"", 64, 1), disabled)
        for number, pin, disabled in (("D114", "482155", False), ("D200", "200200", True))
    ]
    return Table(staff=Staff((*demo_staff().people[:3], *dealers)), dealer_pins=pins)


_FOLDED = ("deal", *["fold"] * 6, "push")
"""Of seven players."""


def _handover() -> Table:
    """Two are away for long, and blinds pass one of them; a deck is out, the floor is called."""
    made = Table("house_omaha_hilo", "6-12", players=9, button=4)
    made.run("away 2", "away 6", *_FOLDED, *_FOLDED).wait(1500)
    made.run("away 8", "deck bad 51 red").wait(660)
    return made.keys("/", "enter").wait(75).keys("+", *"114", "enter")


def _practice(made: Table, *keys: str, **more: Any) -> Table:
    """The same table as a trainee has it, and then keys."""
    bottom, *rest = made.console.model.modes
    assert isinstance(bottom, AtTable)
    table = PracticeTable(**more)
    made.console.model = dataclasses.replace(made.console.model, modes=(table, *rest))
    return made.keys(*keys)


def _practice_by_hand() -> Table:
    """All hands lie on the table; the console knows none of them."""
    made = Table("ca_omaha_hilo", players=4, button=4).to_river()
    hand = made.session.state.hand
    assert hand is not None
    deck = tuple(card for card in DECK if card not in hand.board)
    return _practice(made, dealt=DealtHand(1, hand.setup.slots, (*deck[::3], *deck[1::3])))


def _practice_result() -> Table:
    lost = {1: 'Ada said "fold", keyed was call'}
    score = Score(hands=1, seconds=95, keys=61, actions=22, refusals=2, wrong=lost, read=1,
                  situation="exposed card", failed="Seat 4's card was exposed, and the flop came "
                  "without the floor.")  # fmt: skip
    made = _practice(Table())
    made.console.model = made.console.model.enter(Result.of(score))
    return made


def _shift() -> Table:
    """A shift with a refund, a waived fee and a misdeal."""
    board = ("flop 2c 3c 4c", "check around", "turn 5d", "check around", "river 9h",
             "check around", "high 1", "low none", "push")  # fmt: skip
    made = Table("house_omaha_hilo", players=2, button=1)
    made.run("shift swing 71 72", "hand", "deal", "call", "check", *board)
    made.run('floor 4711 refund 1 2 1 "the reader failed"', "hand", "deal", "call", "check")
    made.run('floor 4711 waive "a long delay"', *board)
    return made.run("hand", "deal", 'floor 4711 misdeal "two cards exposed"')


def reopened(folder: Path) -> Table:
    """A table that was closed with four players, opened again on another day."""
    made = Table(players=0, button=None)
    session = open_session(folder, clock=Clock(lambda: AT, lambda: 0.0))
    say(session, "seat 1 Ada 480", "seat 3 Ben 212.50", "seat 4 Carmen", "seat 9 Dov 60", CLOSE)
    session.close()
    later = Clock(lambda: AT + 90_000, lambda: 0.0)
    made.session = open_session(folder, clock=later)
    players = demo_table().model_copy(update={"players": demo_table().players[:6]})
    assert seat_players(made.session, players) == []
    made.console = Console(made.session, title="T7", wall=lambda: AT + 90_000)
    return made


def _reopened() -> Table:
    folder = Path(mkdtemp(prefix="omaha-table-scene-"))
    made = reopened(folder)
    # The log is written to as long as somebody has the scene.
    weakref.finalize(made, shutil.rmtree, folder, ignore_errors=True)
    return made


SCENES: dict[str, Callable[[], Table]] = {
    "seat_players": lambda: Table(players=1, button=None),
    "open_seat": lambda: Table(players=1, button=None).keys("5", "enter", "2", "0", "0"),
    "open_seat_by_mistake": lambda: Table(players=1, button=None).keys("5", "enter"),
    "same_name": lambda: Table(players=3).keys("5", "enter", *"ben", *"200", "enter"),
    "new_name": lambda: Table().keys("4", "enter", *"Ada"),
    "all_the_chips": lambda: Table().keys("4", "enter", *"300"),
    "count_the_chips": lambda: Table(stacks={4: None}).keys("4", "enter", *"300"),
    "not_tracked": lambda: Table().keys("4", "enter", "0"),
    "noted_only": lambda: Table(stacks={4: None}).keys("4", "enter", *"300", "+"),
    "room_witnesses": lambda: _with_room(
        Table(), ShipperReport("shipped", seq=10**6, witnessed=10**6, has_witness=True)
    ),
    "room_away": lambda: _with_room(Table().to_flop(), ShipperReport("away", since=AT - 900)),
    "log_alarm": lambda: _with_room(Table().to_flop(), ShipperReport("alarm", alarm="rolled_back")),
    "away_too_long": lambda: Table().run("away 4").wait(1900),
    "picked_up": lambda: Table().run("away 4").wait(1900).keys("*"),
    "reopened": _reopened,
    "at_a_seat": lambda: Table().keys("4", "enter"),
    "leaves": lambda: Table().keys("4", "enter", "/"),
    "before_the_draw": lambda: Table(button=None),
    "draw": lambda: Table(button=None).keys("enter", "1", "3", "*", "9"),
    "draw_next": lambda: Table(button=None).keys("enter", "1", "3", "*"),
    "draw_waits": lambda: Table(button=None).keys("enter", "1", "3", "*", "-"),
    "draw_undo": lambda: Table(button=None).keys("enter", "1", "3", "*", "."),
    "start_undo": lambda: Table().keys("+", "."),
    "seat_undo": lambda: Table(players=8).keys("9", "enter", "2", "0", "0", "+", "."),
    "idle": Table,
    "take_the_deck": lambda: _shoe(),
    "cut": lambda: _shoe().deck(),
    "pitch_by_hand": lambda: Table().keys("+"),
    "pitch_from_the_shoe": lambda: _in_shoe_hand(17),
    "fees_not_paid": lambda: _fees().keys("3", "+"),
    "fee_of_a_seat": lambda: _fees().keys("2"),
    "short_post": lambda: _untracked().keys("2", "enter", "1"),
    "preflop": lambda: Table().keys("+", "0", "enter", "+", "-", "enter"),
    "fold_to_a_seat": lambda: Table().keys("+", "0", "6"),
    "clock": lambda: on_the_clock().wait(10),
    "time_is_up": lambda: on_the_clock().wait(31),
    "time_is_up_no_bet": lambda: on_the_clock(flop=True).wait(31),
    "shut_down": lambda: Table().keys(*"+0/*9"),
    "who_folds": lambda: Table().keys("+", "0", "6", "-"),
    "folded_out_of_turn": lambda: Table().keys("+", "0", "6", "-", "+"),
    "who_folded_early": lambda: Table().keys("+", "0").around().keys(*"/*+13"),
    "pot_limit": lambda: _pot_limit("*"),
    "raise_typed": lambda: _pot_limit("1", "5"),
    "raise_too_small": lambda: _pot_limit("7"),
    "undo": lambda: Table().keys("+", "0", "+", "."),
    "which_seat": lambda: Table().keys("+", "0", "/", "/"),
    "seat_in_a_hand": lambda: Table().keys("+", "0", "/", "/", "4"),
    "seats_wait": _seats_wait,
    "seats_wait_at_showdown": lambda: _showdown("1", "enter").run("leave 4", "buy 2 1200"),
    "seat_waits_menu": lambda: _seats_wait().keys("/", "/", "2"),
    "seat_waits_undo": lambda: _seats_wait().keys("/", "/", "2", "*"),
    "seat_leaves_menu": lambda: _seats_wait().keys("/", "/", "3"),
    "refused": lambda: Table().keys("+", "0", "escape"),
    "burn_and_flop": lambda: Table().keys("+", "0").around(),
    "flop_half_typed": lambda: Table().keys("+", "0").around().keys(*"7+1"),
    "flop_keyed": lambda: Table().keys("+", "0").around().keys(*"7+5*2/"),
    "flop_from_the_shoe": lambda: _in_shoe_hand(40).around().cards(2),
    "flop": lambda: Table().to_flop().keys("enter", "+"),
    "side_pots": _side_pots,
    "show": _showdown,
    "type_cards": lambda: _showdown("+", *"4+1"),
    "explain": lambda: _showdown("*"),
    "read_high": lambda: Table().to_river().keys("enter", "4"),
    "read_low": lambda: Table().to_river().keys("enter", "4", "enter", "2", "+"),
    "push": _pushing,
    "push_second": lambda: _pushing("0"),
    "quartered": _quartered,
    "practice_show": lambda: _practice(_showdown()),
    "practice_reads": lambda: _practice(_quartered(), "1"),
    "practice_low": lambda: _practice(_quartered(), "1", "enter", "1", "+"),
    "practice_split": lambda: _practice(_quartered(), "1", "enter", "1", "+", "2", "enter", "6"),
    "practice_wrong": lambda: _practice(_quartered(), "2", "enter", "-"),
    "practice_by_hand": _practice_by_hand,
    "practice_raise": lambda: _practice(
        Table().keys("+", "0", "+"), asks_for_raise=lambda _hand: True
    ),
    "practice_result": _practice_result,
    "floor_called": lambda: Table().to_flop().keys("/", "enter").wait(83),
    "floor_called_dealing": lambda: Table().to_flop().keys("/", "enter", ".").wait(83),
    "floor_called_between": lambda: Table().keys("/", "enter", ".").wait(725),
    "floor_called_refused": lambda: Table().to_flop().keys("/", "enter", ".", "escape").wait(83),
    "floor_is_here": lambda: (
        Table().to_flop().keys("/", "enter").wait(83).keys(*"4711", "enter", "*", "/")
    ),
    "pin": lambda: Table().to_flop().keys("/", *"4711"),
    "rulings": lambda: Table().to_flop().keys("/", *"4711", "enter"),
    "ruling_seat": lambda: choose(Table().to_flop().keys("/", *"4711", "enter"), "dead"),
    "ruling_reason": lambda: choose(Table().to_flop().keys("/", *"4711", "enter"), "dead").keys(
        "4", "enter"
    ),
    "ruling_group": lambda: Table().to_flop().keys("/", *"4711", "enter", "5"),
    "ruling_amount": lambda: choose(Table().to_flop().keys("/", *"4711", "enter"), "pot").keys(
        "4", "enter", "1", "1", "2"
    ),
    "ruling_entries": lambda: choose(
        Table().to_flop().keys("enter", "+", "/", *"4711", "enter"), "backup"
    ),
    "ruling_board": lambda: choose(Table().to_flop().keys("/", *"4711", "enter"), "board"),
    "ruling_reason_chosen": lambda: choose(
        Table().to_flop().keys("/", *"4711", "enter"), "pot"
    ).keys("4", "enter", "1", "1", "0", "enter", "2"),
    "ruling_sure": lambda: choose(Table().to_flop().keys("/", *"4711", "enter"), "void").keys(
        "1", "enter"
    ),
    "ruling_given": lambda: choose(Table().to_flop().keys("/", *"4711", "enter"), "pot").keys(
        "4", "enter", "1", "1", "0", "enter", "2", "enter"
    ),
    "two_persons": _two_persons,
    "award_pushes": _awarded,
    "chips_held": lambda: _held().keys("+", "0"),
    "given_before": lambda: _given_before("dead", "4", "enter"),
    "given_before_all": lambda: _given_before("binding", "4", "enter", "2", "*"),
    "given_before_unsound": lambda: _given_before("binding", "4", "enter", "2", unsound=True),
    "remedy": _exposed,
    "menu": lambda: Table().keys("/", "*"),
    "help": lambda: Table().keys("/", "*", "1"),
    "posted_rules": lambda: Table().keys("/", "*", "2"),
    "devices": lambda: _shoe().keys("/", "*", "3"),
    "slip": lambda: Table().keys("/", "*", "5"),
    "slip_closed": lambda: _shift().keys("/", "+", "*", "-", "+"),
    "slip_so_far": lambda: _shift().keys("/", "*", "5"),
    "dealer_push": lambda: Table().keys("/", "+", "1", "1", "4"),
    "handover": _handover,
    "dealer_pin": lambda: dealer_table(pins=True).keys("/", "+", *"114", "enter", *"482"),
    "shift": lambda: Table().keys("/", "+", "*"),
    "shift_box": lambda: Table().keys("/", "+", "*", "2", "7", "1"),
    "jam": _jam,
    "deck_short": lambda: (
        _shoe()
        .say("shuffler", said.DeckIn("red"))
        .say("shuffler", said.DeckVerified(1, 51, False, "short"))
    ),
    "shoe_lost": shoe_lost,
    "deck_again": lambda: (
        _counted().say("shuffler", said.Jammed("exit")).say("shuffler", said.JamCleared("exit"))
    ),
    "put_the_deck_back": lambda: (
        _counted().say("shuffler", said.Restarted()).say("shuffler", said.DeckTaken(1))
    ),
    "devices_lower_trust": lambda: _plain_shuffler().keys("/", "*", "3"),
    "no_device_key": lambda: _no_device_key(),
    "alarm_seen": lambda: shoe_lost().keys("*"),
    "alarm_of_three_rows": lambda: _shoe().say(
        "shoe",
        said.AdapterFailed(
            "cardroom_devices.readers.antenna_table.reader:AntennaTable",
            "run",
            "ResponseWithoutAntennaError",
        ),
    ),
    "firmware_changed": firmware_changed,
    "firmware_accepted": lambda: accept_shoe(firmware_changed()),
    "service_due": service_due,
    "devices_in_trouble": lambda: devices_in_trouble().keys("/", "*", "3"),
    "unreadable": lambda: _in_shoe_hand(17).unreadable(),
    "events_lost": lambda: _in_shoe_hand(17).say("shoe", said.EventsLost(2)),
    "read_twice": lambda: _in_shoe_hand(17).drawn(17),
    "put_back": lambda: _in_shoe_hand(17).say("shoe", said.CardReturned(17)),
    "missed_card": lambda: _in_shoe_hand(17).drawn(19),
    "out_of_game": lambda: _in_shoe_hand(17).drawn(18, in_game=False),
    "early_card": lambda: _shoe().deck().keys("enter").cards(2).keys("+"),
    "stub_reloaded": lambda: _in_shoe_hand(17).say("shoe", said.ShoeLoaded(35)),
    "new_deck": lambda: _in_shoe_hand(17).say("shoe", said.ShoeLoaded(52)),
    "unread_board": lambda: _in_shoe_hand(40).around().cards(1).unreadable(),
    "premature": lambda: _in_shoe_hand(41),
    "log_busy": lambda: _journal_stop(Busy),
    "log_damaged": lambda: _journal_stop(Tampered),
    "log_uncertain": lambda: _journal_stop(Uncertain),
    "log_full": lambda: _journal_stop(Full),
    "recovered": _recovered,
    "closed": _closed,
}
