from __future__ import annotations

import json
import time
import tomllib
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from pokerkit import Automation, HandHistory, Mode, PotLimitOmahaHoldem

from omaha_table.cli import omaha_table
from omaha_table.dealer.event_text import event_line
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.verification import files_in, verify
from omaha_table.table.events import ButtonPlaced
from tests.evenings import profile_with
from tests.review.nights import STACK, Night, read

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.review.index.hands import Played
    from omaha_table.rules import Profile

NO_QUALIFIER = profile_with("ca_omaha_hilo", game={"low_qualifier": "none"})
HAND = """\
variant = "PO"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = [
  "d dh p1 AsAhKsKh",
  "d dh p2 ????????",
  "d dh p3 2c3c4c5c",
  "p3 f",
  "p1 cbr 6",  # the pot
  "p2 cc",
  "d db 7d8d9d",
  "p1 cc",
  "p2 cc",
  "d db Js",
  "p1 cc",
  "p2 cc",
  "d db 2h",
  "p1 cbr 12",
  "p2 cc",
  "p1 sm -",
  "p2 sm JhJd6c5d",
]
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(omaha_table, [str(argument) for argument in arguments])


def imported(folder: Path) -> list[Played]:
    files = sorted(folder.glob("import-*.journal"))
    return [hand for path in files for hand in read(path)]


def take(tmp_path: Path, text: str, *options: str) -> Result:
    file = tmp_path / "hand.phh"
    file.write_text(text)
    return run("import", "--data", tmp_path / "data", *options, file)


@pytest.mark.parametrize(
    ("rules", "limit", "stack", "seats"),
    [
        ("ca_omaha_high", "5-5", STACK, 6),
        ("ca_omaha_high", "5-100", STACK, 2),
        ("ca_omaha_high", "2-5", STACK, 5),
        ("ca_omaha_hilo", None, None, 8),
        ("ca_big_o", None, None, 9),
        ("nj_big_omaha_high", None, STACK, 4),
        ("house_omaha_hilo", None, None, 6),
        (NO_QUALIFIER, None, None, 6),
    ],
)
def test_what_was_exported_is_played_to_the_same_awards(
    tmp_path: Path, rules: str | Profile, limit: str | None, stack: int | None, seats: int
) -> None:
    path = Night(tmp_path / "night", rules, limit, seed=6).seat(seats, stack).play(30).close()
    assert run("export", "--format", "phh", "--out", tmp_path / "out", path).exit_code == 0
    done = run("import", "--data", tmp_path / "data", tmp_path / "out")
    # A new game cannot begin with a kill, except one in the place of the big blind.
    hands = [h for h in read(path) if h.started.killer in (None, h.started.big_blind)]
    assert done.exit_code == (0 if len(hands) == 30 else 1), done.output
    again = imported(tmp_path / "data")
    assert len(again) == len(hands) > 10
    for first, second in zip(hands, again, strict=True):
        assert first.ended is not None
        assert second.ended is not None
        for what in ("awards", "invested", "returned", "fee", "jackpot", "board", "outcome"):
            assert getattr(first.ended, what) == getattr(second.ended, what), (first.number, what)
        assert first.tabled == second.tabled
    assert verify(files_in(tmp_path / "data")).sound


def test_the_button_of_an_imported_hand_is_neither_placed_nor_drawn_for(tmp_path: Path) -> None:
    """Each hand is a game of its own: the log says where its button comes from."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.phh").write_text(HAND)
    files = [tmp_path / f"{name}.phh" for name in ("one", "two")]
    assert run("import", "--data", tmp_path / "data", *files).exit_code == 0
    [path] = (tmp_path / "data").glob("*.journal")
    with Reader(path) as reader:
        made = [record_of(row).event for row in reader.since()]
    placed = [event for event in made if isinstance(event, ButtonPlaced)]
    assert placed == [ButtonPlaced(3, "imported"), ButtonPlaced(3, "imported")]
    assert event_line(placed[0]) == "button to seat 3 in the imported hand"
    assert verify(files_in(tmp_path / "data")).sound


