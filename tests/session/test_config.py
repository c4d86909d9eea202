"""A table that is configured wrong is refused in words before anything is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.session.config import ConfigError, load_table, seat_players
from tests.journal.days import open_session, say

if TYPE_CHECKING:
    from pathlib import Path

TABLE = '[table]\nid = "t7"\nrules = "ca_big_o"\n'
ADA = '[[players]]\nseat = 1\nname = "Ada"\nstack = "200.00"\n'
SHOE = '[devices.shoe]\nadapter = "tdp"\n'


def written(folder: Path, *parts: str) -> Path:
    path = folder / "t7.toml"
    path.write_text("".join(parts))
    return path


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        (
            (TABLE, ADA, ADA.replace("Ada", "Ben")),
            "two players have the same seat, seat 1: Ada and Ben",
        ),
        (
            (TABLE, ADA, ADA.replace("seat = 1", "seat = 4").replace("Ada", "ADA")),
            "two players have the same name, ADA: seats 1 and 4",
        ),
        (('folder = "/tmp"\n', TABLE), "folder"),
        ((TABLE, "limits = 4\n"), "limits"),
        ((TABLE, ADA.replace("seat = 1", "seat = 13")), "seat"),
        ((TABLE.replace("t7", "../t7"),), "id"),
        ((TABLE, '[room]\nbundel = "room.toml"\n'), "room.bundel: .*bundle"),
        ((TABLE, '[room]\nbundle = ""\n'), "room.bundle"),
        ((TABLE, "[room]\n"), "room.bundle"),
    ],
    ids=[
        "seat twice",
        "name twice",
        "folder",
        "unknown setting",
        "no such seat",
        "id with a path",
        "room misspelled",
        "room without a name",
        "room without a bundle",
    ],
)
def test_a_fault_of_the_file_is_named(parts: tuple[str, ...], why: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=why):
        load_table(written(tmp_path, *parts))


def test_who_names_a_file_that_is_not_there_learns_what_writes_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'omaha-table setup' writes one"):
        load_table(tmp_path / "t8.toml")


@pytest.mark.parametrize("size", [0, 15, 33])
def test_a_device_key_has_16_to_32_bytes(size: int, tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"k" * size)
    config = load_table(written(tmp_path, TABLE, SHOE, 'port = "/dev/shoe"\nkey_file = "key"\n'))
    with pytest.raises(ConfigError, match="16 to 32 bytes"):
        config.device_settings()


def test_a_device_key_that_is_not_there_is_no_table_without_a_key(tmp_path: Path) -> None:
    config = load_table(written(tmp_path, TABLE, SHOE, 'port = "/dev/shoe"\nkey_file = "key"\n'))
    with pytest.raises(ConfigError, match="cannot be read"):
        config.device_settings()


def test_a_device_key_is_in_no_text(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"0123456789abcdef")
    config = load_table(written(tmp_path, TABLE, SHOE, 'port = "/dev/shoe"\nkey_file = "key"\n'))
    [shoe] = config.device_settings()
    assert shoe.key == b"0123456789abcdef"
    assert "0123456789abcdef" not in repr((shoe, config))


def test_a_manual_shuffler_is_no_device_and_asks_for_no_deck(tmp_path: Path) -> None:
    config = load_table(written(tmp_path, TABLE, '[devices.shuffler]\nadapter = "manual"\n'))
    assert config.device_settings() == []
    assert not config.deck_required


def test_players_are_seated_at_a_table_where_nobody_has_sat_yet_only(tmp_path: Path) -> None:
    config = load_table(written(tmp_path, TABLE, ADA))
    session = open_session(tmp_path / "data")
    assert len(seat_players(session, config)) == 1
    say(session, "leave 1", "seat 2 Ben 100")
    assert seat_players(session, config) == []
    assert list(session.state.seats) == [2]
    session.close()
