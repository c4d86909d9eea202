"""The review over a room: its index, what it is told while the room is away, and who may record."""

from __future__ import annotations

import re
import shutil
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.faults import Away, Tampered
from omaha_table.office.decisions import OfficeRefused
from omaha_table.review.index.box_openings import opened_boxes
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.ledger import Ledger
from omaha_table.review.index.projection import Projection
from omaha_table.review.index.replay import frames, steps_of
from omaha_table.review.index.store import Folder
from omaha_table.review.screens.desk import Desk
from omaha_table.room.link import ReaderLink
from omaha_table.room.listing import HeldRows
from omaha_table.room.rows import RoomRows
from omaha_table.room.shipper import Shipper
from omaha_table.room.soundness import standing
from omaha_table.room.store import RoomStore
from tests.console.terminal import Terminal
from tests.counters import PINS, hire, signature
from tests.journal.days import CLOSE, link, open_session, say
from tests.review.driving import Driver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from omaha_table.review.index.store import Store
    from omaha_table.room.embedded import EmbeddedServer
    from omaha_table.room.listing import Listed
    from omaha_table.session import Session
    from tests.room.reading import ReadRoom

ALL = parse_filter("")


def shown(store: Store) -> list[object]:
    """What a review shows, without the keys of journals."""
    with closing(Projection()) as index:
        assert index.refresh(store.journals()) == []
        hands = [(*row[:1], *row[2:27], *row[28:]) for row in index.page(ALL, 0, 1000)]
        lines = [tuple(row)[2:] for row in index.incidents(ALL, 0, 1000, by_time=True)]
        boxes = [(key.table, key.day, key.box, sums) for key, sums in index.box_page(0, 99)]
        [row] = index.page(parse_filter("#19"), 0, 1)
        journal = store.journal(row["file"])
        return [
            *hands, *lines, *boxes, index.statistics(ALL).result,
            [(frame.seq, frame.hash, frame.state) for frame in frames(journal, row["seq"])],
            steps_of(journal, row["seq"], row["last_seq"]),
        ]  # fmt: skip