def test_a_hand_that_was_mucked_is_taken_under_rules_that_have_all_tabled(tmp_path: Path) -> None:
    """The file says what was shown; it is too late to ask for more."""
    text = HAND.replace('"p2 sm JhJd6c5d"', '"p2 sm"').replace(
        'variant = "PO"', 'variant = "_PO/8"'
    )
    done = take(tmp_path, text, "--rules", "house_omaha_hilo")
    assert done.exit_code == 0, done.output
    [hand] = imported(tmp_path / "data")
    assert hand.ended is not None
    assert hand.ended.awards == {1: 3600}


def test_a_hand_is_played_by_the_rules_to_its_award(tmp_path: Path) -> None:
    done = take(tmp_path, HAND)
    assert done.exit_code == 0, done.output
    [hand] = imported(tmp_path / "data")
    assert hand.ended is not None
    # Three jacks with jack and jack from the hand beat two aces; 6 and 12 from each of two.
    assert hand.ended.awards == {2: 3600}
    assert hand.ended.stacks == {1: 8200, 2: 11800, 3: 10000}


def test_an_ante_of_the_big_blind_is_in_the_pot_and_nobody_gets_it_back(tmp_path: Path) -> None:
    done = take(tmp_path, HAND.replace("antes = [0, 0, 0]", "antes = [0, 2, 0]"))
    assert done.exit_code == 0, done.output
    [hand] = imported(tmp_path / "data")
    assert hand.ended is not None
    assert hand.ended.awards == {2: 3800}
    assert hand.ended.stacks == {1: 8200, 2: 11800, 3: 10000}
    again = tmp_path / "out"
    assert run("export", "--format", "phh", "--out", again, tmp_path / "data").exit_code == 0
    [file] = again.rglob("*.phhs")
    assert [told["antes"] for told in tomllib.loads(file.read_text(encoding="utf-8")).values()] == [
        [0, 2, 0]
    ]
    with file.open("rb") as opened:
        [other] = HandHistory.load_all(opened)
    assert [int(stack) for stack in list(other)[-1].stacks] == [82, 118, 100]


def test_an_end_that_the_rules_do_not_lead_to_is_told(tmp_path: Path) -> None:
    done = take(tmp_path, HAND + "finishing_stacks = [82, 117, 100]\n")
    assert done.exit_code == 0
    assert "finishing_stacks: the file has $82, $117, $100" in done.output
    assert "the rules give $82, $118, $100" in done.output
    done = take(tmp_path, HAND + "finishing_stacks = [82, 118, 100]\nwinnings = [0, 36, 0]\n")
    assert "Different" not in done.output


def test_stacks_of_a_large_tournament_are_taken(tmp_path: Path) -> None:
    done = take(tmp_path, HAND.replace("[100, 100, 100]", "[25150000, 100, 100]"))
    assert done.exit_code == 0, done.output
    [hand] = imported(tmp_path / "data")
    assert hand.ended is not None
    assert hand.ended.stacks[1] == 2_515_000_000 - 1800


def test_a_hand_played_and_written_by_pokerkit_ends_with_its_stacks(tmp_path: Path) -> None:
    game = PotLimitOmahaHoldem(
        automations=(
            Automation.ANTE_POSTING,
            Automation.BET_COLLECTION,
            Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.RUNOUT_COUNT_SELECTION,
            Automation.HAND_KILLING,
            Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
        ),
        ante_trimming_status=True,
        raw_antes=0,
        raw_blinds_or_straddles=(1, 2),
        min_bet=2,
        mode=Mode.CASH_GAME,
    )
    state = game((150, 80, 30, 200), 4)
    for cards in ("AhAdKhKd", "2c2d3c3d", "QsQcJsJc", "9s9c8s8c"):
        state.deal_hole(cards)
    state.complete_bet_or_raise_to(7)
    state.check_or_call()
    state.complete_bet_or_raise_to(30)
    state.fold()
    state.check_or_call()
    state.check_or_call()
    state.burn_card("??")
    state.deal_board("7h6h2s")
    state.complete_bet_or_raise_to(20)
    state.check_or_call()
    state.burn_card("??")
    state.deal_board("Ts")
    state.check_or_call()
    state.check_or_call()
    state.burn_card("??")
    state.deal_board("4c")
    state.check_or_call()
    state.check_or_call()
    while state.showdown_index is not None:
        state.show_or_muck_hole_cards(True)
    assert not state.status
    done = take(tmp_path, HandHistory.from_game_state(game, state).dumps())
    assert done.exit_code == 0, done.output
    [hand] = imported(tmp_path / "data")
    assert hand.ended is not None
    assert list(hand.ended.stacks.values()) == [stack * 100 for stack in state.stacks]


