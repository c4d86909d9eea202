"""Who can read what the program writes: its owner, a group of reviewers if there is one, nobody."""

from __future__ import annotations

import grp
import os
import stat
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.files import make_folder
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.keys import write_durably
from omaha_table.log import set_up_log
from omaha_table.review.index.projection import Projection
from tests.counters import ledger, signature
from tests.evenings import draw_lines
from tests.journal.days import CLOSE, LINES, open_session, say

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(params=[0o000, 0o022, 0o077])
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.fixture
def _open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def some_group() -> int:
    """A group that this user may give its files to, where there is one not its own."""
    if os.geteuid() == 0:
        return 65534
    return next((group for group in os.getgroups() if group != os.getegid()), os.getegid())


@pytest.mark.usefixtures("_umask")
def test_nobody_else_can_read_an_evening_while_it_is_dealt_or_after(tmp_path: Path) -> None:
    data, mirror = tmp_path / "srv" / "t7", tmp_path / "copy"
    session = open_session(data, mirror=mirror)
    say(session, *LINES)
    while_open = modes(data)
    assert any(name.endswith("-wal") for name in while_open)
    assert any(name.endswith("-shm") for name in while_open)
    say(session, CLOSE)
    session.close()
    for found in (while_open, modes(mirror)):
        assert set(found.values()) == {0o600}, found
    closed = modes(data)
    [journal] = [name for name in closed if name.endswith(".journal")]
    assert closed.pop(journal) == 0o400
    assert set(closed.values()) == {0o600}, closed
    folders = (tmp_path / "srv", data, mirror)
    assert [mode(folder) for folder in folders] == [0o700] * 3


@pytest.mark.usefixtures("_open_umask")
def test_there_is_no_moment_at_which_a_new_file_is_open_to_others(tmp_path: Path) -> None:
    """Somebody looks as often as they can while days are opened, dealt and closed."""
    seen: set[tuple[str, int]] = set()
    stopped = threading.Event()

    def look() -> None:
        while not stopped.is_set():
            try:
                with os.scandir(tmp_path / "data") as entries:
                    found = [(e.name, stat.S_IMODE(e.stat().st_mode)) for e in entries]
            except OSError:
                continue
            seen.update(pair for pair in found if pair[1] & 0o077)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        for _ in range(6):
            session = open_session(tmp_path / "data")
            say(session, "seat 1 A 200", "seat 2 B 200", *draw_lines(1, (1, 2)))
            say(session, "deal", "fold", "push", CLOSE)
            session.close()
    finally:
        stopped.set()
        thread.join()
    assert seen == set()


@pytest.mark.usefixtures("_open_umask")
def test_no_right_is_taken_away_only_after_a_file_was_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `chmod` out of order, what is created is still its owner's alone."""
    monkeypatch.setattr(os, "chmod", lambda *given, **named: None)
    monkeypatch.setattr(os, "fchmod", lambda *given: None)
    monkeypatch.setattr(Path, "chmod", lambda *given, **named: None)
    session = open_session(tmp_path / "data", mirror=tmp_path / "copy")
    say(session, *LINES)
    for folder in (tmp_path / "data", tmp_path / "copy"):
        assert mode(folder) == 0o700
        assert set(modes(folder).values()) == {0o600}
    session.close()


@pytest.mark.usefixtures("_open_umask")
def test_reviewers_read_the_log_of_a_table_and_nothing_else(tmp_path: Path) -> None:
    group, data = some_group(), tmp_path / "t7"
    session = open_session(data, group=group, mirror=tmp_path / "copy")
    (data / "staff.json").touch(0o666)
    say(session, *LINES)
    shared = (".journal", ".journal-wal", ".journal-shm", ".witness")
    for name, found in modes(data).items():
        if name != "staff.json":
            assert found == (0o640 if name.endswith(shared) else 0o600), name
    assert {path.stat().st_gid for path in data.iterdir() if path.name.endswith(shared)} == {group}
    assert (mode(data), data.stat().st_gid) == (0o2750, group)
    say(session, CLOSE)
    session.close()
    closed = modes(data)
    assert closed["t7.key"] == 0o600
    [journal] = [name for name in closed if name.endswith(".journal")]
    assert closed[journal] == 0o440
    assert closed[journal.replace(".journal", ".receipt")] == 0o640
    assert set(modes(tmp_path / "copy").values()) == {0o600}
    open_session(data, group=group).close()
    assert modes(data)["staff.json"] == 0o600


@pytest.mark.usefixtures("_open_umask")
def test_what_an_older_version_left_open_is_narrowed(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES, CLOSE)
    session.close()
    session = open_session(tmp_path)
    session.close()
    (tmp_path / "console.log").touch()
    (tmp_path / "minutes.txt").touch()
    for path in tmp_path.iterdir():
        path.chmod(0o666 if path.name == "minutes.txt" else mode(path) | 0o044)
    tmp_path.chmod(0o755)
    open_session(tmp_path).close()
    found = modes(tmp_path)
    assert found.pop("minutes.txt") == 0o666, "only our own files are touched"
    assert {bits & 0o077 for bits in found.values()} == {0}
    assert mode(tmp_path) == 0o700


