"""Nothing that is wrong with a device is silent: the alarm line, the log and the device page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import pytest
from omaha_drivers import events as said

from omaha_table.dealer.alarms import alarm_line, still_wrong
from omaha_table.dealer.modes.pages import devices_page
from omaha_table.dealer.screen.drawing import draw
from omaha_table.table.device_records import DeviceIdentity
from omaha_table.table.events import DeviceAccepted, DeviceChanged, DeviceIdentified, DeviceNoted
from tests.console.scenes import (
    SCENES,
    Table,
    accept_shoe,
    firmware_changed,
    service_due,
    shoe_lost,
)

if TYPE_CHECKING:
    from omaha_drivers.events import DeviceEvent

DOWN, OPENING, SILENT, WRONG = (
    said.Link.DOWN, said.Link.OPENING, said.Link.SILENT, said.Link.WRONG
)  # fmt: skip
LOADED, STARTED, RUN = (
    said.AdapterFailed("house_shoe.reader", "load", "ModuleNotFoundError"),
    said.AdapterFailed("house_shoe.reader", "start", "KeyError"),
    said.AdapterFailed("house_shoe.reader", "run", "ValueError"),
)
BY_HAND = "Deal by hand."
STATES: dict[str, tuple[str, DeviceEvent, str, str, str]] = {
    "absent": (
        "shoe", said.LinkChanged(DOWN, "No device at this port."),
        f"SHOE down: No device at this port. {BY_HAND} Check power and cable.",
        "shoe: down: No device at this port.", "SHOE down",
    ),
    "port refused": (
        "shoe", said.LinkChanged(DOWN, "The port is in use by another program."),
        f"SHOE down: The port is in use by another program. {BY_HAND} Check power and cable.",
        "shoe: down: The port is in use by another program.", "SHOE down",
    ),
    "another device": (
        "shoe", said.LinkChanged(WRONG, "Its serial number is X9."),
        f"SHOE refused: Its serial number is X9. {BY_HAND} Call the floor.",
        "shoe: wrong: Its serial number is X9.", "SHOE refused",
    ),
    "mute": (
        "shoe", said.LinkChanged(OPENING, "No answer for 10 seconds.", overdue=True),
        f"SHOE not answering: No answer for 10 seconds. {BY_HAND} Check power, cable and settings.",
        "shoe: opening: No answer for 10 seconds.", "SHOE not answering",
    ),
    "wrong speed": (
        "shuffler", said.LinkChanged(OPENING, "Bytes arrive, wrong speed.", overdue=True),
        "SHUFFLER not answering: Bytes arrive, wrong speed. Check power, cable and settings.",
        "shuffler: opening: Bytes arrive, wrong speed.", "SHUFFLER not answering",
    ),
    "silent": (
        "shuffler", said.LinkChanged(SILENT, "No message for three seconds."),
        "SHUFFLER silent: No message for three seconds. Check power and cable.",
        "shuffler: silent: No message for three seconds.", "SHUFFLER silent",
    ),
    "driver not loaded": (
        "shoe", LOADED,
        "SHOE  The driver house_shoe.reader cannot be loaded (ModuleNotFoundError). "
        f"{BY_HAND} Call the technician.",
        "shoe: adapter failed house_shoe.reader: ModuleNotFoundError", "SHOE driver failed",
    ),
    "driver not started": (
        "shoe", STARTED,
        "SHOE  The driver house_shoe.reader cannot be started (KeyError). "
        f"{BY_HAND} Call the technician.",
        "shoe: adapter failed house_shoe.reader: KeyError", "SHOE driver failed",
    ),
    "driver failed": (
        "shoe", RUN,
        "SHOE  The driver house_shoe.reader failed (ValueError) and is started again. "
        f"{BY_HAND} Call the technician.",
        "shoe: adapter failed house_shoe.reader: ValueError", "SHOE down",
    ),
    "low": (
        "shoe", said.DeviceWarning("LOW LIGHT"),
        "SHOE  Warning: LOW LIGHT. It still works. Report it to the technician.",
        "shoe: device warning LOW LIGHT", "",
    ),
    "empty": (
        "shoe", said.ShoeEmpty(52), "SHOE  The shoe is empty. Load a deck.", "shoe: shoe empty",
        "SHOE empty",
    ),
    "cut card": (
        "shoe", said.CutCard(40),
        "SHOE  The cut card is out. Load a new deck after this hand.", "shoe: cut card", "",
    ),
    "aborted": (
        "shuffler", said.ShuffleAborted("door"),
        "SHUFFLER  The shuffle was aborted (door). Take the deck out and put it in again.",
        "shuffler: shuffle aborted door", "",
    ),
    "jammed": (
        "shuffler", said.Jammed("exit"),
        "SHUFFLER  Jam at exit: open the lid, clear the card, close the lid.",
        "shuffler: jammed exit", "SHUFFLER jammed",
    ),
    "faulty": (
        "shoe", said.Fault("E7"), f"SHOE  Fault E7. {BY_HAND} Call the technician.",
        "shoe: fault E7", "SHOE fault",
    ),
    "in service": (
        "shuffler", said.ServiceMode(on=True),
        "SHUFFLER  In service mode: do not use it for play. Call the floor.",
        "shuffler: service mode on", "SHUFFLER in service",
    ),
}  # fmt: skip
"""A report; the alarm, a line of the log, and what is still said once it was acknowledged."""


def line(made: Table) -> str:
    return made.console.view().alarm.text


def page(made: Table) -> str:
    return " ".join(" ".join(devices_page(made.console.model).lines).split())


def log(made: Table) -> list[str]:
    return [entry.split("  ", 1)[-1] for entry in made.console.view().log]


def recorded(made: Table) -> list[object]:
    found: list[object] = []
    made.console.listeners.append(lambda records: found.extend(one.event for one in records))
    return found


@pytest.mark.parametrize("state", STATES)
def test_it_is_on_the_alarm_line_in_the_log_and_on_the_page_and_one_key_acknowledges_it(
    state: str,
) -> None:
    device, event, alarm, logged, left = STATES[state]
    # A device that was never there is told of with its first report.
    heard = state not in ("absent", "port refused", "mute", "wrong speed", "driver not loaded")
    made = Table(devices=True)
    if heard:
        made.live()
    events = recorded(made)
    made.say(device, event)
    assert line(made) == alarm
    assert logged in log(made)
    told = alarm.split(" ", 1)[1].strip()
    assert f"! {told[:1].upper()}{told[1:]}" in page(made)
    assert "* ALARM SEEN" in [f"{key.cap} {key.label}" for key in made.console.prompt.keys]
    made.keys("*")
    seen = [one for one in events if isinstance(one, DeviceNoted) and "acknowledged" in one.what]
    assert [one.device for one in seen] == [device]
    assert alarm != line(made)
    assert (left in still_wrong(made.console.facts())) == bool(left)
    if left and state != "driver failed":
        assert "(acknowledged)" in page(made)


def test_no_alarms_is_never_said_while_something_is_not_right() -> None:
    for state, (device, event, _, _, left) in STATES.items():
        made = Table(devices=True).live().say(device, event).keys("*")
        quiet = made.console.view().alarm.level == "none"
        assert quiet == (not left and state != "in service"), state
    assert "SHUFFLER down, SHOE down" in line(Table(devices=True))
    made = Table(devices=True).live().keys("/", *"4711", "enter", "6", "1", "1", "1", "enter")
    assert made.session.state.devices_out == {"shuffler"}
    made.keys("/", ".")
    assert line(made) == "Still open: SHUFFLER out of use.  / * 3 has more."


def test_a_second_copy_that_is_not_written_is_still_said_in_a_hand() -> None:
    model = Table().keys("+").console.model
    fault = "The second copy cannot be written: no space."
    model = replace(model, facts=replace(model.facts, mirror_fault=fault))
    assert alarm_line(model).text == "Still open: SECOND COPY not written.  / * 3 has more."
    assert f"SECOND COPY  {fault}" in devices_page(model).lines


def test_one_key_acknowledges_the_alarm_that_is_shown_and_none_behind_it() -> None:
    made = shoe_lost().say("shuffler", said.Jammed("exit")).say("shoe", said.DeviceWarning("LOW"))
    shown = []
    while made.console.view().alarm.level in ("warn", "fault"):
        shown.append(line(made))
        made.keys("*")
    assert [one.split()[0] + one.split()[1] for one in shown] == [
        "SHUFFLERJam", "SHOEWarning:", "SHOEdown:"
    ]  # fmt: skip
    assert line(made) == "Still open: SHUFFLER jammed, SHOE down.  / * 3 has more."
    assert "Last warning: LOW" in page(made)


def test_while_betting_the_star_is_the_pot_and_the_menu_acknowledges() -> None:
    made = Table("ca_omaha_hilo", "5-5", players=6, button=1, devices=True).live()
    made.run("deck manual", "cut", "hand", "deal")
    assert made.session.step.what == "act"
    made.say("shoe", said.LinkChanged(DOWN, "the cable is out")).keys("*")
    assert made.console.model.typed, "the pot"
    made.keys(".", "/", "*", "7")
    assert line(made) == "Still open: SHOE down.  / * 3 has more."


def test_an_acknowledged_alarm_comes_back_when_it_happens_again() -> None:
    made = shoe_lost().keys("*").say("shoe", said.LinkChanged(OPENING, "The port is open."))
    assert line(made) == "Still open: SHOE not answering.  / * 3 has more."
    made.say("shoe", said.LinkChanged(said.Link.LIVE, "ready"))
    assert made.console.view().alarm.level == "none"
    made.say("shoe", said.LinkChanged(DOWN, "the cable is out"))
    assert line(made).startswith("SHOE down: the cable is out.")
    made.keys("*").say("shoe", said.LinkChanged(SILENT, "No message."))
    assert line(made).startswith("SHOE silent: No message.")


def test_a_port_that_opens_and_fails_again_and_again_is_acknowledged_once() -> None:
    made = shoe_lost().keys("*")
    for _ in range(5):
        made.say("shoe", said.LinkChanged(OPENING, "The port is open."))
        made.say("shoe", said.LinkChanged(DOWN, "the cable is out"))
        assert line(made).startswith("Still open: SHOE down")


def test_a_driver_that_cannot_be_made_is_shown_until_it_works() -> None:
    made = Table(devices=True).live().say("shoe", LOADED)
    made.say("shoe", said.LinkChanged(DOWN, "The adapter cannot be used."))
    made.keys("*")
    assert line(made) == "Still open: SHOE driver failed.  / * 3 has more."
    made.say("shoe", said.LinkChanged(said.Link.LIVE, "ready"))
    assert made.console.view().alarm.level == "none"


def test_a_driver_that_failed_and_works_again_is_shown_all_the_same() -> None:
    made = Table(devices=True).live().say("shoe", RUN)
    made.say("shoe", said.LinkChanged(DOWN, "restarted"))
    made.say("shoe", said.LinkChanged(said.Link.LIVE, "ready"))
    assert "house_shoe.reader failed (ValueError)" in line(made)
    made.keys("*")
    assert made.console.view().alarm.level == "none"


@pytest.mark.parametrize(
    ("event", "ends"),
    [
        (said.ShoeEmpty(52), said.ShoeLoaded(52)),
        (said.CutCard(40), said.ShoeLoaded(52)),
        (said.ShuffleAborted("door"), said.ShuffleStarted(2)),
    ],
    ids=["empty", "cut card", "aborted"],
)
def test_it_is_over_when_its_remedy_was_seen(event: DeviceEvent, ends: DeviceEvent) -> None:
    made = Table(devices=True).live()
    device = "shuffler" if isinstance(event, said.ShuffleAborted) else "shoe"
    made.say(device, event)
    assert made.console.view().alarm.level == "warn" or device == "shuffler"
    made.say(device, ends)
    assert made.console.view().alarm.level == "none"


@pytest.mark.parametrize(
    ("state", "alarm"),
    [
        ("jammed", "SHUFFLER  Jam: open the lid, clear the card, close the lid."),
        ("open", "SHUFFLER  The lid is open. Close it."),
        ("faulty", "SHUFFLER  It reports a fault. Call the technician."),
        ("service", "SHUFFLER  In service mode: do not use it for play. Call the floor."),
    ],
)
def test_the_state_in_which_a_device_is_found_is_an_alarm_as_long_as_it_lasts(
    state: Literal["jammed", "open", "faulty", "service"], alarm: str
) -> None:
    made = Table(devices=True).live().say("shuffler", said.StateFound(state))
    assert line(made) == alarm
    made.say("shuffler", said.StateFound("ok"))
    assert line(made) == ("" if state != "service" else line(made))
    made.say("shuffler", said.StateFound("jammed")).say("shuffler", said.Jammed("exit"))
    assert line(made).startswith("SHUFFLER  Jam at exit"), "the event says more"
    made.keys("*")
    assert not line(made).startswith("SHUFFLER  Jam")


# The floor


def test_another_firmware_stands_until_the_floor_accepts_it() -> None:
    made = firmware_changed()
    events = recorded(made)
    assert line(made) == "SHOE  Changed: firmware 2, was 1. The floor accepts it: / PIN 64."
    assert "shoe: house emu, serial shoe-1, firmware 2" in log(made)
    assert "firmware 2" in page(made)
    made.keys("*")
    assert "does nothing" in line(made)
    made.keys("/", "*", "7")
    assert line(made) == "This alarm stands until it is seen to."
    made.keys("/", ".")
    assert "firmware 2, was 1" in line(made)
    accept_shoe(made)
    assert DeviceAccepted("shoe") in events
    made.keys("/", ".")
    assert made.console.view().alarm.level == "none"
    assert made.session.state.device_records["shoe"].accepted == DeviceIdentity(
        "house", "emu", "shoe-1", "2"
    )


def test_what_waits_for_the_floor_does_not_hide_what_the_dealer_can_see_to() -> None:
    made = firmware_changed().say("shuffler", said.Jammed("exit"))
    assert line(made).startswith("SHUFFLER  Jam")
    made.keys("*")
    assert "firmware 2, was 1" in line(made)


def test_the_firmware_it_had_before_needs_no_floor() -> None:
    made = firmware_changed()
    made.say("shoe", said.Identified("house", "emu", "shoe-1", "1", said.Trust.PINNED))
    assert made.console.view().alarm.level == "none"


def test_another_device_at_the_same_port_is_for_the_floor() -> None:
    made = Table(devices=True).live()
    made.say("shoe", said.Identified("house", "emu", "shoe-2", "1", said.Trust.UNPINNED))
    assert "serial shoe-2, was shoe-1" in line(made)


def test_changed_settings_and_service_are_for_the_floor() -> None:
    made = Table(devices=True).live()
    events = recorded(made)
    made.say("shoe", said.SettingsChanged("volume")).say("shoe", said.SettingsChanged("volume"))
    made.say("shoe", said.SettingsChanged("01=0042"))
    assert line(made) == (
        "SHOE  Changed: settings volume, 01=0042. The floor accepts it: / PIN 64."
    )
    made.say("shoe", said.ServiceMode(on=True)).say("shoe", said.ServiceMode(on=False))
    assert "was in service mode" in line(made)
    assert [one for one in events if isinstance(one, DeviceChanged)] == [
        DeviceChanged("shoe", "setting", "volume"),
        DeviceChanged("shoe", "setting", "01=0042"),
        DeviceChanged("shoe", "service"),
    ]
    accept_shoe(made).keys("/", ".")
    assert made.console.view().alarm.level == "none"


def test_a_change_while_it_is_out_of_use_is_not_lost() -> None:
    made = Table(devices=True).live().keys("/", *"4711", "enter", "6", "1", "2", "1", "enter")
    events = recorded(made)
    made.say("shoe", said.Identified("house", "emu", "shoe-1", "2", said.Trust.PINNED))
    assert [type(one) for one in events] == [DeviceIdentified]
    made.keys("/", *"4711", "enter", "6", "2", "2", "1", "enter", "/", ".")
    assert "firmware 2, was 1" in line(made)


def test_service_is_due_from_the_threshold_on_and_starts_over_with_the_repair() -> None:
    made = service_due()
    assert line(made) == "SHOE  Service due: 2 cards unread in 2 decks. Call the technician."
    made.keys("*")
    assert line(made) == "Still open: SHOE service due.  / * 3 has more."
    assert "2 decks dealt, 2 unread cards" in page(made)
    made.keys("/", *"4711", "enter", "6", "1", "2", "1", "enter")
    made.keys("/", *"4711", "enter", "6", "2", "2", "1", "enter", "/", ".")
    assert made.console.view().alarm.level == "none"
    assert "Since service: nothing counted yet" in page(made)


# What the screen has room for


LONGEST = [
    said.LinkChanged(DOWN, " ".join(["reason"] * 28)),
    said.AdapterFailed("m" * 80, "run", "E" * 60),
    said.AdapterFailed("vendor.devices.reader", "load", "ModuleNotFoundError"),
    said.DeviceWarning(" ".join(["low"] * 15)),
    said.Fault("F" * 60),
    said.ShuffleAborted("w" * 60),
    said.Jammed("p" * 60),
    said.Identified("v" * 32, "m" * 32, "s" * 32, "f" * 32, said.Trust.UNPINNED),
]


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)], ids=str)
@pytest.mark.parametrize("event", LONGEST, ids=lambda event: type(event).__name__)
def test_no_explanation_is_cut(event: DeviceEvent, size: tuple[int, int]) -> None:
    made = Table(devices=True).live().say("shuffler", event)
    view = made.console.view()
    canvas = draw(view, *size)
    rows = canvas.text().splitlines()
    shown = "".join("".join(row[: size[0] - (32 if size[0] == 120 else 0)].split()) for row in rows)
    words = "".join(view.alarm.text.split())
    if "hasallofit" in shown:
        # The rest is on the page, and the line says so.
        told = words.removeprefix("SHUFFLER")
        assert told[1:] in "".join(page(made).split())
    else:
        assert words in shown
    assert "FLOOR / MENU" in canvas.text()
    assert any("SEAT MENU" in row for row in rows)


def test_a_short_alarm_moves_nothing() -> None:
    calm = draw(Table(devices=True).live().console.view(), 80, 24).text().splitlines()
    lost = draw(
        Table(devices=True).live().say("shoe", said.DeviceWarning("LOW")).console.view(), 80, 24
    ).text().splitlines()  # fmt: skip
    assert [row for row, text in enumerate(calm) if "NEXT" in text] == [
        row for row, text in enumerate(lost) if "NEXT" in text
    ]


def test_text_of_a_device_is_made_harmless() -> None:
    made = Table(devices=True).live()
    made.say("shuffler", said.DeviceWarning("\x1b[2Jlow")).say("shuffler", said.Fault("\x07"))
    made.say("shuffler", said.ShuffleAborted("\u202e"))
    made.say("shuffler", said.SettingsChanged("\x1b[31mred"))
    for text in (line(made), page(made), "".join(log(made))):
        assert text.isprintable(), text


def test_the_scenes_of_alarms_are_what_they_are_called() -> None:
    assert line(SCENES["firmware_accepted"]()) == "Device changed: done.  shoe"
    assert line(SCENES["alarm_seen"]()).startswith("Still open")
