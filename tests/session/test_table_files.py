"""A table's file: the bounds of every setting, and what it makes of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.session.config import ConfigError, load_table, seat_players
from tests.evenings import draw_lines
from tests.journal.days import open_session, say

if TYPE_CHECKING:
    from pathlib import Path

TABLE = '[table]\nid = "t7"\nrules = "ca_big_o"\n'
SHOE = '[devices.shoe]\nadapter = "tdp"\nport = "/dev/shoe"\n'


def written(folder: Path, *parts: str) -> Path:
    path = folder / "t7.toml"
    path.write_text("".join(parts), encoding="utf-8")
    return path


def player(seat: int = 1, name: str = "Ada", stack: str = "200.00") -> str:
    return f'[[players]]\nseat = {seat}\nname = "{name}"\nstack = "{stack}"\n'


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ((TABLE, f'title = "{"x" * 41}"\n'), "title"),
        ((TABLE, player(0)), "seat"),
        ((TABLE, player(name="")), "name"),
        ((TABLE, player(name="x" * 25)), "name"),
        ((TABLE, player(stack="ten")), "stack"),
        ((TABLE, player(stack="-5")), "stack"),
        ((TABLE, SHOE, "speed = 299\n"), "speed"),
        ((TABLE, SHOE, "speed = 4000001\n"), "speed"),
        ((TABLE, SHOE, f'serial = "{"x" * 33}"\n'), "serial"),
        ((TABLE, SHOE, 'identities = "open"\n'), "identities"),
        ((TABLE, SHOE, "trust = true\n"), "trust"),
        ((TABLE.replace("t7", "t" * 33),), "id"),
        (('[table]\nid = "t7"\n',), "rules"),
    ],
)
def test_a_setting_out_of_bounds_is_named(parts: tuple[str, ...], why: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=why):
        load_table(written(tmp_path, *parts))


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe", b"not toml [", b"x = " + b"[" * 20_000],
    ids=["not UTF-8", "not TOML", "nested too deeply"],
)
def test_what_cannot_be_read_as_a_table_is_refused_in_words(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t7.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"'t7\.toml' is not a TOML file in UTF-8"):
        load_table(path)


def test_what_is_in_bounds_is_taken(tmp_path: Path) -> None:
    longest = player(12, "x" * 24, "0.50")
    speed = 'speed = 300\nidentities = "count_only"\nallow_commands = true\n'
    config = load_table(written(tmp_path, TABLE, longest, SHOE, speed))
    assert config.players[0].stack == 50
    [shoe] = config.device_settings()
    assert (shoe.speed, shoe.identities, shoe.allow_commands) == (300, "count_only", True)
    [plain] = load_table(written(tmp_path, TABLE, SHOE)).device_settings()
    assert (plain.speed, plain.identities, plain.allow_commands) == (None, "sealed", False)


@pytest.mark.parametrize("asked", [True, False])
def test_whether_a_deck_is_required_is_as_the_file_says(asked: bool, tmp_path: Path) -> None:
    said = f"deck_required = {str(asked).lower()}\n"
    shuffler = SHOE.replace("shoe", "shuffler")
    for devices in ("", shuffler):
        assert load_table(written(tmp_path, TABLE, said, devices)).deck_required is asked
    assert load_table(written(tmp_path, TABLE, shuffler)).deck_required
    assert not load_table(written(tmp_path, TABLE, SHOE)).deck_required


def test_a_manual_shoe_needs_no_port_and_is_no_device(tmp_path: Path) -> None:
    manual = '[devices.shoe]\nadapter = "manual"\n'
    assert load_table(written(tmp_path, TABLE, manual)).device_settings() == []


def test_a_player_who_cannot_be_seated_is_named(tmp_path: Path) -> None:
    """Big O has nine seats."""
    config = load_table(written(tmp_path, TABLE, player(12)))
    session = open_session(tmp_path / "data")
    with pytest.raises(ConfigError, match=r"Seat 12: "):
        seat_players(session, config)
    session.close()


def test_a_table_that_everybody_has_left_stays_empty(tmp_path: Path) -> None:
    config = load_table(written(tmp_path, TABLE, player(1), player(2, "Ben")))
    session = open_session(tmp_path / "data")
    seat_players(session, config)
    say(session, *draw_lines(1, (1, 2)), "deal", "fold", "push", "leave 1", "leave 2")
    assert not session.state.seats
    assert seat_players(session, config) == []
    session.close()
