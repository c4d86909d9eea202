"""The hole cards of a hand: what a fault, a repair of the deal and the end of a hand leave."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pickle
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.cards import Card, parse_cards
from omaha_table.hand import commands as hand
from omaha_table.hand.events import HandEnded, Tabled
from omaha_table.journal.faults import Busy
from omaha_table.journal.keyring import Keyring
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.sealed import HandKey
from omaha_table.journal.sealed_deal import SealedDeal
from omaha_table.session.script import run_line
from tests.evenings import draw_lines
from tests.journal.days import CLOSE, Line, check, forge, journal_file, open_session, say
from tests.journal.sealing import DEALT, DECKED, HELD, OFFICE, START, sealing_session
from tests.review.found import Wall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omaha_table.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = sealing_session(tmp_path)
    say(session, *START)
    yield session
    session.close()


def to_the_showdown(session: Session) -> None:
    board = [f"card {card}" for card in DECKED[20:28]]
    say(session, "call", "check", *board[:4], "check around", *board[4:6])
    say(session, "check around", *board[6:8], "check around")


def to_the_showdown_without_a_burn(session: Session) -> None:
    board = [f"card {card}" for card in DECKED[20:28]]
    say(session, "call", "check", *board[:3], "check around", *board[3:5])
    say(session, "check around", *board[5:7], "check around")


def refused(session: Session, line: str) -> dict[str, Any]:
    [answer] = run_line(session, 1, line)
    assert answer["type"] == "refused", answer
    return answer


# The keyring


def has_key(folder: Path, number: int) -> bool:
    """Whether the kernel holds the key of a hand of the table in a folder."""
    home = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:32]
    day = journal_file(folder).stem.removeprefix("t7-")
    return Keyring().get(f"omaha-table:{home}:t7:{day}:{number}") is not None


@pytest.fixture
def keyring() -> None:
    if not Keyring().put("omaha-table:test", b"x"):
        pytest.skip("this kernel offers no keyring")


@pytest.mark.usefixtures("keyring")
def test_a_key_that_is_dropped_is_gone() -> None:
    ring, name = Keyring(), f"omaha-table:test:{os.getpid()}"
    assert ring.put(name, b"secret")
    assert ring.get(name) == b"secret"
    ring.drop(name)
    assert ring.get(name) is None


@pytest.mark.usefixtures("keyring")
def test_a_key_that_a_killed_console_left_goes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omaha_table.journal.keyring.EXPIRES_SECONDS", 1)
    ring, name = Keyring(), f"omaha-table:test:expires:{os.getpid()}"
    assert ring.put(name, b"secret")
    end = time.monotonic() + 20
    while ring.get(name) is not None:
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.usefixtures("keyring")
def test_the_kernel_has_a_hands_key_for_as_long_as_the_hand_is_played(tmp_path: Path) -> None:
    session = sealing_session(tmp_path)
    say(session, *START, *DEALT)
    assert has_key(tmp_path, 1)
    say(session, "fold", "push")
    assert not has_key(tmp_path, 1)
    say(session, "hand", *DEALT)
    assert has_key(tmp_path, 2)
    say(session, 'floor 4711 misdeal "two cards exposed"')
    assert not has_key(tmp_path, 2)
    say(session, CLOSE)
    session.close()
    assert not any(has_key(tmp_path, number) for number in range(5))


@pytest.mark.usefixtures("keyring")
@pytest.mark.parametrize(
    "end",
    [
        ['floor 4711 void "a player fell ill"'],
        ['floor 4711 fouled "two aces of spades"'],
        ['floor 4711 misdeal "two cards exposed"', CLOSE],
        ["fold", "push", CLOSE],
    ],
    ids=["void", "fouled", "misdeal and close", "close"],
)
def test_the_key_goes_however_the_hand_ends(tmp_path: Path, end: list[str]) -> None:
    session = sealing_session(tmp_path)
    say(session, *START, *DEALT)
    assert has_key(tmp_path, 1)
    say(session, *end)
    assert session.state.hand is None
    assert not has_key(tmp_path, 1)
    session.close()


@pytest.mark.usefixtures("keyring")
def test_the_key_goes_before_the_day_changes_and_the_new_day_has_its_own(tmp_path: Path) -> None:
    wall = Wall(2026, 11, 14, 23, 0)
    session = open_session(tmp_path, office=OFFICE.public_key(), clock=wall.clock)
    say(session, *START, *DEALT)
    wall.at = Wall(2026, 11, 15, 6, 30).at
    say(session, "fold", "push")
    old = journal_file(tmp_path)
    assert not has_key(tmp_path, 1)
    say(session, "hand", *DEALT)
    [new] = set(tmp_path.glob("*.journal")) - {old}
    home = hashlib.sha256(os.fsencode(tmp_path.resolve())).hexdigest()[:32]
    names = [f"omaha-table:{home}:t7:{path.stem.removeprefix('t7-')}:2" for path in (old, new)]
    assert [Keyring().get(name) is not None for name in names] == [False, True]
    say(session, "fold", "push")
    assert Keyring().get(names[1]) is None
    session.close()


@pytest.mark.usefixtures("keyring")
def test_the_key_goes_though_the_console_came_back_without_the_office(tmp_path: Path) -> None:
    """What was sealed is then lost to the table, and the log says so."""
    session = sealing_session(tmp_path)
    say(session, *START, *DEALT)
    session.close()
    again = open_session(tmp_path)
    assert "IdentitiesLost" in [type(record.event).__name__ for record in again.opening]
    to_the_showdown(again)
    say(again, *(f"show {seat} {' '.join(HELD[seat])}" for seat in (2, 1)), "push")
    assert not has_key(tmp_path, 1)
    again.close()
    assert check(tmp_path).damage == []


@pytest.mark.usefixtures("keyring")
def test_a_hand_that_is_dealt_by_hand_has_no_key_and_loses_nothing(tmp_path: Path) -> None:
    session = sealing_session(tmp_path)
    say(session, *START, "deal")
    assert not has_key(tmp_path, 1)
    session.close()
    again = sealing_session(tmp_path)
    assert "IdentitiesLost" not in [type(record.event).__name__ for record in again.opening]
    again.close()


@pytest.mark.usefixtures("keyring")
def test_a_key_that_a_kill_has_left_after_the_hand_goes_at_the_next_start(tmp_path: Path) -> None:
    code = (
        "import os; from pathlib import Path\n"
        "from omaha_table.session.vault import SealedVault\n"
        "from tests.journal.days import say\n"
        "from tests.journal.sealing import DEALT, START, sealing_session\n"
        "SealedVault.end_hand = lambda *given: os.kill(os.getpid(), 9)\n"
        f"say(sealing_session(Path({str(tmp_path)!r})), *START, *DEALT, 'fold', 'push')\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert has_key(tmp_path, 1)
    session = sealing_session(tmp_path)
    assert session.recovered == "between hands, 1 played"
    assert not has_key(tmp_path, 1)
    session.close()


def test_a_hands_key_is_random_and_can_be_neither_shown_nor_copied() -> None:
    key, other = HandKey("t7", "2026-11-14", 1), HandKey("t7", "2026-11-14", 1)
    assert key.secret() != other.secret()
    assert len(key.secret()) == 32
    assert key.secret().hex() not in repr(key)
    with pytest.raises(TypeError):
        pickle.dumps(key)


# A write that fails


@contextlib.contextmanager
def busy(folder: Path) -> Iterator[None]:
    """Somebody else writes on the journal's file: every event is turned away."""
    with contextlib.closing(sqlite3.connect(journal_file(folder), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.parametrize("failing", [0, 1, 4, 9])
def test_a_card_that_could_not_be_logged_was_not_dealt(
    tmp_path: Path, session: Session, failing: int
) -> None:
    """The same card comes again when the journal takes it: once in the hand, and no duplicate."""
    for at, line in enumerate(DEALT):
        if at == failing:
            with busy(tmp_path), pytest.raises(Busy):
                list(run_line(session, 1, line))
        [answer, *_] = say(session, line)
        assert answer["type"] == "card_dealt"
    assert session.can_read(1)
    assert session.can_read(2)
    to_the_showdown(session)
    say(session, *(f"show {seat} {' '.join(HELD[seat])}" for seat in (2, 1)), "push")
    verdict = check(tmp_path)
    assert verdict.sound, verdict.damage
    assert verdict.opened_seats == 2


def test_an_unread_card_that_could_not_be_logged_spoils_no_hand(
    tmp_path: Path, session: Session
) -> None:
    say(session, *DEALT[:4])
    with busy(tmp_path), pytest.raises(Busy):
        session.do(hand.DealCard())
    say(session, *DEALT[4:])
    assert session.can_read(2)


def test_a_hand_that_could_not_be_begun_is_begun_again(tmp_path: Path) -> None:
    session = sealing_session(tmp_path)
    say(session, *START[:-1])
    with busy(tmp_path), pytest.raises(Busy):
        list(run_line(session, 1, "hand"))
    say(session, "hand", *DEALT)
    assert session.can_read(1)
    session.close()
    again = sealing_session(tmp_path)
    assert again.can_read(1) or not Keyring().put("omaha-table:test", b"x")
    again.close()


# Repairs of the deal


def test_an_unread_card_costs_only_itself(tmp_path: Path, session: Session) -> None:
    """Its hand is keyed, and compared with the cards of it that were read."""
    say(session, *DEALT[:4])
    session.do(hand.DealCard())
    say(session, *DEALT[5:])
    assert (session.can_read(1), session.can_read(2)) == (True, False)
    to_the_showdown(session)
    unread = HELD[2].index(DECKED[4])
    asked = refused(session, "show 2")
    assert asked["code"] == "card_count"
    assert "key its 5 cards" in asked["message"]
    for at in range(5):
        keyed = [*HELD[2][:at], DECKED[40], *HELD[2][at + 1 :]]
        if at != unread:
            assert refused(session, f"show 2 {' '.join(keyed)}")["code"] == "cards_speak"
    answers = say(session, f"show 2 {' '.join([*HELD[2][:unread], DECKED[40], *HELD[2][3:]])}")
    [opened] = [answer for answer in answers if answer["type"] == "cards_opened"]
    assert [card["slot"] for card in opened["keys"]] == [0, 2, 6, 8]
    say(session, "show 1", "push")
    verdict = check(tmp_path)
    assert (verdict.damage, verdict.opened_seats) == ([], 2)
    say(session, "hand", *DEALT)
    assert (session.can_read(1), session.can_read(2)) == (True, True), "the next hand is another"


def test_a_replaced_card_stays_closed_and_the_others_are_known(
    tmp_path: Path, session: Session
) -> None:
    """The exposed card became the burn; another card, unread, came for it."""
    say(session, *DEALT)
    assert session.can_read(2)
    say(session, 'floor 4711 exposed 2 "it flipped over"')
    assert (session.can_read(1), session.can_read(2)) == (True, False)
    to_the_showdown_without_a_burn(session)
    twice = [DECKED[41], DECKED[40], *HELD[2][2:]]
    assert refused(session, f"show 2 {' '.join(twice)}")["code"] == "cards_speak"
    answers = say(session, f"show 2 {' '.join([DECKED[40], *HELD[2][1:]])}")
    [opened] = [answer for answer in answers if answer["type"] == "cards_opened"]
    assert [card["slot"] for card in opened["keys"]] == [2, 4, 6, 8]
    say(session, "show 1", "push")
    verdict = check(tmp_path)
    assert (verdict.damage, verdict.opened_seats) == ([], 2)


@pytest.mark.usefixtures("keyring")
def test_cards_replaced_before_a_restart_are_still_replaced(tmp_path: Path) -> None:
    session = sealing_session(tmp_path)
    say(session, *START, *DEALT, 'floor 4711 exposed 2 "it flipped over"')
    session.close()
    again = sealing_session(tmp_path)
    assert (again.can_read(1), again.can_read(2)) == (True, False)
    to_the_showdown_without_a_burn(again)
    say(again, f"show 2 {' '.join([DECKED[40], *HELD[2][1:]])}", "show 1", "push")
    again.close()
    assert check(tmp_path).damage == []


def test_a_card_that_comes_twice_is_reported_and_takes_no_place(session: Session) -> None:
    say(session, *DEALT[:4])
    before = session.state
    answers = list(run_line(session, 1, DEALT[0]))
    assert "card_dealt" not in [answer["type"] for answer in answers]
    assert "duplicate_card" in json.dumps(answers)
    assert session.state.hand is not None
    assert before.hand is not None
    assert session.state.hand.cards_out == before.hand.cards_out


def test_a_card_of_the_last_hand_may_come_again_in_the_next(session: Session) -> None:
    say(session, *DEALT, "fold", "push", "hand", *DEALT)
    assert session.can_read(1)


def test_a_card_that_came_too_early_may_come_again_in_its_place(session: Session) -> None:
    """It was put back; only a card that took a place is dealt."""
    say(session, *DEALT, f"card {DECKED[21]}", 'floor 4711 playon "put back on the stub"')
    to_the_showdown(session)
    assert session.state.hand is not None
    assert DECKED[21] in [card.text for card in session.state.hand.board]


def test_a_card_that_was_taken_back_may_be_dealt_again(session: Session) -> None:
    say(session, *DEALT[:6], 'floor 4711 backup 1 "it flashed"')
    [answer, sealed] = say(session, DEALT[5])
    assert answer["type"] == "card_dealt"
    assert (sealed["slot"], sealed["deal"]) == (5, 2)
    say(session, *DEALT[6:])
    assert (session.can_read(1), session.can_read(2)) == (True, True)


@pytest.mark.usefixtures("keyring")
def test_cards_taken_back_before_a_restart_stay_taken_back(tmp_path: Path) -> None:
    """What was sealed last has more cards than are out."""
    session = sealing_session(tmp_path)
    say(session, *START, *DEALT, 'floor 4711 backup 3 "it flashed"')
    session.close()
    again = sealing_session(tmp_path)
    say(again, *(f"card {card}" for card in DECKED[10:13]))
    # Round 4: the button. Round 5: seat 2, the button.
    held = {2: [*HELD[2][:4], DECKED[11]], 1: [*HELD[1][:3], DECKED[10], DECKED[12]]}
    to_the_showdown(again)
    for seat in (2, 1):
        assert shown(again, seat) == parse_cards(" ".join(held[seat]))
    say(again, "push")
    again.close()
    verdict = check(tmp_path)
    assert (verdict.damage, verdict.opened_seats) == ([], 2)


# Tabling


def shown(session: Session, seat: int) -> tuple[Card, ...] | str:
    done = session.do(hand.Show(seat, ()))
    if done.refusal is not None:
        return done.refusal.code
    return next(r.event.cards for r in done.records if isinstance(r.event, Tabled))


def test_a_hand_that_is_tabled_again_after_a_backup_is_opened_again(
    tmp_path: Path, session: Session
) -> None:
    say(session, *DEALT)
    to_the_showdown(session)
    say(session, "show 2", 'floor 4711 backup 1 "not yet"', "show 2", "show 1", "push")
    verdict = check(tmp_path)
    assert (verdict.damage, verdict.opened_seats) == ([], 3)


def test_a_tabled_hand_that_is_taken_back_and_mucked_has_been_opened(
    tmp_path: Path, session: Session
) -> None:
    say(session, *DEALT)
    to_the_showdown(session)
    say(session, "show 2", "show 1", "undo", "muck 1", "push")
    verdict = check(tmp_path)
    assert (verdict.damage, verdict.opened_seats) == ([], 2)


def test_cards_that_are_dealt_again_after_the_showdown_are_compared_with_the_new_deal(
    tmp_path: Path, session: Session
) -> None:
    """The whole hand goes back to before its last card, after a seat has tabled."""
    say(session, *DEALT)
    to_the_showdown(session)
    say(session, "show 2")
    assert session.state.hand is not None
    entries = 0
    state = session.state.hand
    while state.before is not None and state.cards_out >= 10:
        state, entries = state.before, entries + 1
    say(session, f'floor 4711 backup {entries} "fouled"', f"card {DECKED[45]}")
    to_the_showdown(session)
    assert shown(session, 1) == parse_cards(" ".join([*HELD[1][:4], DECKED[45]]))
    say(session, "show 2", "push")
    verdict = check(tmp_path)
    assert (verdict.damage, verdict.opened_seats) == ([], 3)


@pytest.mark.usefixtures("keyring")
def test_a_hand_that_0_1_0_has_sealed_is_keyed_after_the_program_was_replaced(
    tmp_path: Path,
) -> None:
    session = sealing_session(tmp_path)
    say(session, *START, *DEALT)
    session.close()

    def as_then(lines: list[Line]) -> None:
        sealed = [line for line in lines if line.kind == "card_sealed"]
        for line in sealed:
            line.kind, line.body = "clock_stepped", {"seconds": 2.0, "v": 1}
        old = {"seat": 2, "cards": "00", "key": "00", "commitment": "00"}
        sealed[-1].kind, sealed[-1].body = "hole_cards_sealed", {"seats": [old], "v": 1}

    forge(journal_file(tmp_path), as_then, "link")
    again = sealing_session(tmp_path)
    assert "IdentitiesLost" in [type(record.event).__name__ for record in again.opening]
    assert not again.can_read(2)
    again.close()
    once_more = sealing_session(tmp_path)
    assert "IdentitiesLost" not in [type(record.event).__name__ for record in once_more.opening]
    once_more.close()


def test_only_the_cards_that_were_dealt_can_be_tabled(session: Session) -> None:
    say(session, *DEALT)
    to_the_showdown(session)
    other = [*HELD[2][:4], DECKED[40]]
    assert refused(session, f"show 2 {' '.join(other)}")["code"] == "cards_speak"
    assert shown(session, 2) == parse_cards(" ".join(HELD[2]))


def test_the_shoes_cards_are_not_opened_before_the_showdown(session: Session) -> None:
    say(session, *DEALT)
    answer = refused(session, "show 2")
    assert not [card for card in HELD[2] if card in json.dumps(answer)]
    say(session, "call", "check")
    refused(session, "show 2")


def test_the_last_player_in_the_hand_keeps_the_cards_closed(session: Session) -> None:
    say(session, *DEALT, "fold")
    answer = refused(session, "show 2")
    assert not [card for card in HELD[2] if card in json.dumps(answer)]


def test_neither_folded_nor_foreign_seats_are_opened(tmp_path: Path) -> None:
    session = sealing_session(tmp_path)
    say(session, "seat 1 A 200", "seat 2 B 200", "seat 3 C 200", *draw_lines(1, (1, 2, 3)), "hand")
    say(session, *(f"card {card}" for card in DECKED[:15]), "fold")
    board = [f"card {card}" for card in DECKED[20:28]]
    say(session, "call", "check", *board[:4], "check around", *board[4:6])
    say(session, "check around", *board[6:8], "check around")
    assert session.state.hand is not None
    [folded] = [seat for seat, at in session.state.hand.seats.items() if at.folded]
    for seat in (folded, 9):
        assert isinstance(shown(session, seat), str)
    session.close()


# What verify makes of it


def opened_day(folder: Path) -> Path:
    session = sealing_session(folder)
    say(session, *START, *DEALT)
    to_the_showdown(session)
    say(session, "show 2", "show 1", "push")
    session.close()
    verdict = check(folder)
    assert (verdict.sound, verdict.opened_seats) == (True, 2)
    return journal_file(folder)


def a_wrong_key(lines: list[Line]) -> None:
    _of(lines, "cards_opened").body["keys"][2]["key"] = "00" * 32


def no_key(lines: list[Line]) -> None:
    _of(lines, "cards_opened").body["keys"][0]["key"] = "word"


def another_slot(lines: list[Line]) -> None:
    """The key of the first card, published for the second."""
    first, second, *_ = _of(lines, "cards_opened").body["keys"]
    second["key"] = first["key"]


def the_same_card_twice(lines: list[Line]) -> None:
    cards = _of(lines, "cards_opened").body["keys"]
    cards[1] = dict(cards[0])


def a_card_left_out(lines: list[Line]) -> None:
    _of(lines, "cards_opened").body["keys"].pop()


def nothing_opened(lines: list[Line]) -> None:
    line = _of(lines, "cards_opened")
    line.kind, line.body = "clock_stepped", {"seconds": 2.0, "v": 1}


def sealed_for_another_seat(lines: list[Line]) -> None:
    _of(lines, "card_sealed").body["seat"] = 1


def sealed_for_another_slot(lines: list[Line]) -> None:
    _of(lines, "card_sealed").body["slot"] = 7


def sealed_as_a_second_deal(lines: list[Line]) -> None:
    _of(lines, "card_sealed").body["deal"] = 2


def sealed_twice(lines: list[Line]) -> None:
    first = _of(lines, "card_sealed")
    after = lines[lines.index(first) + 1]
    after.kind, after.body = first.kind, dict(first.body)


def sealed_without_a_key(lines: list[Line]) -> None:
    _of(lines, "card_sealed").body["seat_key"] = ""


def other_cards(lines: list[Line]) -> None:
    body = _of(lines, "tabled").body
    body["cards"] = [*body["cards"][:4], DECKED[40]]


def never_sealed(lines: list[Line]) -> None:
    line = next(line for line in lines if line.kind == "card_sealed" and not line.body["seat_key"])
    line.kind, line.body = "clock_stepped", {"seconds": 2.0, "v": 1}


def never_tabled(lines: list[Line]) -> None:
    _of(lines, "tabled").kind = "recovered"
    _of(lines, "recovered").body = {"where": "", "v": 1}


def another_commitment(lines: list[Line]) -> None:
    for line in lines:
        if line.kind == "card_sealed":
            line.body["commitment"] = "00" * 32


def _of(lines: list[Line], kind: str) -> Line:
    return next(line for line in lines if line.kind == kind)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (a_wrong_key, "seat 2: the key does not open this card"),
        (no_key, "seat 2: "),
        (another_slot, "seat 2: the key does not open this card"),
        (the_same_card_twice, "a key was published that belongs to none of its sealed cards"),
        (a_card_left_out, "seat 2 tabled its hand, but not all its sealed cards were opened"),
        (nothing_opened, "seat 2 tabled its hand, but its sealed cards were not opened"),
        (other_cards, "seat 2 tabled cards that it was not dealt"),
        (never_sealed, "a key was published that belongs to none of its sealed cards"),
        (never_tabled, "cards of seat 2 were opened, but it did not table its hand"),
        (another_commitment, "seat 2: the card does not match its commitment"),
        (sealed_for_another_seat, "the card of slot 0 was sealed as another one"),
        (sealed_for_another_slot, "sealed for slot 7, but none was dealt face down there"),
        (sealed_as_a_second_deal, "the card of slot 0 was sealed as another one"),
        (sealed_twice, "sealed for slot 0, but none was dealt face down there"),
        (sealed_without_a_key, "the office has no key for the card of slot 0"),
    ],
)
def test_what_was_tabled_must_be_what_was_dealt(
    tmp_path: Path, edit: Callable[[list[Line]], None], message: str
) -> None:
    path = opened_day(tmp_path)
    forge(path, edit)
    [damage] = check(tmp_path).damage
    assert damage.kind == "commitment", damage
    assert message in damage.message


