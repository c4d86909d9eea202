"""What a table's file asks for and is not there: the table opens without it, and never silently."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from omaha_table.dealer.console import Console
from omaha_table.dealer.event_text import event_line
from omaha_table.dealer.modes.pages import devices_page
from omaha_table.journal.verification import files_in, verify
from omaha_table.review.index.incidents import kind_of
from omaha_table.session.config import ConfigError, load_table
from omaha_table.session.devices import Devices
from omaha_table.session.equipment import Missing, no_second_copy, no_surveillance_key
from tests.journal.days import open_session

if TYPE_CHECKING:
    from pathlib import Path

TABLE = '[table]\nid = "t7"\nrules = "ca_big_o"\n'
ALARM_LETTERS = 76
"""Of the alarm line at 80 columns, beside its sign and its margins."""


def table(folder: Path, kind: str, settings: str) -> Path:
    path = folder / "t7.toml"
    path.write_text(f"{TABLE}[devices.{kind}]\n{settings}\n", encoding="utf-8")
    return path


def missing(folder: Path, settings: str, kind: str = "shoe") -> Missing:
    [one] = load_table(table(folder, kind, settings)).find_devices()
    assert isinstance(one, Missing)
    return one


@pytest.mark.parametrize(
    ("settings", "alarm"),
    [
        ('adapter = "tdp"', "SHOE: no port. Deal by hand, or add it and start again."),
        (
            'adapter = "tdp"\nport = "/dev/shoe"\nkey_file = "config/shoe.key"',
            "SHOE: no device key shoe.key. Deal by hand, or add it and start again.",
        ),
        (
            'adapter = "tdp"\nport = "/dev/shoe"\nkey_file = "short.key"',
            "SHOE: bad device key short.key. Deal by hand, or replace it and start again.",
        ),
        (
            'adapter = "vendor"\nport = "/dev/shoe"',
            "SHOE: bad adapter vendor. Deal by hand, or correct it and start again.",
        ),
        (
            'adapter = "tdp"\nport = "spy:///dev/shoe"',
            "SHOE: bad port shoe. Deal by hand, or correct it and start again.",
        ),
    ],
    ids=["no port", "no key", "short key", "unknown adapter", "a port that logs"],
)
def test_a_shoe_that_cannot_be_used_is_named_with_what_to_do(
    settings: str, alarm: str, tmp_path: Path
) -> None:
    (tmp_path / "short.key").write_bytes(b"too short")
    assert missing(tmp_path, settings).alarm == alarm


def test_an_adapter_for_the_other_device_is_not_opened(tmp_path: Path) -> None:
    found = missing(tmp_path, 'adapter = "angel_eye"\nport = "/dev/x"', "shuffler")
    assert found.alarm == "SHUFFLER: bad adapter angel_eye. Correct it and start again."
    assert found.detail == "The adapter angel_eye is for a shoe, not a shuffler."


def test_a_shuffler_that_is_missing_still_makes_each_hand_wait_for_its_deck(tmp_path: Path) -> None:
    path = table(tmp_path, "shuffler", 'adapter = "tdp"')
    assert load_table(path).deck_required


def test_the_longest_name_leaves_room_for_what_to_do(tmp_path: Path) -> None:
    name = "k" * 200
    long = missing(tmp_path, f'adapter = "tdp"\nport = "/dev/x"\nkey_file = "{name}"')
    bad = missing(tmp_path, f'adapter = "{name}"\nport = "/dev/x"', "shuffler")
    found = [long, bad, no_second_copy(tmp_path / name)]
    found += [
        no_surveillance_key(tmp_path / name, "It is gone.", shoe=shoe) for shoe in (True, False)
    ]
    for one in found:
        assert len(one.alarm) <= ALARM_LETTERS, one.alarm
        assert one.alarm.endswith(".")
        assert len(json.dumps(one.note.detail)) < 250


def test_a_script_does_not_run_without_what_its_table_asks_for(tmp_path: Path) -> None:
    path = table(tmp_path, "shoe", 'adapter = "tdp"')
    with pytest.raises(ConfigError, match=r"devices\.shoe\.port is missing"):
        load_table(path).device_settings()


def opened(folder: Path, *found: Missing) -> Console:
    """A console as it is opened on a table that lacks something."""
    session = open_session(folder / "data")
    for one in found:
        session.opening += session.do(one.note).records
    return Console(session, Devices(session, (), found), missing=found, title="T7")


def test_each_alarm_is_shown_until_it_was_acknowledged_itself(tmp_path: Path) -> None:
    shoe = missing(tmp_path, 'adapter = "tdp"')
    key = no_surveillance_key(tmp_path / "office.public", "It is gone.", shoe=True)
    console = opened(tmp_path, shoe, key)
    assert console.view().alarm.text == shoe.alarm
    console.tick(10.0)
    assert console.model.bells == 2
    console.press("/", 11.0)
    console.press("*", 12.0)
    console.press("7", 13.0)
    assert console.view().alarm.text == (
        "SURVEILLANCE KEY: missing. The shoe only counts. Call the floor."
    )
    for at, name in enumerate("/*7", start=20):
        console.press(name, at)
    assert console.view().alarm.text == (
        "Still open: SHOE no port, SURVEILLANCE KEY missing.  / * 3 has more."
    )
    page = " ".join(" ".join(devices_page(console.model).lines).split())
    assert "SHOE devices.shoe.port is missing." in page
    assert "Cards are not kept until the key is there" in page
    console.session.close()


def test_what_was_missing_is_in_the_log_for_the_reviewer(tmp_path: Path) -> None:
    """Whoever deletes a key to have cards not read, or not kept, leaves a line in the log."""
    shoe = missing(tmp_path, 'adapter = "tdp"\nport = "/dev/x"\nkey_file = "shoe.key"')
    console = opened(tmp_path, shoe)
    said = f"! shoe: The device key {tmp_path}/shoe.key cannot be read: No such file or directory."
    assert said in [line.split("  ", 1)[-1] for line in console.view().log]
    noted = console.session.opening[-1].event
    assert event_line(noted) == said
    assert kind_of(noted) == "device"
    console.session.close()
    assert verify(files_in(tmp_path / "data")).sound


def test_a_folder_that_is_missing_is_not_made_into_a_second_copy(tmp_path: Path) -> None:
    path = tmp_path / "t7.toml"
    path.write_text(f'{TABLE}mirror = "copy"\n', encoding="utf-8")
    config = load_table(path)
    assert config.second_copy is None
    assert not (tmp_path / "copy").exists()
    (tmp_path / "copy").mkdir()
    assert config.second_copy == tmp_path / "copy"
