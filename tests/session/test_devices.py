"""What devices say, at the table: decks, cards, and everything that can be wrong with them."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
from omaha_drivers import events as said
from omaha_drivers.emulate import EmulatedShoe, EmulatedShuffler
from omaha_drivers.sealed import Sealed
from omaha_drivers.settings import DeviceSettings

from omaha_table.cards import DECK
from omaha_table.journal.faults import Busy, Uncertain
from omaha_table.journal.verification import files_in, verify
from omaha_table.session.devices import Devices
from tests.console.scenes import Table, choose
from tests.evenings import draw_lines

if TYPE_CHECKING:
    from pathlib import Path


def table() -> Table:
    return Table(devices=True).live()


def in_the_pitch(cards: int) -> Table:
    return table().deck().keys("enter", "+").cards(cards)


# The deck


def test_a_deck_is_ready_when_it_was_counted_complete_and_taken() -> None:
    made = table()
    made.say("shuffler", said.DeckIn("red")).say("shuffler", said.ShuffleStarted(1))
    made.say("shuffler", said.DeckVerified(1, 52, True, "ok"))
    made.say("shuffler", said.ShuffleComplete(1, 52))
    assert made.session.step.what == "deck"
    made.say("shuffler", said.DeckTaken(1))
    assert made.session.step.what == "cut"
    made.keys("enter", "+")
    hand = made.session.state.hand
    assert hand is not None
    assert hand.setup.started.deck == "red"


def test_a_wrong_count_takes_the_deck_out_until_the_floor_says_otherwise() -> None:
    made = table().deck("red", 1).keys("enter", "+").cards(40)
    made.say("shuffler", said.DeckIn("blue"))
    made.say("shuffler", said.DeckVerified(2, 51, False, "short"))
    assert made.session.step.what == "act", "the hand in play goes on"
    made.keys("enter")
    assert made.session.state.decks_out == {"blue"}
    assert made.console.view().alarm.level == "fault"
    while made.session.step.what == "act":
        made.keys("-")
    made.keys("0").deck("blue", 7)
    assert made.session.step.what == "deck", "still out, though it counts 52 now"
    made.keys("/", *"4711", "enter")
    choose(made, "deck").keys("1", "1", "enter").deck("blue", 8)
    assert made.session.step.what == "cut"


def test_two_decks_take_turns_by_color() -> None:
    made = table().deck("red", 1).keys("enter", "+").cards(40)
    while made.session.step.what == "act":
        made.keys("-")
    made.keys("0").deck("blue", 2).keys("enter", "+")
    hand = made.session.state.hand
    assert hand is not None
    assert hand.setup.started.deck == "blue"


# The shoe


def test_the_shoe_fills_the_slots_and_the_board_with_no_key() -> None:
    made = in_the_pitch(40)
    assert made.session.step.what == "act"
    made.around().cards(4)
    hand = made.session.state.hand
    assert hand is not None
    assert len(hand.board) == 3
    assert made.session.can_read(hand.contenders[0])


TROUBLES: list[tuple[said.DeviceEvent, str, str]] = [
    (said.CardUnreadable(18), "unreadable_card", "dealer"),
    (said.CardStuck(18), "stuck_card", "dealer"),
    (said.EventsLost(3), "events_lost", "dealer"),
    (said.DoorChanged(True), "lid_opened", "dealer"),
    (said.Restarted(), "events_lost", "dealer"),
    (said.CardReturned(17), "put_back", "dealer"),
    (said.CardReturned(16), "returned_card", "floor"),
    (said.CardDuplicate(18), "duplicate_card", "floor"),
    (said.CardForeign(18), "foreign_card", "floor"),
    (said.CardUnexpected(18), "card_too_many", "floor"),
]


@pytest.mark.parametrize(("event", "kind", "who"), TROUBLES)
def test_trouble_with_a_card_is_a_step_of_its_own_and_never_a_guess(
    event: said.DeviceEvent, kind: str, who: str
) -> None:
    made = in_the_pitch(17)
    made.say("shoe", event)
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.trouble, hand.cards_out) == (kind, 17)
    assert made.session.step.who == who
    made.keys("enter")
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.trouble is None) == (who == "dealer")


def test_an_unread_card_is_dealt_by_the_deliberate_key_and_its_hand_is_keyed_later() -> None:
    made = in_the_pitch(17).unreadable().keys("+", "enter").cards(22)
    hand = made.session.state.hand
    assert hand is not None
    assert made.session.step.what == "act"
    unread = hand.setup.slots[17].seat
    assert unread is not None
    assert not made.session.can_read(unread)
    assert all(made.session.can_read(seat) for seat in hand.contenders if seat != unread)


def test_a_card_when_betting_is_open_is_for_the_floor() -> None:
    made = in_the_pitch(41)
    assert made.session.step.what == "rule_on_card"


def test_a_card_that_comes_twice_is_a_fouled_deck_and_not_a_second_hole_card() -> None:
    made = in_the_pitch(3)
    made.say("shoe", said.CardDrawn(4, Sealed(DECK[0].text), True))
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.trouble, hand.cards_out) == ("duplicate_card", 3)


def test_a_card_before_the_hand_is_started_is_an_alarm_and_no_card() -> None:
    made = table().deck().keys("enter")
    made.say("shoe", said.CardDrawn(1, Sealed("As"), True))
    assert made.session.state.hand is None
    assert "drawn before the hand" in made.console.view().alarm.text
    assert "As" not in repr(made.console.view())


def test_a_lost_shoe_leaves_the_hand_to_the_dealer_from_the_same_slot() -> None:
    made = in_the_pitch(17).say("shoe", said.LinkChanged(said.Link.DOWN, "the cable is out"))
    assert "SHOE down" in made.console.view().alarm.text
    made.keys("0")
    assert made.session.step.what == "act"
    made.say("shoe", said.LinkChanged(said.Link.LIVE, "ready"))
    made.cards(1)
    hand = made.session.state.hand
    assert hand is not None
    assert hand.trouble is None, "not believed before the next hand"
    assert made.session.step.what == "act"
    while made.session.step.what == "act":
        made.keys("-")
    made.keys("0").deck("blue", 2).keys("enter", "+").cards(1)
    hand = made.session.state.hand
    assert hand is not None
    assert hand.cards_out == 1


def test_a_shoe_that_comes_back_without_a_gap_goes_on_where_it_was() -> None:
    made = in_the_pitch(17).say("shoe", said.LinkChanged(said.Link.DOWN, "the cable is out"))
    made.say("shoe", said.LinkChanged(said.Link.LIVE, "ready")).cards(23)
    assert made.session.step.what == "act"


def test_a_device_out_of_use_is_not_listened_to() -> None:
    made = in_the_pitch(17).keys("/", *"4711", "enter")
    choose(made, "device").keys("2", "1", "enter").cards(3)
    hand = made.session.state.hand
    assert hand is not None
    assert hand.cards_out == 17


# A script with devices on real ptys


def test_a_script_with_devices_deals_a_whole_hand_and_keys_only_the_actions(
    tmp_path: Path,
) -> None:
    shuffler = EmulatedShuffler(tmp_path / "shuffler", serial="S1")
    shoe = EmulatedShoe(tmp_path / "shoe", serial="S2")
    keys = tmp_path / "keys"
    program = [sys.executable, "-m", "omaha_table"]
    subprocess.run([*program, "keys", "new", str(keys)], check=True, capture_output=True)
    config = tmp_path / "t7.toml"
    players = "".join(f'[[players]]\nseat = {n}\nname = "P{n}"\n' for n in range(1, 5))
    config.write_text(
        '[table]\nid = "t7"\nrules = "ca_big_o"\nsurveillance_key = "keys/surveillance.public"\n'
        f'{players}[devices.shuffler]\nadapter = "tdp"\nport = "{tmp_path}/shuffler"\n'
        f'serial = "S1"\n[devices.shoe]\nadapter = "tdp"\nport = "{tmp_path}/shoe"\nserial = "S2"\n'
    )
    shuffler.start()
    shoe.start()
    try:
        process = subprocess.Popen(
            [*program, "script", "--config", str(config), "--data", str(tmp_path / "data"), "-"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        made: list[dict[str, Any]] = []
        with process:
            assert process.stdin is not None
            assert process.stdout is not None

            def until(kind: str) -> dict[str, Any]:
                assert process.stdout is not None
                while True:
                    made.append(json.loads(process.stdout.readline()))
                    if made[-1]["type"] == kind:
                        return made[-1]

            def say(*lines: str) -> None:
                assert process.stdin is not None
                process.stdin.write("".join(f"{line}\n" for line in lines))
                process.stdin.flush()

            watchdog = threading.Timer(60, process.kill)
            watchdog.start()
            say(*draw_lines(4, range(1, 5)))
            until("button_placed")
            live: set[str] = set()
            while len(live) < 2:
                say("step")
                until("step")
                live = {
                    answer["device"] for answer in made
                    if answer["type"] == "device_noted" and answer["detail"].startswith("live")
                }  # fmt: skip
            # The script waits at the cut for the deck that the shuffler must bring.
            say("cut")
            shuffler.shuffle("red")
            shuffler.take()
            until("deck_cut")
            say("hand")
            until("posted")
            shoe.load([card.text for card in DECK])
            say("3 call", "4 call", "1 call", "2 check", "1 check")
            for _ in range(20):
                shoe.draw()
            until("street_closed")
            for _ in range(4):
                shoe.draw()
            say("check around", "1 check")
            until("street_closed")
            for _ in range(2):
                shoe.draw()
            say("check around", "1 check")
            until("street_closed")
            for _ in range(2):
                shoe.draw()
            say("check around", "show 1", "show 2", "muck 3", "muck 4", "push")
            ended = until("hand_ended")
            process.stdin.close()
            process.wait(20)
            watchdog.cancel()
    finally:
        shuffler.stop()
        shoe.stop()
    assert not [answer for answer in made if answer["type"] == "refused"]
    assert len([answer for answer in made if answer["type"] == "card_dealt"]) == 28
    assert sum(ended["awards"].values()) + ended["fee"] + ended["jackpot"] == 1600
    verdict = verify(files_in(tmp_path / "data"))
    assert verdict.sound
    assert verdict.opened_seats == 2


# Cards that must not be believed


def test_late_cards_of_the_hand_before_are_not_dealt_into_the_next() -> None:
    made = in_the_pitch(17).say("shoe", said.LinkChanged(said.Link.DOWN, "out")).keys("0")
    while made.session.step.what == "act":
        made.keys("-")
    made.keys("0").say("shoe", said.LinkChanged(said.Link.LIVE, "ready"))
    made.deck("blue", 2).keys("enter", "+")
    for number in range(18, 41):
        made.say("shoe", said.CardDrawn(number, Sealed(DECK[number].text), True))
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.cards_out, hand.trouble) == (0, None)
    assert "another deck" in made.console.view().alarm.text
    made.cards(40)
    assert made.session.step.what == "act"


def test_after_a_restart_a_hand_that_was_dealt_by_hand_takes_no_card_for_its_board() -> None:
    made = in_the_pitch(17).say("shoe", said.LinkChanged(said.Link.DOWN, "out")).keys("0")
    made.around()
    assert made.session.step.what == "flop"
    again = Devices(made.session, [DeviceSettings("shoe", "shoe", "tdp", "/dev/null")])
    again.take(said.Report("shoe", said.LinkChanged(said.Link.LIVE, "ready"), "", 0.0))
    for number in range(18, 22):
        drawn = said.CardDrawn(number, Sealed(DECK[number].text), True)
        again.take(said.Report("shoe", drawn, "", 0.0))
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.board, hand.turned, hand.burned) == ((), (), False)


@pytest.mark.parametrize(
    ("number", "trouble"),
    [(1, "events_lost"), (16, "events_lost"), (17, "read_twice"), (19, "missed_card"),
     (40, "missed_card"), (49, "events_lost")],
)  # fmt: skip
def test_a_card_whose_number_is_not_the_next_is_never_dealt(number: int, trouble: str) -> None:
    made = in_the_pitch(17)
    made.say("shoe", said.CardDrawn(number, Sealed("As"), True))
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.cards_out, hand.trouble) == (17, trouble)


def test_a_card_outside_a_game_or_in_service_is_never_dealt() -> None:
    made = in_the_pitch(17)
    made.say("shoe", said.CardDrawn(18, Sealed(DECK[17].text), False))
    assert made.session.step.what == "check_cards"
    made = in_the_pitch(17).say("shoe", said.ServiceMode(True)).cards(1)
    assert made.session.step.what == "check_cards"


def test_cards_wait_while_somebody_looks_at_one() -> None:
    made = in_the_pitch(17).unreadable().cards(22)
    hand = made.session.state.hand
    assert hand is not None
    assert hand.cards_out == 17
    made.keys("+", "enter")
    assert made.session.step.what == "act"
    hand = made.session.state.hand
    assert hand is not None
    unread = hand.setup.slots[17].seat
    assert [seat for seat in hand.contenders if not made.session.can_read(seat)] == [unread]


def test_what_waits_for_the_floor_is_not_settled_by_something_smaller() -> None:
    made = in_the_pitch(17).say("shoe", said.CardDuplicate(18)).say("shoe", said.DoorChanged(True))
    made.keys("enter")
    hand = made.session.state.hand
    assert hand is not None
    assert hand.trouble == "duplicate_card"


def test_a_device_that_will_not_stop_talking_does_not_fill_the_log() -> None:
    made = table()
    seq = made.session.state.seq
    for number in range(500):
        made.say("shoe", said.SettingsChanged(f"key {number}"))
    assert made.session.state.seq - seq <= 40


def test_a_fault_of_the_journal_loses_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    made = in_the_pitch(17)
    with monkeypatch.context() as patch:
        patch.setattr(made.session, "do", lambda *_: (_ for _ in ()).throw(Busy("busy")))
        made.cards(3)
        assert made.console.prompt.title == "LOG IS BUSY"
    made.keys("+")
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.cards_out, hand.trouble) == (20, None)
    made.cards(20)
    assert all(made.session.can_read(seat) for seat in hand.contenders)


def test_after_the_log_was_opened_again_the_devices_are_heard_there() -> None:
    made, other = in_the_pitch(17), in_the_pitch(17)
    made.console.reopen = lambda: other.session
    made.console.stop(Uncertain("uncertain"))
    made.keys("enter")
    assert made.console.session is other.session
    made.cards(1)
    assert other.session.state.hand is not None
    assert other.session.state.hand.cards_out == 18