@pytest.mark.usefixtures("keyring")
def test_cards_that_cannot_be_opened_after_a_restart_are_lost_as_a_whole(tmp_path: Path) -> None:
    """The last card is damaged; the others are not used without it."""
    session = sealing_session(tmp_path)
    say(session, *START, *DEALT)
    session.close()

    def damaged(lines: list[Line]) -> None:
        [*_, last] = [line for line in lines if line.kind == "card_sealed"]
        last.body["ciphertext"] = "00" * 29

    forge(journal_file(tmp_path), damaged, "link")
    again = sealing_session(tmp_path)
    assert [type(record.event).__name__ for record in again.opening] == [
        "Recovered",
        "IdentitiesLost",
    ]
    assert not again.can_read(1)
    assert not again.can_read(2)
    again.close()


@pytest.mark.usefixtures("keyring")
def test_a_card_that_comes_twice_is_found_after_a_restart_too(tmp_path: Path) -> None:
    session = sealing_session(tmp_path)
    say(session, *START, *DEALT, "call", "check")
    session.close()
    again = sealing_session(tmp_path)
    say(again, "burn")
    answers = list(run_line(again, 1, DEALT[0]))
    assert "duplicate_card" in json.dumps(answers)
    again.close()


def test_without_the_offices_key_nothing_is_remembered(tmp_path: Path) -> None:
    """Not even that a card came twice, which would tell what lies face down."""
    session = open_session(tmp_path)
    assert session.count_only
    say(session, *START, *DEALT[:9])
    [answer] = say(session, DEALT[0])
    assert answer["type"] == "card_dealt"
    assert not session.can_read(1)
    assert not session.can_read(2)
    session.close()


def test_a_hand_that_is_tabled_again_must_be_opened_again(tmp_path: Path) -> None:
    with Reader(opened_day(tmp_path)) as reader:
        events = [record_of(row).event for row in reader.since(0)]
    tabled = next(event for event in events if isinstance(event, Tabled) and event.seat == 2)
    end = next(at for at, event in enumerate(events) if isinstance(event, HandEnded))
    deal = SealedDeal()
    assert [deal.take(event) for event in [*events[:end], tabled]] == [""] * (end + 1)
    assert deal.take(events[end]) == (
        "seat 2 tabled its hand, but its sealed cards were not opened"
    )