def test_all_in_hands_may_be_shown_before_the_board(tmp_path: Path) -> None:
    shows = '  "p1 sm -",\n  "p2 sm JhJd6c5d",\n'
    cards = '  "d db 7d8d9d",\n  "d db Js",\n  "d db 2h",\n'
    text = HAND[: HAND.index('  "d db')].replace("[100, 100, 100]", "[6, 100, 100]")
    for number, end in enumerate((shows + cards, cards + shows), start=1):
        done = take(tmp_path, f"{text}{end}]\n")
        assert done.exit_code == 0, done.output
        assert imported(tmp_path / "data")[-1].ended.awards == {2: 1200}  # type: ignore[union-attr]
        assert len(imported(tmp_path / "data")) == number


def test_no_card_that_was_not_tabled_goes_into_the_journal(tmp_path: Path) -> None:
    take(tmp_path, HAND)
    for path in (tmp_path / "data").iterdir():
        for card in (b"2c", b"3c", b"4c"):
            assert b'"' + card + b'"' not in path.read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('"p1 cbr 6"', '"p1 cbr 60"', 11, "cannot raise to $60"),
        ('"p1 cbr 6"', '"p2 cbr 6"', 11, "seat 1"),
        ('"p1 cbr 6"', '"p1 cbr six"', 11, "not an amount"),
        ('"p1 cbr 6"', '"p1 bluffs"', 11, "not an action"),
        ('"p1 cbr 6"', '"p9 cbr 6"', 11, "not an action"),
        ('"p1 cbr 6"', '"d dh p3 ????"', 11, "hole cards after the betting has begun"),
        ('"p1 sm -"', '"d db 3h"', 22, "the board has five cards already"),
        ('"d db Js"', '"d db 7d"', 16, "7d appears twice"),
        ('"d db Js"', '"d db JsQs"', 16, "the turn has one card"),
        ('"d db Js"', '"d db Xx"', 16, "not a card"),
        ('"d db 7d8d9d"', '"d db 2c8d9d"', 13, "2c appears twice"),
        ('"p2 sm JhJd6c5d"', '"p2 sm ????????"', 23, "unknown cards"),
        ('"p2 sm JhJd6c5d"', '"p2 sm JhJd6c2d4d"', 23, "4 cards"),
        ('"p1 sm -"', '"p1 sm AcAdKsKh"', 22, "the tabled cards are not those"),
        ('"d dh p2 ????????"', '"d dh p2 ????"', 10, "p2 was not dealt 4"),
        ('"d dh p2 ????????"', '"d dh p2 ??????????"', 8, "more than 4"),
    ],
)
def test_a_hand_that_the_rules_forbid_is_refused_with_file_line_and_reason(
    tmp_path: Path, old: str, new: str, line: int, reason: str
) -> None:
    assert old in HAND
    done = take(tmp_path, HAND.replace(old, new))
    assert done.exit_code == 1
    assert f"hand.phh, line {line}, action " in done.output
    assert reason in done.output
    assert not imported(tmp_path / "data")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (HAND.replace('"PO"', '"NT"'), "unsupported game"),
        (HAND.replace('variant = "PO"\n', ""), "variant is missing"),
        (HAND.replace("min_bet = 2\n", ""), "min_bet is missing"),
        (HAND.replace("[1, 2, 0]", "[1, 2, 4]"), "p3 posts $4"),
        (HAND.replace("[1, 2, 0]", "[0, 2, 0]"), "small and a big blind"),
        (HAND.replace("[1, 2, 0]", "[1, 2]"), "2 amounts for 3 players"),
        (HAND.replace("[100, 100, 100]", "[100, true, 100]"), "not an amount"),
        (HAND.replace("[100, 100, 100]", "[100, -1, 100]"), "not an amount"),
        (HAND.replace("[100, 100, 100]", "[100, 0.001, 100]"), "fraction of a cent"),
        (HAND.replace("[100, 100, 100]", "[100, nan, 100]"), "not an amount"),
        (HAND.replace("[100, 100, 100]", '"rich"'), "starting_stacks"),
        (HAND.replace("antes = [0, 0, 0]", "antes = [0, 1, 1]"), "antes"),
        (HAND.replace("antes = [0, 0, 0]", "antes = [2, 0, 0]"), "antes"),
        (HAND + "seats = [3, 1, 2]\n_button = 1\n", "not where the rules place them"),
        (HAND + "seats = [1, 3, 2]\n", "clockwise"),
        (HAND + "seats = [1, 2, 44]\n", "no seat 44"),
        (HAND + "seats = [1, 2]\n", "3 different seats"),
        (HAND + "seats = [1, 2, 2]\n", "3 different seats"),
        (HAND + 'players = ["Ada"]\n', "1 names for 3 players"),
        (HAND + "_button = true\n", "_button has a value of the wrong kind"),
        (HAND + '_readings = ["high p9"]\n', "not a reading"),
        (HAND + '_readings = ["middle p1"]\n', "not a reading"),
        (HAND.replace("[1, 2, 0]", "[1, 0, 0]"), "small and a big blind"),
        (HAND.replace("[100, 100, 100]", "[100]"), "1 players: a hand has 2 to 11"),
        (HAND.replace("[100, 100, 100]", str([100] * 12)), "12 players: a hand has 2 to 11"),
        (HAND.replace("[100, 100, 100]", f"[100, {10**12}, 100]"), "not an amount"),
        (HAND + '_outcome = "misdeal"\n', "called off"),
        (HAND + "_by_floor = true\n", "the floor"),
        (HAND.replace('  "p2 sm JhJd6c5d",\n', ""), "neither tabled nor mucked"),
        (HAND[: HAND.index('  "p1 cbr 12"')] + "]\n", "seat 1 is to act"),
        (HAND[: HAND.index('  "d db 2h"')] + "]\n", "the river is missing"),
        (HAND.replace("min_bet = 2\n", f"min_bet = {'9' * 5000}\n"), "too many digits"),
        (HAND.replace("min_bet = 2\n", f"min_bet = 0x{'f' * 5000}\n"), "not an amount"),
        (HAND.replace("[100, 100, 100]", "[100, -inf, 100]"), "not an amount"),
        (HAND.replace("[100, 100, 100]", "[100, 1e999999999, 100]"), "not an amount"),
        ("not = = toml", "is not PHH"),
        ("", "variant is missing"),
    ],
)
def test_a_hand_that_the_format_forbids_is_refused_with_file_and_reason(
    tmp_path: Path, text: str, reason: str
) -> None:
    done = take(tmp_path, text)
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)
    assert "hand.phh" in done.output
    assert reason in done.output
    assert not imported(tmp_path / "data")


