"""Which decks of a shuffler may be dealt, which are counted again, and which the floor keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from omaha_drivers import events as said
from omaha_drivers.settings import DeviceSettings

from omaha_table.journal.snapshot import restore, take
from omaha_table.session.config import load_table
from omaha_table.session.deck_text import lower_trust
from omaha_table.session.devices import Devices
from omaha_table.table import commands as table_commands
from omaha_table.table.events import DeviceNoted
from tests.console.scenes import Table, choose
from tests.journal.days import check, open_session

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.session import Session

COUNTED: list[said.DeviceEvent] = [
    said.DeckIn("red"),
    said.ShuffleStarted(1),
    said.DeckVerified(1, 52, True, "ok"),
    said.ShuffleComplete(1, 52),
]


def cycle(number: int) -> list[said.DeviceEvent]:
    """A full cycle of the deck that is in the machine."""
    return [
        said.ShuffleStarted(number),
        said.DeckVerified(number, 52, True, "ok"),
        said.ShuffleComplete(number, 52),
    ]


def shuffled(*events: said.DeviceEvent) -> Table:
    """A table whose shuffler says these, in order."""
    made = Table(devices=True).live()
    for event in events:
        made.say("shuffler", event)
    return made


def stands(made: Table) -> tuple[str, set[str]]:
    return made.session.state.deck, set(made.session.state.decks_out)


@pytest.mark.parametrize(
    "trouble",
    [
        said.Fault("E7"),
        said.DeviceWarning("paper low"),
        said.LinkChanged(said.Link.SILENT, "not heard"),
        said.LinkChanged(said.Link.DOWN, "the cable is out"),
    ],
    ids=["fault", "warning", "silent", "down"],
)
def test_a_good_deck_that_is_taken_during_a_fault_may_be_dealt(trouble: said.DeviceEvent) -> None:
    made = shuffled(*COUNTED, trouble, said.DeckTaken(1))
    assert stands(made) == ("ok", set())
    assert made.session.step.what == "cut"


AGAIN: dict[str, list[said.DeviceEvent]] = {
    "jam": [said.Jammed("exit"), said.JamCleared("exit")],
    "lid": [said.DoorChanged(True), said.DoorChanged(False)],
    "aborted": [said.ShuffleAborted("host")],
    "service": [said.ServiceMode(True), said.ServiceMode(False)],
    "restart": [said.Restarted()],
    "events lost": [said.EventsLost(2)],
    "a card not read": [said.DeckVerified(1, 51, False, "unreadable")],
}
WHY = {
    "jam": "the shuffler jammed",
    "lid": "the lid was opened",
    "aborted": "the shuffle was stopped",
    "service": "it was in service",
    "restart": "the shuffler restarted",
    "events lost": "reports were lost",
    "a card not read": "a card was not read",
}


@pytest.mark.parametrize("what", AGAIN)
def test_what_can_have_changed_a_deck_sends_it_through_a_full_cycle_without_the_floor(
    what: str,
) -> None:
    made = shuffled(*COUNTED, *AGAIN[what])
    sentence = f"Run the red deck through a full cycle: {WHY[what]}."
    assert made.console.prompt.detail == sentence
    assert made.console.view().alarm.text == f"SHUFFLER  {sentence}"
    for event in cycle(2):
        made.say("shuffler", event)
    # That it was in service at all the floor accepts, whatever the deck is.
    left = "warn" if what == "service" else "none"
    assert made.console.view().alarm.level == left
    made.say("shuffler", said.DeckTaken(2))
    assert stands(made) == ("ok", set())
    made.keys("enter", "+")
    assert made.session.state.hand is not None


@pytest.mark.parametrize("what", AGAIN)
def test_a_deck_that_is_taken_before_that_cycle_is_put_back_and_not_impounded(what: str) -> None:
    made = shuffled(*COUNTED, *AGAIN[what], said.DeckTaken(1))
    assert stands(made) == ("unverified", set())
    prompt = made.console.prompt
    assert (prompt.title, prompt.detail) == (
        "PUT THE DECK BACK",
        "The red deck was taken unverified: put it back for a full cycle.",
    )
    made.say("shuffler", said.DeckIn("red"))
    for event in cycle(2):
        made.say("shuffler", event)
    made.say("shuffler", said.DeckTaken(2))
    assert stands(made) == ("ok", set())


@pytest.mark.parametrize(
    "halves",
    [cycle(2)[1:2], cycle(2)[2:], cycle(2)[1:]],
    ids=["counted only", "complete only", "not shuffled"],
)
def test_after_a_jam_less_than_a_full_cycle_proves_nothing(
    halves: list[said.DeviceEvent],
) -> None:
    made = shuffled(*COUNTED, *AGAIN["jam"], *halves, said.DeckTaken(2))
    assert stands(made) == ("unverified", set())


@pytest.mark.parametrize(
    "events",
    [
        [said.DeckTaken(1)],
        [said.DeckIn("red"), said.DeckTaken(1)],
        [*COUNTED[:3], said.DeckTaken(1)],
        [*COUNTED[:2], said.ShuffleComplete(1, 52), said.DeckTaken(1)],
        [*COUNTED, said.DeckTaken(2)],
        [*COUNTED, said.ShuffleStarted(1), said.DeckTaken(1)],
        [*COUNTED, said.DeckIn("red"), said.DeckTaken(1)],
        [*COUNTED[:2], said.DeckVerified(2, 52, True, "ok"), COUNTED[3], said.DeckTaken(1)],
        [said.DeckIn("red"), *cycle(0), said.DeckTaken(0)],
        [*COUNTED, said.LinkChanged(said.Link.WRONG, "another serial number"), said.DeckTaken(1)],
        [said.ServiceMode(True), *COUNTED, said.DeckTaken(1)],
    ],
    ids=["nothing known", "loaded", "counted", "shuffled", "another cycle", "shuffled again",
         "put in again", "halves of two cycles", "no cycle number", "another device",
         "in service"],
)  # fmt: skip
def test_a_deck_that_no_full_cycle_proves_is_not_dealt(events: list[said.DeviceEvent]) -> None:
    made = shuffled(*events)
    assert stands(made) == ("unverified", set())
    assert made.session.step.what == "deck"
    refusal = made.session.do(table_commands.StartHand()).refusal
    assert refusal is not None
    assert refusal.code == "deck_not_ready"


WRONG: dict[str, said.DeviceEvent] = {
    "short": said.DeckVerified(1, 51, False, "short"),
    "over": said.DeckVerified(1, 53, False, "over"),
    "said to be right": said.DeckVerified(1, 51, True, "ok"),
    "put out short": said.ShuffleComplete(1, 51),
    "duplicate counted": said.DeckVerified(1, 52, False, "duplicate"),
    "foreign counted": said.DeckVerified(1, 52, False, "foreign"),
    "missing": said.DeckFaulty("missing"),
    "duplicate": said.DeckFaulty("duplicate"),
    "foreign": said.DeckFaulty("foreign"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_deck_stays_with_the_floor_whatever_is_counted_later(what: str) -> None:
    made = shuffled(*COUNTED[:2], WRONG[what])
    assert made.session.state.decks_out == {"red"}
    for event in [*cycle(2), said.DeckTaken(2)]:
        made.say("shuffler", event)
    assert stands(made) == ("bad", {"red"})
    for event in [said.DeckIn("red"), *cycle(3), said.DeckTaken(3)]:
        made.say("shuffler", event)
    assert stands(made) == ("bad", {"red"})
    made.keys("/", *"4711", "enter")
    choose(made, "deck").keys("1", "1", "enter")
    made.say("shuffler", said.DeckIn("red"))
    for event in [*cycle(4), said.DeckTaken(4)]:
        made.say("shuffler", event)
    assert stands(made) == ("ok", set())


def test_a_deck_that_is_let_back_while_it_is_in_the_machine_is_counted_again_first() -> None:
    made = shuffled(*COUNTED[:2], WRONG["short"]).keys("/", *"4711", "enter")
    choose(made, "deck").keys("1", "1", "enter")
    assert made.console.prompt.detail == (
        "Run the red deck through a full cycle: the floor let it back."
    )
    for event in [*cycle(2), said.DeckTaken(2)]:
        made.say("shuffler", event)
    assert stands(made) == ("ok", set())


def test_a_jam_or_a_wrong_deck_in_the_machine_leaves_the_deck_that_lies_ready() -> None:
    made = shuffled(*COUNTED, said.DeckTaken(1), said.DeckIn("blue"), said.Jammed("exit"))
    assert made.session.step.what == "cut"
    assert stands(made) == ("ok", set())
    made.say("shuffler", said.JamCleared("exit")).say("shuffler", said.DeckTaken(2))
    assert made.session.step.what == "cut"
    made.say("shuffler", said.DeckIn("blue"))
    made.say("shuffler", said.DeckVerified(3, 51, False, "short"))
    assert stands(made) == ("ok", {"blue"})
    made.keys("enter", "+")
    assert made.session.state.hand is not None


def test_a_deck_that_the_floor_had_out_of_use_with_its_shuffler_is_counted_again() -> None:
    made = shuffled(*COUNTED).run('floor 4711 device shuffler "jams"')
    made.run('floor 4711 restore shuffler "repaired"')
    made.say("shuffler", said.DeckTaken(1))
    assert stands(made) == ("unverified", set())


def test_a_full_cycle_ends_the_alarm_of_a_jam_that_nobody_reported_cleared() -> None:
    made = shuffled(said.DeckIn("red"), said.Jammed("exit")).keys(*SILENCE, *SILENCE)
    assert made.console.view().alarm.text.startswith("Still open: SHUFFLER jammed.")
    for event in [*cycle(2), said.DeckTaken(2)]:
        made.say("shuffler", event)
    assert stands(made) == ("ok", set())
    assert made.console.view().alarm.level == "none"


# Shufflers that report less


def plain(folder: Path, **lacks: bool) -> tuple[Session, Devices]:
    session = open_session(folder, deck_required=True)
    return session, heard(session, **lacks)


def heard(session: Session, **lacks: bool) -> Devices:
    devices = Devices(session, [DeviceSettings("shuffler", "shuffler", "tdp", "", **lacks)])  # type: ignore[arg-type]
    say(devices, said.LinkChanged(said.Link.LIVE, "ready"))
    return devices


def say(devices: Devices, *events: said.DeviceEvent) -> None:
    for event in events:
        devices.take(said.Report("shuffler", event, "", 0.0))


def unnumbered(back: str = "") -> list[said.DeviceEvent]:
    return [said.DeckIn(back), *cycle(0), said.DeckTaken(0)]


def test_a_shuffler_without_cycle_numbers_is_believed_in_the_order_of_its_reports(
    tmp_path: Path,
) -> None:
    session, devices = plain(tmp_path, reports_cycles=False)
    say(devices, *unnumbered("red"))
    assert session.state.deck == "ok"
    say(devices, said.DeckIn("red"), *cycle(0), said.Jammed("exit"), said.DeckTaken(0))
    assert session.state.deck == "ok", "the deck that lies ready stays ready"
    session.close()


def test_after_trouble_a_shuffler_without_colors_goes_on_with_the_next_deck(
    tmp_path: Path,
) -> None:
    session, devices = plain(tmp_path, reports_backs=False, reports_cycles=False)
    say(devices, said.DeckIn(""), said.ShuffleStarted(0), said.DeckVerified(0, 51, False, "short"))
    say(devices, *cycle(0), said.DeckTaken(0))
    assert (session.state.deck, session.state.decks_out) == ("bad", frozenset())
    say(devices, said.DeckIn(""), said.Jammed("exit"), said.JamCleared("exit"))
    say(devices, *unnumbered())
    assert (session.state.deck, session.state.decks_out) == ("ok", frozenset())
    session.close()
    assert check(tmp_path).damage == []


def test_a_deck_whose_color_should_be_reported_and_is_not_is_kept_like_any_other() -> None:
    made = shuffled(said.DeckIn(""), said.DeckVerified(1, 51, False, "short"))
    assert made.session.state.decks_out == {"unmarked"}


def test_what_a_shuffler_does_not_report_is_said_in_the_tables_file(tmp_path: Path) -> None:
    path = tmp_path / "t9.toml"
    path.write_text(
        '[table]\nid = "t9"\nrules = "ca_big_o"\n[devices.shuffler]\nadapter = "tdp"\n'
        'port = "/dev/null"\nreports_backs = false\nreports_cycles = false\n'
    )
    devices = Devices(open_session(tmp_path / "data"), load_table(path).device_settings())
    shuffler = devices.of("shuffler")
    assert shuffler is not None
    assert lower_trust(shuffler) == [
        "It reports no back colors: hand a faulty deck to the floor.",
        "It does not number its cycles: the order of its reports is believed.",
    ]


# After a restart


@pytest.mark.parametrize("done", range(1, 5))
def test_a_restart_knows_the_deck_in_the_machine_though_nothing_is_said_again(
    done: int, tmp_path: Path
) -> None:
    session, devices = plain(tmp_path)
    say(devices, *COUNTED[:done])
    session.close()
    session = open_session(tmp_path, deck_required=True)
    say(heard(session), *COUNTED[done:], said.DeckTaken(1))
    assert session.state.deck == "ok"
    session.close()
    assert check(tmp_path).damage == []


def test_a_restart_knows_that_the_deck_must_be_counted_again(tmp_path: Path) -> None:
    session, devices = plain(tmp_path)
    say(devices, *COUNTED, said.Jammed("exit"))
    session.close()
    session = open_session(tmp_path, deck_required=True)
    say(heard(session), said.DeckTaken(1))
    assert session.state.deck == "unverified"
    session.close()


def test_the_end_of_a_hand_keeps_the_deck_in_its_seal() -> None:
    made = shuffled(*COUNTED, said.DeckTaken(1)).keys("enter", "+")
    made.run("deal")
    for event in (said.DeckIn("blue"), *cycle(2)):
        made.say("shuffler", event)
    while made.session.step.what == "act":
        made.keys("-")
    made.keys("0")
    assert made.session.state.hand is None
    state = made.session.state
    assert state.machine is not None
    assert restore(take(state), state.profile, state.seq).machine == state.machine


def test_every_taking_of_an_unproved_deck_is_noted() -> None:
    made = Table(devices=True).live()
    noted: list[str] = []
    made.console.listeners.append(
        lambda records: noted.extend(
            one.event.what for one in records if isinstance(one.event, DeviceNoted)
        )
    )
    for event in (said.DeckTaken(1), *COUNTED[:2], WRONG["short"], said.DeckTaken(1)):
        made.say("shuffler", event)
    assert noted == ["unverified_deck_taken", "deck_not_verified", "faulty_deck_taken"]


SILENCE = ("/", "*", "7")
"""The menu's line."""


@pytest.mark.parametrize(
    "trouble",
    [said.Fault("E7"), said.ServiceMode(True)],
    ids=["fault", "service"],
)
def test_a_silenced_shoe_that_is_not_usable_deals_no_card(trouble: said.DeviceEvent) -> None:
    made = Table(devices=True).live().deck().keys("enter", "+").cards(17)
    made.say("shoe", trouble).keys(*SILENCE).cards(1)
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.cards_out, hand.trouble) == (17, "events_lost")


def test_a_silenced_loss_of_a_device_is_shown_again_when_it_is_lost_again() -> None:
    made = Table(devices=True).live().say("shoe", said.LinkChanged(said.Link.DOWN, "cable out"))
    assert made.console.view().alarm.level == "warn"
    made.keys(*SILENCE)
    assert made.console.view().alarm.text == "Still open: SHOE down.  / * 3 has more."
    made.say("shoe", said.LinkChanged(said.Link.LIVE, "ready"))
    made.say("shoe", said.LinkChanged(said.Link.DOWN, "cable out"))
    assert "SHOE down" in made.console.view().alarm.text