def wait_for(true: Callable[[], object], seconds: float = 40.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def play(session: Session) -> None:
    """A hand that everybody folds to the big blind."""
    say(session, "deal")
    hand = session.state.hand
    assert hand is not None
    say(session, *["fold"] * (len(hand.setup.dealt) - 1), "push")


def test_a_room_shows_what_the_folder_shows(read: ReadRoom, swing: Path) -> None:
    read.ship(swing)
    with read.store() as store:
        assert shown(store) == shown(Folder(swing))


def test_only_what_is_new_is_read(
    read: ReadRoom, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read.ship(evening)
    fetched: list[object] = []

    def counting(rows: RoomRows, after: int, kinds: tuple[str, ...] = ()) -> object:
        page = one_page(rows, after, kinds)
        fetched.extend([] if kinds else page)
        return page

    one_page = RoomRows._page
    monkeypatch.setattr(RoomRows, "_page", counting)
    with read.store() as store, closing(Projection()) as index:
        index.refresh(store.journals())
        assert len(fetched) == len(read.room.events())
        hands = index.count()
        fetched.clear()
        index.refresh(store.journals())
        assert fetched == []
        session = open_session(evening)
        before = session.state.seq
        say(session, "deal", "fold")
        session.close()
        read.ship(evening)
        index.refresh(store.journals())
        assert 0 < len(fetched) <= len(read.room.events()) - before + 40
        assert index.count() >= hands


def test_what_was_refused_is_shown_also_if_it_comes_later(
    read: ReadRoom, swing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shipper sends the events first, and may be killed before it sends the rest."""
    monkeypatch.setattr(Shipper, "_ship_refusals", lambda *_: None)
    read.ship(swing)
    with read.store() as store, closing(Projection()) as index:
        index.refresh(store.journals())
        given = parse_filter("flag:refusal")
        assert index.search_all(given).total == 0
        monkeypatch.undo()
        read.ship(swing)
        index.refresh(store.journals())
        with closing(Projection()) as known:
            known.refresh(Folder(swing).journals())
            numbers = known.search_all(given).total
        assert index.search_all(given).total == numbers > 0
        assert index.count() == 26


def test_another_history_takes_the_place_of_the_one_that_was_put_aside(
    read: ReadRoom, evening: Path, tmp_path: Path
) -> None:
    backup = Path(shutil.copytree(evening, tmp_path / "backup"))
    session = open_session(evening)
    play(session)
    session.close()
    read.ship(evening)
    with read.store() as store, closing(Projection()) as index:
        index.refresh(store.journals())
        longer = index.count()
        with pytest.raises(Exception, match="shorter than the room's copy"):
            read.ship(backup)
        trusted, said = store.standing()
        assert (trusted, "ALARM at t7: rolled_back" in said) == (False, True)
        index.refresh(store.journals())
        assert index.count() == longer
        read.ship(backup)
        index.refresh(store.journals())
        with closing(Projection()) as known:
            known.refresh(Folder(backup).journals())
            assert index.count() == known.count() < longer


def test_a_row_that_was_changed_in_the_room_is_not_shown(read: ReadRoom, evening: Path) -> None:
    read.ship(evening)
    owner = read.room.owner
    owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    owner.execute("UPDATE room.event SET actor = 'nobody' WHERE seq = 100")
    with read.store() as store, closing(Projection()) as index:
        [journal] = store.journals()
        [fault] = index.refresh([journal])
        assert fault == f"{journal.name}: Event 100 was changed in the room."
        with closing(journal.open()) as rows, pytest.raises(Tampered, match="Event 100"):
            list(rows.since(98))


def test_the_title_says_how_far_the_room_is_witnessed(read: ReadRoom, evening: Path) -> None:
    read.ship(evening)
    [path] = evening.glob("t7-*.journal")
    with read.store() as store:
        assert store.standing()[1].startswith(f"not witnessed: {path.stem}, ")
        read.witness()
        trusted, said = store.standing()
        assert (trusted, f"{len(read.room.events()):,} events" in said) == (True, True)
        session = open_session(evening)
        hand = session.state.hands
        say(session, "deal", "fold")
        session.close()
        read.ship(evening)
        assert f"{path.stem} to hand {hand}" in store.standing()[1]
        read.room.owner.execute("ALTER TABLE room.journal DISABLE TRIGGER ALL")
        read.room.owner.execute("UPDATE room.journal SET seq = 9")
        trusted, said = store.standing()
        assert (trusted, "is not what the room's witness signed" in said) == (False, True)


def test_a_room_whose_owner_made_all_hashes_again_is_not_trusted(
    read: ReadRoom, evening: Path
) -> None:
    """Each row fits the one before it: only what the witness signed tells."""
    read.ship(evening)
    read.witness()
    session = open_session(evening)
    say(session, "deal")
    session.close()
    read.ship(evening)
    owner = read.room.owner
    owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    owner.execute("UPDATE room.event SET actor = 'nobody' WHERE seq = 100")
    head = b""
    for row in owner.execute(
        "SELECT hash, seq, hand, at_us, mono_us, kind, actor, body FROM room.event "
        "WHERE seq >= 99 ORDER BY seq"
    ).fetchall():
        head = row[0] if row[1] == 99 else link(head, *row[1:])
        owner.execute("UPDATE room.event SET hash = %s WHERE seq = %s", (head, row[1]))
    owner.execute("UPDATE room.journal SET head = %s", (head,))
    with read.store() as store, closing(Projection()) as index:
        assert index.refresh(store.journals()) == []
        trusted, said = store.standing()
        assert (trusted, "is not what the room's witness signed" in said) == (False, True)
    done = read.run("verify")
    assert done.exit_code == 1
    assert "NOT SOUND: t7" in done.stdout


def test_a_table_that_deals_on_between_two_statements_is_no_damage(
    read: ReadRoom, evening: Path
) -> None:
    """What was listed is older than what the witness has signed by now."""
    read.ship(evening)
    read.witness()
    with read.store() as store:
        listed = store.journals()
        session = open_session(evening)
        say(session, "deal", "fold")
        session.close()
        read.ship(evening)
        read.witness()
        assert store.verdict(listed).sound
        assert standing(store.link, [one.listed for one in listed])[0]


# The room goes away


@contextmanager
def through(server: EmbeddedServer, read: ReadRoom) -> Iterator[tuple[RoomStore, Path]]:
    """A store that reaches the room over a link in the file system, which a test takes away."""
    wire = read.tmp_path / "wire"
    wire.symlink_to(server.folder)
    with closing(RoomStore(ReaderLink(replace(read.given, host=str(wire))))) as store:
        yield store, wire


def cut(read: ReadRoom, wire: Path) -> None:
    wire.unlink()
    read.room.owner.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s",
        (read.given.user,),
    )


def test_while_the_room_is_away_what_was_read_stays(
    server: EmbeddedServer, read: ReadRoom, evening: Path
) -> None:
    read.ship(evening)
    with through(server, read) as (store, wire), closing(Projection()) as index:
        index.keep(store)
        wait_for(lambda: index.progress is None)
        hands = index.count()
        desk = Desk(index, Ledger(None, elsewhere=store.office()), store=store)
        assert (desk.keep_up(), desk.warning) == (False, "")
        with Driver(desk, (120, 30)) as review:
            cut(read, wire)
            wait_for(lambda: index.away)
            review.keep_up()
            assert "The room does not answer" in review.text
            assert "What was read stays" in review.text
            assert index.count() == hands > 0
            # A hand cannot be opened, at once and without an end of the review.
            review.press("5")
            assert "The room does not answer" in review.text
            session = open_session(evening)
            play(session)
            session.close()
            read.ship(evening)
            wire.symlink_to(server.folder)
            wait_for(lambda: not index.away and index.count() > hands)
            review.keep_up()
            review.press("7")
            assert "does not answer" not in review.text
            review.press("5")
            assert "HAND" in review.text


def test_a_first_reading_that_is_cut_off_goes_on(
    server: EmbeddedServer, read: ReadRoom, swing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of a journal, between two transactions of the index."""
    read.ship(swing)
    monkeypatch.setattr("omaha_table.room.rows.PAGE", 100)
    monkeypatch.setattr("omaha_table.room.listing.PAGE", 100)
    monkeypatch.setattr("omaha_table.review.index.projector.BATCH", 2)
    with through(server, read) as (store, wire), closing(Projection()) as index:

        def away(hands: int) -> None:
            if hands == 6:
                cut(read, wire)

        journals = store.journals()
        with pytest.raises(Away):
            index.refresh(journals, away)
        assert 0 < index.count() < 26
        wire.symlink_to(server.folder)
        assert index.refresh(store.journals()) == []
        with closing(Projection()) as known:
            known.refresh(Folder(swing).journals())
            assert index.statistics(ALL).result == known.statistics(ALL).result
            kinds = [row["says"] for row in index.incidents(ALL, 0, 1000, by_time=True)]
            assert kinds == [row["says"] for row in known.incidents(ALL, 0, 1000, by_time=True)]


# Who records


def test_a_room_is_only_read_unless_an_office_folder_is_named(
    read: ReadRoom, swing: Path, tmp_path: Path
) -> None:
    read.ship(swing, office="cage")
    office = tmp_path / "floor"
    office.mkdir()
    hire(office)
    with read.store() as store:
        store.journals()
        bare = Ledger(None, elsewhere=store.office())
        about = "t7 2025-11-16 19"
        assert [noted.event.note for noted in bare.notes_of(about)] == ["look again"]
        assert (bare.may_write, "--data DIR" in bare.read_only) == (False, True)
        with pytest.raises(OfficeRefused, match="only read"):
            bare.note(about, "x", signature("F1"))
        with pytest.raises(OfficeRefused, match="only read"):
            bare.sign("note", PINS["F1"], "F1")
        own = Ledger(office, elsewhere=store.office())
        own.note(about, "seen on tape", signature("F1"))
        assert [noted.event.note for noted in own.notes_of(about)] == ["look again", "seen on tape"]
        assert [noted.event.note for noted in Ledger(office).notes_of(about)] == ["seen on tape"]


def test_counts_of_another_office_are_corrected_there(
    read: ReadRoom, swing: Path, tmp_path: Path
) -> None:
    read.ship(swing, office="cage")
    office = tmp_path / "floor"
    office.mkdir()
    hire(office)
    with read.store() as store, closing(Projection()) as index:
        index.refresh(store.journals())
        own = Ledger(office, elsewhere=store.office())
        desk = Desk(index, own, store=store)
        [(key, _)] = index.box_page(0, 9)
        from omaha_table.review.screens.recording import count_key

        [counted] = own.counts_of(count_key(key))
        assert (counted.variance, counted.year) == (-200, "cage:2026")
        assert own.review_of(counted).status == "explained"
        with pytest.raises(OfficeRefused, match="another office"):
            desk.check_may_count(count_key(key))
        with pytest.raises(OfficeRefused, match="another office"):
            own.close(counted, "found it", signature("S1"))
    done = read.run("report", "shift", "swing", "--box", "5", "--signed", "F1", "--signed", "S1",
                    "--data", office)  # fmt: skip
    assert (done.exit_code, "correct it there" in done.stderr) == (2, True)
    bare = read.run("report", "shift", "swing", "--box", "5", "--signed", "F1", "--signed", "S1")
    assert (bare.exit_code, "--data DIR" in bare.stderr) == (2, True)


def test_an_own_office_that_is_in_the_room_too_is_shown_once(
    read: ReadRoom, swing: Path, tmp_path: Path
) -> None:
    office = Path(shutil.copytree(swing, tmp_path / "office"))
    read.ship(office, office="cage")
    with read.store() as store:
        store.journals()
        own = Ledger(office, elsewhere=store.office())
        assert [one.event.note for one in own.notes_of("t7 2025-11-16 19")] == ["look again"]
        own.note("t7 2025-11-16 19", "again", signature("F1"))
        read.ship(office, office="cage")
        store.journals()
        own.refresh()
        assert len(own.notes_of("t7 2025-11-16 19")) == 2


def test_a_damaged_office_is_told_and_the_others_are_shown(
    read: ReadRoom, swing: Path, tmp_path: Path
) -> None:
    read.ship(swing, office="cage")
    other = tmp_path / "other"
    other.mkdir()
    hire(other)
    Ledger(other).note("t7 2025-11-16 3", "other", signature("F1"))
    read.ship(other, table="", office="annex")
    owner = read.room.owner
    owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    owner.execute("UPDATE room.event SET actor = 'x' WHERE source = 'annex' AND seq = 3")
    with read.store() as store:
        store.journals()
        seen = Ledger(None, elsewhere=store.office())
        assert [one.event.note for one in seen.notes_of("t7 2025-11-16 19")] == ["look again"]
        assert seen.notes_of("t7 2025-11-16 3") == ()
        assert "Counts and notes of the office annex are not shown" in seen.fault


# Days


def test_a_day_is_asked_for_with_what_its_shifts_reach_into(read: ReadRoom, evening: Path) -> None:
    session = open_session(evening)
    say(session, CLOSE)
    session.close()
    for _ in range(2):
        session = open_session(evening)
        say(session, CLOSE)
        session.close()
    read.ship(evening)
    with read.store() as store:
        days = [one.day for one in store.journals()]
        assert len(days) == 3
        assert [one.day for one in store.near("t7", days[0][:10])] == days
        assert [one.day for one in store.near("t7", days[1])] == days[1:]
        assert [one.day for one in store.near("t7", days[2])] == days[2:]
        assert store.near("t9", "") == store.near("", "1999-01-01") == []


def test_the_command_shows_the_room(read: ReadRoom, swing: Path, tmp_path: Path) -> None:
    read.ship(swing, office="cage")
    read.witness()
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    with Terminal(["review", "--room", str(read.bundle)], env=env) as terminal:
        terminal.wait("26 hands")
        terminal.wait("√ witnessed")
        terminal.press("4")
        terminal.wait("$2 short")
        terminal.press("+")
        terminal.wait("The room is only read")
        terminal.press(".", ".", ".")
        assert terminal.end(30.0) == 0


def test_kinds_that_are_asked_for_have_an_index(
    read: ReadRoom, swing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it, each look for what is new would read whole days."""
    read.ship(swing)
    asked: set[str] = set()

    def noting(rows: RoomRows, after: int, kinds: tuple[str, ...] = ()) -> object:
        asked.update(kinds)
        return one_page(rows, after, kinds)

    one_page = RoomRows._page
    monkeypatch.setattr(RoomRows, "_page", noting)
    assert read.run("report", "shift", "swing").exit_code == 0
    with read.store() as store, closing(Projection()) as index:
        index.refresh(store.journals())
        opened_boxes(store.journals())
    [made] = read.room.owner.execute(
        "SELECT pg_get_indexdef('room.event_around'::regclass)"
    ).fetchall()
    assert len(asked) > 20
    assert asked <= set(re.findall(r"'(\w+)'", made[0]))


def test_offices_that_recorded_only_pins_are_not_read(
    read: ReadRoom, swing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "table"
    table.mkdir()
    hire(table)
    with pytest.raises(OfficeRefused):
        Ledger(table).sign("note", "000000", "F1")
    read.ship(table, table="", office="pins")
    read.ship(swing, office="cage")
    opened = []

    def noting(rows: HeldRows, link: ReaderLink, listed: Listed, **options: bool) -> None:
        opened.append(listed.source)
        start(rows, link, listed, **options)

    start = HeldRows.__init__
    monkeypatch.setattr(HeldRows, "__init__", noting)
    told = read.run("report", "shift", "swing")
    assert (told.exit_code, "$2 short" in told.stdout) == (0, True)
    assert set(opened) == {"t7", "cage"}
    assert "3 journals, " in read.run("verify").stdout
