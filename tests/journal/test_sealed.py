"""Hole cards: sealed in memory, in the log, and out of everything else."""

from __future__ import annotations

import copy
import json
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.cards import DECK, parse_cards
from omaha_table.floor.files import demo_staff
from omaha_table.journal.keyring import Keyring
from omaha_table.journal.reader import Reader
from omaha_table.journal.sealed import (
    HandKey,
    SealedCard,
    SealError,
    open_as_office,
    open_with_key,
    reveal,
)
from omaha_table.journal.verification import files_in, verify
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evening_text import evening
from tests.evenings import draw_lines

if TYPE_CHECKING:
    from pathlib import Path

OFFICE = X25519PrivateKey.generate()


def test_a_sealed_card_can_be_neither_shown_nor_compared_nor_copied() -> None:
    for card in DECK:
        sealed = SealedCard(card)
        for text in (repr(sealed), str(sealed), f"{sealed}", f"{sealed!r:>9}", f"{[sealed]}"):
            assert not re.search(rf"\b{card.text}\b", text)
        for attempt in (
            lambda s=sealed, c=card: s == c.text,
            lambda s=sealed: hash(s),
            lambda s=sealed: pickle.dumps(s),
            lambda s=sealed: copy.copy(s),
            lambda s=sealed: copy.deepcopy(s),
            lambda s=sealed: json.dumps({"card": s}),
        ):
            with pytest.raises(TypeError):
                attempt()
        assert reveal(sealed) is card


WHERE = ("t7", "2026-11-14", 118)


def test_a_sealed_card_opens_with_its_key_and_only_where_it_belongs() -> None:
    hand = HandKey(*WHERE)
    card, other = parse_cards("As Ac")
    sealed = hand.seal(SealedCard(card), 4, 11, 2, OFFICE.public_key())
    key = reveal(hand.card_key(4, 11, 2))
    assert open_with_key(sealed, key, *WHERE) is card
    assert open_as_office(sealed, sealed.seat_key, OFFICE, *WHERE) is card
    for wrong in (("t8", "2026-11-14", 118), ("t7", "2026-11-15", 118), ("t7", "2026-11-14", 9)):
        with pytest.raises(SealError):
            open_with_key(sealed, key, *wrong)
        with pytest.raises(SealError):
            open_as_office(sealed, sealed.seat_key, OFFICE, *wrong)
    for moved in (
        replace(sealed, seat=5),
        replace(sealed, slot=12),
        replace(sealed, deal=1),
        replace(sealed, seat=None),
    ):
        with pytest.raises(SealError):
            open_with_key(moved, key, *WHERE)
        with pytest.raises(SealError):
            open_as_office(moved, sealed.seat_key, OFFICE, *WHERE)
    for seat, slot, deal in ((5, 11, 2), (4, 12, 2), (4, 11, 1), (None, 11, 2)):
        with pytest.raises(SealError):
            open_with_key(sealed, reveal(hand.card_key(seat, slot, deal)), *WHERE)
    with pytest.raises(SealError):
        open_as_office(sealed, sealed.seat_key, X25519PrivateKey.generate(), *WHERE)
    forged = replace(sealed, ciphertext=hand.seal_next(SealedCard(other), 4, 11, 2).ciphertext)
    with pytest.raises(SealError, match="commitment"):
        open_with_key(forged, key, *WHERE)


def test_the_same_card_is_never_sealed_to_the_same_bytes() -> None:
    """A write that fails is repeated, perhaps with another card: the nonce differs."""
    hand = HandKey(*WHERE)
    sealed = {hand.seal_next(SealedCard(DECK[0]), 4, 11, 2).ciphertext for _ in range(50)}
    assert len({text[:24] for text in sealed}) == len({text[24:] for text in sealed}) == 50


def open_session(folder: Path) -> Session:
    profile = load_profile("ca_big_o")
    return Session.on_journal(
        folder, "t7", profile, profile.limits[0], demo_staff(), office=OFFICE.public_key()
    )


def test_a_crash_in_the_hand_keeps_the_cards_and_what_is_tabled_is_what_was_dealt(
    tmp_path: Path,
) -> None:
    if not Keyring().put("omaha-table:test", b"x"):
        pytest.skip("this kernel offers no keyring")
    lines = list(evening(6, seed=2, shoe=True))
    shows = [line for line in lines if line.startswith("show")]
    session = open_session(tmp_path)
    answers: list[dict[str, Any]] = []
    for number, line in enumerate(lines):
        if line.startswith("show"):
            session.close()
            session = open_session(tmp_path)
        answers += run_line(session, number, line)
    session.close()
    assert not [a for a in answers if a["type"] in ("refused", "identities_lost")]
    verdict = verify(files_in(tmp_path))
    assert verdict.sound, verdict.damage
    assert verdict.opened_seats == len(shows) > 3