def test_a_refused_hand_leaves_nothing_and_the_others_go_in(tmp_path: Path) -> None:
    bad = HAND.replace('"p2 sm JhJd6c5d"', '"p2 sm JhJd6c9d"')
    parts = [HAND, bad, HAND.replace("[100, 100, 100]", "[100, inf, 100]")]
    file = tmp_path / "three.phhs"
    file.write_text("\n".join(f"[{n}]\n{part}" for n, part in enumerate(parts, start=1)))
    done = run("import", "--data", tmp_path / "data", file)
    assert done.exit_code == 1
    assert "three.phhs, hand 2, line 50, action 17" in done.output
    hands = imported(tmp_path / "data")
    assert [hand.number for hand in hands] == [1, 2]
    assert 2 not in hands[1].ended.stacks  # type: ignore[union-attr]
    assert verify(files_in(tmp_path / "data")).sound


def test_rules_of_another_game_are_refused(tmp_path: Path) -> None:
    done = take(tmp_path, HAND, "--rules", "ca_big_o")
    assert done.exit_code == 1
    assert "for a different game" in done.output
    assert take(tmp_path, HAND, "--rules", "no_such").exit_code == 2


def test_files_that_are_not_there_or_not_text_are_named(tmp_path: Path) -> None:
    (tmp_path / "latin.phh").write_bytes(b"\xff\xfe\xe9")
    done = run("import", "--data", tmp_path / "data", tmp_path / "no.phh", tmp_path / "latin.phh")
    assert done.exit_code == 1
    assert "no.phh: cannot be read" in done.output
    assert "latin.phh: is not UTF-8" in done.output
    (tmp_path / "empty").mkdir()
    assert run("import", "--data", tmp_path / "data", tmp_path / "empty").exit_code == 2
    assert not list(tmp_path.glob("data/*.journal"))


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    large = tmp_path / "large.phh"
    with large.open("wb") as file:
        file.truncate((64 << 20) + 1)
    done = run("import", "--data", tmp_path / "data", large)
    assert done.exit_code == 1
    assert "large.phh: the file is larger than 64 MiB" in done.output