def test_a_folder_that_others_can_enter_is_narrowed_and_that_is_said_once(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    run = CliRunner()
    arguments = ["script", "--data", str(tmp_path)]
    first, second = (run.invoke(omaha_table, arguments, input="step\n") for _ in range(2))
    assert first.exit_code == second.exit_code == 0
    assert str(tmp_path) in first.stderr
    assert "mode 0755" in first.stderr
    assert second.stderr.count("mode") == 0
    assert mode(tmp_path) == 0o700


def test_a_folder_of_somebody_else_is_left_alone_and_the_message_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: 4_000_000)
    said = make_folder(tmp_path)
    assert mode(tmp_path) == 0o755
    assert f"chmod 700 {tmp_path}" in said


def test_a_folder_that_everybody_shares_is_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    assert "folder of the console's own" in make_folder(tmp_path)
    assert mode(tmp_path) == 0o1777


def test_the_group_of_a_table_file_is_given_and_taken_away(tmp_path: Path) -> None:
    given = {entry.gr_gid: entry.gr_name for entry in grp.getgrall()}
    name = given[next(gid for gid in (*os.getgroups(), os.getegid()) if gid in given)]
    table, data = tmp_path / "t7.toml", tmp_path / "data"
    arguments = ["script", "--config", str(table), "--data", str(data)]
    text = '[table]\nid = "t7"\nrules = "ca_big_o"\n'
    found = []
    for setting in (f'group = "{name}"\n', ""):
        table.write_text(text + setting, encoding="utf-8")
        done = CliRunner().invoke(omaha_table, arguments, input="seat 1 A\n")
        assert done.exit_code == 0, done.output
        [journal] = data.glob("*.journal")
        found.append((mode(data), mode(journal), mode(data / "t7.key")))
    assert found == [(0o2750, 0o640, 0o600), (0o700, 0o600, 0o600)]
    table.write_text(text + 'group = "no_such_group_here"\n', encoding="utf-8")
    done = CliRunner().invoke(omaha_table, arguments, input="step\n")
    assert done.exit_code == 2
    assert "There is no group" in done.output


def test_staff_does_not_close_a_folder_that_reviewers_may_enter(tmp_path: Path) -> None:
    open_session(tmp_path, group=some_group()).close()
    done = CliRunner().invoke(
        omaha_table,
        ["staff", "init", "S1", "Sam", "--data", str(tmp_path)],
        input="482155\n482155\n",
    )
    assert done.exit_code == 0, done.output
    assert mode(tmp_path) == 0o2750
    assert (modes(tmp_path)["staff.json"], modes(tmp_path)["pepper"]) == (0o600, 0o600)


def test_a_group_that_does_not_exist_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    arguments = ["script", "--data", str(tmp_path / "t7"), "--group", "no_such_group_here"]
    done = CliRunner().invoke(omaha_table, arguments, input="step\n")
    assert done.exit_code == 2
    assert "There is no group" in done.stderr
    assert not (tmp_path / "t7").exists()


@pytest.mark.usefixtures("_umask")
def test_notes_counts_lists_and_logs_are_their_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "review"
    ledger(folder).note("h1", "look again", signature("F1"))
    Projection(folder / "list.db").close()
    set_up_log(file=folder / "console.log", on_terminal=False)
    found = modes(folder)
    assert len(found) >= 8
    assert set(found.values()) == {0o600}, found
    assert mode(folder) == 0o700


@pytest.mark.usefixtures("_open_umask")
def test_a_file_that_lies_in_wait_for_a_key_does_not_get_it(tmp_path: Path) -> None:
    """Whoever may write in the folder lays a file, or a link, where the key is written first."""
    waiting = tmp_path / f".t7.key.{os.getpid()}"
    waiting.write_text("")
    held = waiting.open("rb")
    write_durably(tmp_path / "t7.key", b"secret")
    with held:
        assert held.read() == b""
    elsewhere = tmp_path / "elsewhere"
    waiting.symlink_to(elsewhere)
    write_durably(tmp_path / "t7.key", b"secret")
    assert not elsewhere.exists()
    assert modes(tmp_path) == {"t7.key": 0o600}


def test_a_log_and_notes_do_not_follow_a_symbolic_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    for name in ("console.log", "office.key"):
        (tmp_path / name).symlink_to(victim)
    with pytest.raises(OSError, match="symbolic link"):
        set_up_log(file=tmp_path / "console.log", on_terminal=False)
    with pytest.raises(JournalFault):
        ledger(tmp_path).note("h1", "look again", signature("F1"))
    assert victim.read_text() == "mine"