def test_two_tables_of_one_name_on_one_machine_keep_their_own_keys(tmp_path: Path) -> None:
    if not Keyring().put("omaha-table:test", b"x"):
        pytest.skip("this kernel offers no keyring")
    lines = list(evening(1, seed=2, shoe=True))
    until_betting = max(at for at, line in enumerate(lines) if line.startswith("card")) - 10
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        session = open_session(folder)
        for line in lines[:until_betting]:
            list(run_line(session, 1, line))
        session.close()
    for folder in folders:
        again = open_session(folder)
        assert again.state.hand is not None
        assert "IdentitiesLost" not in [type(record.event).__name__ for record in again.opening]
        assert all(again.can_read(seat) for seat in again.state.hand.setup.dealt)
        again.close()


@pytest.mark.parametrize("dealt", [1, 5, 9, 39])
def test_without_a_keyring_a_crash_in_the_deal_loses_what_was_dealt_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dealt: int
) -> None:
    """The dealer keys the hands; the cards dealt after the crash are compared with them."""
    monkeypatch.setattr(Keyring, "get", lambda *_: None)
    lines = list(evening(1, seed=2, shoe=True))
    cards = [line.split()[1] for line in lines if line.startswith("card")]
    in_the_deal = next(at for at, line in enumerate(lines) if line.startswith("card")) + dealt
    session = open_session(tmp_path)
    for line in lines[:in_the_deal]:
        list(run_line(session, 1, line))
    session.close()
    again = open_session(tmp_path)
    assert "IdentitiesLost" in [type(record.event).__name__ for record in again.opening]
    assert again.state.hand is not None
    order = again.state.hand.setup.dealt
    undealt = next(str(card) for card in DECK if str(card) not in cards)
    whole = {str(seat): cards[at:40:8] for at, seat in enumerate(order)}
    opened = 0
    for line in lines[in_the_deal:]:
        if line.startswith("show"):
            seat = line.split()[1]
            known = [at for at in range(order.index(int(seat)), 40, 8) if at >= dealt]
            assert again.can_read(int(seat)) is (len(known) == 5)
            if known:
                opened += 1
                wrong = [card for card in whole[seat] if card != cards[known[-1]]] + [undealt]
                [refused] = run_line(again, 1, " ".join([line, *wrong]))
                assert refused["code"] == "cards_speak"
            line = " ".join([line, *whole[seat]])
        answers = list(run_line(again, 1, line))
        assert "refused" not in [answer["type"] for answer in answers], answers
    again.close()
    verdict = verify(files_in(tmp_path))
    assert verdict.sound, verdict.damage
    assert verdict.opened_seats == opened


def test_without_a_key_the_shoe_only_counts(tmp_path: Path) -> None:
    profile = load_profile("ca_big_o")
    session = Session.on_journal(tmp_path, "t7", profile, profile.limits[0], demo_staff())
    assert session.count_only
    lines = list(evening(1, seed=2, shoe=True))
    refused = [a for line in lines for a in run_line(session, 1, line) if a["type"] == "refused"]
    assert [line for line in lines if line.startswith("show")]
    assert {a["code"] for a in refused} <= {"card_count", "wrong_phase"}
    assert "only counts" in refused[0]["message"]


PROGRAM = [sys.executable, "-m", "omaha_table"]
SPELLED = re.compile(r'"(?:10|[2-9TJQKA])[cdhs]"', re.IGNORECASE)
FACE_UP = re.compile(r'"(?:cards|board|card)":(?:\[[^\]]*\]|"..")')


def script_command(folder: Path, rules: str = "ca_big_o") -> list[str]:
    subprocess.run([*PROGRAM, "keys", "new", str(folder / "keys")], check=True, capture_output=True)
    return [
        *PROGRAM, "--log", str(folder / "log"), "script", "--data", str(folder / "data"),
        "--rules", rules, "--mirror", str(folder / "mirror"),
        "--office", str(folder / "keys" / "surveillance.public"), "-",
    ]  # fmt: skip


def search(folder: Path, *texts: str) -> None:
    """Nothing but the events that turn cards face up names any."""
    # The ballast is random bytes, in which anything can be found.
    found = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".ballast"]
    files = [path.read_bytes().decode("latin-1") for path in found]
    for text in (*texts, *files):
        assert not SPELLED.search(FACE_UP.sub("", text.replace('\\"', '"')))


def test_no_face_down_card_is_anywhere(tmp_path: Path) -> None:
    """Journal, mirror, output and log are searched, byte by byte."""
    lines = list(evening(8, seed=21, shoe=True))
    # A line that breaks, a card nobody waits for, a card twice: each is refused or recorded.
    lines[60:60] = ["card As extra", "crad As", "show 3", "show 3 As Kd"]
    done = subprocess.run(
        script_command(tmp_path), input="\n".join(lines), capture_output=True, text=True, check=True
    )
    search(tmp_path, done.stdout, done.stderr)
    [path] = (tmp_path / "data").glob("*.journal")
    with Reader(path) as reader:
        diary = reader.refusals()
    assert len(diary) >= 2
    for refusal in diary:
        assert not re.search(r"\b(?:10|[2-9TJQKA])[cdhs]\b", repr(refusal)), refusal
    naming = {"button_card_drawn", "tabled", "board_dealt", "hand_ended", "card_dealt"}
    for answer in map(json.loads, done.stdout.splitlines()):
        if answer["type"] not in naming:
            assert not SPELLED.search(json.dumps(answer)), answer["type"]
        if answer["type"] == "card_dealt" and answer["kind"] in ("hole", "burn"):
            assert answer["card"] is None
    assert verify(files_in(tmp_path / "data")).sound