def test_a_name_that_no_screen_can_show_is_left_out(tmp_path: Path) -> None:
    assert take(tmp_path, HAND + f'players = ["A\\u0007", "{"B" * 41}", "Cy"]\n').exit_code == 0
    [hand] = imported(tmp_path / "data")
    assert hand.names == {1: "p1", 2: "p2", 3: "Cy"}


def test_a_place_that_no_journal_can_be_in_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    phh = tmp_path / "hand.phh"
    phh.write_text(HAND)
    below = run("import", "--data", tmp_path / "file" / "data", phh)
    assert take(tmp_path, HAND).exit_code == 0
    [journal] = (tmp_path / "data").glob("*.journal")
    journal.write_text("not a journal\n" * 400)
    damaged = take(tmp_path, HAND)
    for done in (below, damaged):
        assert done.exit_code == 2
        assert isinstance(done.exception, SystemExit)
        assert "Error: " in done.output


WHEN = "time = 20:15:07\nday = 14\nmonth = 11\nyear = 2025\n"


@pytest.mark.parametrize(
    ("said", "played", "told"),
    [
        (WHEN + 'time_zone = "UTC"\n', "2025-11-14T20:15:07+00:00", ("20:15:07", 14, "UTC")),
        (WHEN, "2025-11-14T20:15:07", ("20:15:07", 14, None)),
        (WHEN + 'time_zone = "Mars/Olympus"\n', "2025-11-14T20:15:07", ("20:15:07", 14, None)),
    ],
)
def test_an_imported_hand_keeps_the_time_of_its_file_and_the_journal_its_own(
    tmp_path: Path, said: str, played: str, told: tuple[str, int, str | None]
) -> None:
    before = time.time()
    assert take(tmp_path, HAND + said).exit_code == 0
    [hand] = imported(tmp_path / "data")
    assert hand.played == played
    assert before <= hand.started_us / 1e6 <= time.time()
    again = tomllib.loads(run("export", "--format", "phh", "--hand", 1, tmp_path / "data").stdout)
    assert (str(again["time"]), again["day"], again.get("time_zone")) == told
    assert again["year"] == 2025
    ohh = json.loads(run("export", "--format", "ohh", tmp_path / "data").stdout)
    assert ohh["ohh"]["start_date_utc"] == "2025-11-14T20:15:07Z"


@pytest.mark.parametrize("said", ["", "day = 31\nmonth = 2\nyear = 2025\n", 'day = "x"\n'])
def test_a_file_without_a_date_that_there_is_has_none(tmp_path: Path, said: str) -> None:
    assert take(tmp_path, HAND + said).exit_code == 0
    [hand] = imported(tmp_path / "data")
    assert hand.played == ""


def test_the_time_of_one_hand_is_not_that_of_the_next(tmp_path: Path) -> None:
    assert take(tmp_path, f"[1]\n{HAND}{WHEN}[2]\n{HAND}").exit_code == 0
    assert [hand.played for hand in imported(tmp_path / "data")] == ["2025-11-14T20:15:07", ""]


def test_a_hand_of_another_zone_is_told_in_utc(tmp_path: Path) -> None:
    zone = 'time_zone = "America/Los_Angeles"\n'
    assert take(tmp_path, HAND + WHEN + zone).exit_code == 0
    [hand] = imported(tmp_path / "data")
    # In November Los Angeles is eight hours behind; a machine without zones keeps the local time.
    assert hand.played in ("2025-11-15T04:15:07+00:00", "2025-11-14T20:15:07")