@pytest.mark.parametrize("cards_out", [3, 17, 40, 44])
def test_a_kill_in_the_middle_of_a_hand_leaves_no_face_down_card(
    tmp_path: Path, cards_out: int
) -> None:
    """Killed in the pitch, and after the flop; then the evening goes on.

    No card is drawn for the button here, so that no card of the pitch is in the log by right.
    """
    rules = "nj_big_omaha_hilo"
    lines = list(evening(3, seed=5, rules=rules, shoe=True))
    cards = [at for at, line in enumerate(lines) if line.startswith("card")]
    upto = cards[cards_out - 1] + 1
    hidden = {lines[at].split()[1] for at in cards[: min(cards_out, 40)]}
    command = script_command(tmp_path, rules)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("\n".join([*lines[:upto], "step", ""]))
        process.stdin.flush()
        output = []
        while '"type":"step"' not in (line := process.stdout.readline()):
            assert line
            output.append(line)
        process.kill()
        output += [process.stdout.read(), process.stderr.read()]
    search(tmp_path, *output)
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.suffix != ".ballast":
            content = path.read_bytes().decode("latin-1")
            assert not [card for card in hidden if f'"{card}"' in content]
    again = subprocess.run(
        command, input="\n".join(lines[upto:]), capture_output=True, text=True, check=False
    )
    search(tmp_path, again.stdout, again.stderr)
    assert '"type":"recovered"' in again.stdout
    assert verify(files_in(tmp_path / "data")).sound


def dealt_again(session: Session, back: int) -> tuple[dict[int, list[str]], list[dict[str, Any]]]:
    """A deal from the shoe whose last cards are taken back and dealt again, as others."""
    deck = [card.text for card in DECK]
    answers: list[dict[str, Any]] = []

    def say(line: str) -> None:
        answers.extend(run_line(session, 1, line))

    for seat in (1, 2):
        say(f"seat {seat} P{seat} 200")
    for line in (*draw_lines(1, (1, 2)), "hand"):
        say(line)
    order = [2, 1] * 5
    for _ in order:
        say(f"card {deck.pop()}")
    say(f'floor 4711 backup {back} "it flashed"')
    kept = [card.text for card in DECK[::-1]][: 10 - back]
    for _ in range(back):
        kept.append(deck.pop())
        say(f"card {kept[-1]}")
    held: dict[int, list[str]] = {}
    for seat, card in zip(order, kept, strict=True):
        held.setdefault(seat, []).append(card)
    return held, answers


def test_cards_that_are_dealt_again_are_sealed_as_another_deal(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    _, answers = dealt_again(session, 2)
    session.close()
    sealed = [answer for answer in answers if answer["type"] == "card_sealed"]
    assert [(one["slot"], one["deal"]) for one in sealed] == [
        *((slot, 1) for slot in range(10)),
        (8, 2),
        (9, 2),
    ]
    assert [one["slot"] for one in sealed if one["seat_key"]] == [0, 1], "once, with the first card"


@pytest.mark.parametrize("restart", [False, True])
def test_what_is_tabled_after_cards_were_dealt_again_is_what_was_dealt(
    tmp_path: Path, restart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not Keyring().put("omaha-table:test", b"x"):
        pytest.skip("this kernel offers no keyring")
    session = open_session(tmp_path)
    held, _ = dealt_again(session, 3)
    if restart:
        session.close()
        session = open_session(tmp_path)
    lines = ["call", "check", "burn", "card 2c", "card 2d", "card 2h"]
    answers = [answer for line in lines for answer in run_line(session, 1, line)]
    assert session.can_read(1)
    assert session.can_read(2)
    for line in ("check around", "card 3c", "card 3d", "check around", "card 3h", "card 3s"):
        answers += run_line(session, 1, line)
    for line in ("check around", f"show 1 {' '.join(held[1])}", f"show 2 {' '.join(held[2])}"):
        answers += run_line(session, 1, line)
    answers += run_line(session, 1, "push")
    session.close()
    assert not [a for a in answers if a["type"] == "refused"], answers[-1]
    verdict = verify(files_in(tmp_path))
    assert verdict.sound, verdict.damage
    assert verdict.opened_seats == 2


def test_a_card_that_no_place_waits_for_tells_nothing_of_the_hands(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    held, _ = dealt_again(session, 1)
    kinds = []
    for card in (held[1][0], "2c"):
        answers = list(run_line(session, 1, f"card {card}"))
        kinds.append([(a["type"], a.get("kind")) for a in answers])
    session.close()
    assert kinds[0] == kinds[1]
