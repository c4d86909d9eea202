"""Drop boxes: what is due in each, what was counted, the variance with its sign, who signed."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from omaha_table.cli import omaha_table
from omaha_table.journal.office_book import read_office
from omaha_table.review.index.ledger import Ledger
from omaha_table.review.screens.box import Box
from omaha_table.review.screens.box_sheets import BoxSheets
from omaha_table.review.screens.recording import count_key
from omaha_table.review.screens.replay import Replay
from tests.counters import PINS, hire, signature, signs
from tests.evenings import profile_with
from tests.review.driving import Driver, desk_of
from tests.review.nights import Night

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.review.screens.desk import Desk
    from omaha_table.rules import Profile

BOARD = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As", "check around")
FULL = ("deal", "call", "call", "check", *BOARD, "high 1", "low 2", "push")
"""Three players put in 4 each: of 12 the house takes 3, the jackpot 1."""


def rules() -> Profile:
    fees = [{"players": "2+", "fee": "3.00", "jackpot": "1.00"}]
    limit = {"id": "4-8", "structure": "limit", "small_bet": "4.00", "big_bet": "8.00",
             "small_blind": "2.00", "big_blind": "4.00", "fees": fees}  # fmt: skip
    return profile_with("ca_omaha_hilo", limit=limit)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hands into B7 and J7; then the jackpot's box is changed, one hand into B7 and J8, and one
    that is void after the flop."""
    night = Night(tmp_path_factory.mktemp("boxes"), rules()).seat(3)
    night.say("shift swing B7 J7", "down D114", *FULL, *FULL, "shift close")
    night.say("shift swing B7 J8", *FULL)
    night.say("deal", "call", "call", "check", BOARD[0])
    night.say('floor 4711 9000 void "the deck was short"', "shift close")
    return night.close().parent


@pytest.fixture
def review(folder: Path, tmp_path: Path) -> Iterator[Driver]:
    with Driver(desk_of(folder.glob("*.journal"), tmp_path), (140, 30)) as review:
        review.press("4")
        yield review


@pytest.fixture
def desk(folder: Path, tmp_path: Path) -> Iterator[Desk]:
    desk = desk_of(folder.glob("*.journal"), tmp_path)
    yield desk
    desk.projection.close()


def count(review: Driver, fees: str, jackpot: str, one: str = "F1", two: str = "S1") -> None:
    """Counts the chosen box; nothing as the jackpot: not counted."""
    review.press("+", *fees, "enter", *jackpot, "enter", *signs(one, two))


def counted(desk: Desk, *counts: tuple[int, int | None]) -> None:
    """What the dialogs record: the latest box first."""
    by = signature("F1"), signature("S1")
    for box, cents in zip(desk.projection.boxes(), counts, strict=False):
        drop = BoxSheets(desk, box).drop
        due = drop.due, drop.jackpots
        desk.ledger.count(box.table, box.day, count_key(box), cents, due, by)


def cells(review: Driver) -> list[tuple[str, ...]]:
    return [line[4:] for line in review.lines]


def run(*arguments: object, typed: str = "") -> Result:
    return CliRunner().invoke(omaha_table, [str(argument) for argument in arguments], input=typed)


def test_boxes_with_different_jackpot_boxes_are_kept_apart(review: Driver) -> None:
    assert cells(review) == [
        ("1", "$3", "-", "not counted"),
        ("2", "$6", "-", "not counted"),
    ]
    assert "jackpot box J8" in review.words("#about")
    assert "jackpot due $1 " in review.words("#about")
    review.press("2")
    assert "jackpot box J7" in review.words("#about")
    assert "jackpot due $2 " in review.words("#about")


def test_a_count_is_of_the_box_with_its_jackpot_box_alone(review: Driver, tmp_path: Path) -> None:
    count(review, "3", "1")
    assert cells(review) == [("1", "$3", "$3", "agrees"), ("2", "$6", "-", "not counted")]
    review.press("2")
    count(review, "6", "2", "F2", "S2")
    assert cells(review) == [("1", "$3", "$3", "agrees"), ("2", "$6", "$6", "agrees")]
    kept = read_office(tmp_path)
    found = [kept.count_of(count_key(box)) for box in review.desk.projection.boxes()]
    assert [
        (c.event.counted, c.event.jackpot, [by.id for by in c.event.by])
        for c in found
        if c is not None
    ] == [(300, 100, ["F1", "S1"]), (600, 200, ["F2", "S2"])]


def test_a_variance_is_explained_and_closed_with_the_mouse_and_the_pad(review: Driver) -> None:
    count(review, "2.75", "0")
    assert "Counted $2.75 and $0: $0.25 short" in review.said
    assert cells(review)[0][-1] == "$0.25 short, open"
    review.click("VirtualList", 5, 1, times=2)
    assert "VARIANCE fees $0.25 short jackpot $1 short open" in review.words("#foot")
    review.click("Footer", review.text.splitlines()[-1].index("Explain"))
    review.click("OptionList", 5, 0)
    review.click("OptionList", 5, 0)
    review.press(*PINS["F1"], "enter")
    assert "Explained, signed by F1 Fern Hill." in review.said
    review.press("*", "2", *signs("S1"))
    assert "Closed, signed by S1 Sam Vale." in review.said
    review.press("*")
    assert "This variance is closed." in review.said


@pytest.mark.parametrize(
    ("cents", "variance", "in_the_jackpot"),
    [
        ((300, 100), "agrees", "agrees"),
        ((500, 150), "$2 over", "$0.50 over"),
        ((400, 50), "$1 over", "$0.50 short"),
        ((300, None), "agrees", ""),
    ],
)
def test_a_variance_is_so_much_over_or_short(
    desk: Desk, cents: tuple[int, int | None], variance: str, in_the_jackpot: str
) -> None:
    counted(desk, cents)
    sheets = BoxSheets(desk, desk.projection.boxes()[0])
    said = " ".join(" ".join(sheets.foot()).split())
    assert f"VARIANCE fees {variance} jackpot {in_the_jackpot}".rstrip() in said


def test_one_person_gives_no_second_signature(review: Driver, tmp_path: Path) -> None:
    review.press("+", *"3", "enter", *"1", "enter", *signs("F1"), *"F1", "enter")
    assert "Two different persons sign" in review.text
    assert not read_office(tmp_path).counts
    review.press(*signs("S1"))
    [(kept,)] = read_office(tmp_path).counts.values()
    assert [by.id for by in kept.event.by] == ["F1", "S1"]


def test_a_wrong_pin_is_asked_for_again_and_dialogs_can_be_left(
    review: Driver, tmp_path: Path
) -> None:
    review.press("+", *"3x", "enter")
    assert "not an amount" in review.text
    review.press("-", "enter", "enter", *"F1", "enter", *"999999", "enter")
    assert "PIN of F1 Fern Hill" in review.text
    review.press(*PINS["F1"], "enter")
    assert "Second signature" in review.text
    review.press("escape")
    assert " BOXES " in review.text
    assert not read_office(tmp_path).counts


# The report of the same boxes

TWO = ("--signed", "F1", "--signed", "S1")


def reported(folder: Path, *options: str) -> dict[str, object]:
    arguments = ["report", "shift", "swing", "--data", folder, "--format", "json", *options]
    done = run(*arguments, typed=f"{PINS['F1']}\n{PINS['S1']}\n")
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_void_hand_is_called_off_and_not_in_the_drop(folder: Path) -> None:
    told = reported(folder)
    assert (told["hands"], told["called_off"], told["no_flop"]) == (3, 1, 0)
    assert (told["fees"], told["due"], told["jackpots"]) == (900, 900, 300)
    page = run("report", "shift", "swing", "--data", folder).stdout
    assert "- Called off: **1 void hand**" in page
    assert "- Average pot: **$12**" in page


@pytest.mark.parametrize(
    ("box", "jackpot", "said", "said_of_the_jackpot", "cents"),
    [
        ("6", "2", "agrees", "agrees", (0, 0)),
        ("8", "1", "$2 over", "$1 short", (200, -100)),
        ("5.50", "2.25", "$0.50 short", "$0.25 over", (-50, 25)),
    ],
)
def test_the_report_has_both_variances_in_words(
    tmp_path: Path,
    box: str,
    jackpot: str,
    said: str,
    said_of_the_jackpot: str,
    cents: tuple[int, int],
) -> None:
    """Two hands into B7 and J7: $6 and $2."""
    night = Night(tmp_path, rules()).seat(3)
    night.say("shift swing B7 J7", *FULL, *FULL, "shift close")
    night.close()
    hire(tmp_path)
    told = reported(tmp_path, "--box", box, "--jackpot-box", jackpot, *TWO)
    assert (told["variance"], told["jackpot_variance"]) == cents
    assert told["signed"] == ["F1 Fern Hill", "S1 Sam Vale"]
    page = run("report", "shift", "swing", "--data", tmp_path).stdout
    assert f"- Variance: **{said}**\n" in page
    assert f"- Jackpot variance: **{said_of_the_jackpot}**\n" in page
    assert "- Counted by: **F1 Fern Hill and S1 Sam Vale, " in page
    assert ("## Hands that could explain the variance" in page) == (said != "agrees")


def test_one_count_is_not_of_two_boxes(folder: Path, tmp_path: Path) -> None:
    data = shutil.copytree(folder, tmp_path / "data")
    hire(data)
    done = run("report", "shift", "swing", "--data", data, "--box", "9", *TWO)
    assert done.exit_code == 2
    assert "has 2 boxes" in done.stderr
    assert "office count --boxes" in done.stderr
    counted = ("office", "count", "swing", "--box", "3", "--jackpot-box", "1", *TWO)
    pins = f"{PINS['F1']}\n{PINS['S1']}\n"
    assert run(*counted, "--data", data, typed=pins).exit_code == 2
    done = run(*counted, "--data", data, "--boxes", "B7/J8", typed=pins)
    assert done.stdout == "Counted $3 and $1: agrees.\n"
    assert "1 of 2 boxes" in run("report", "shift", "swing", "--data", data).stdout


def test_a_report_of_a_shift_has_the_rulings_of_that_shift_alone(tmp_path: Path) -> None:
    night = Night(tmp_path, rules()).seat(3)
    for shift in ("day", "swing", "grave"):
        night.say(f"shift {shift} B7 J7", "deal", f'floor 4711 misdeal "in the {shift}"')
        night.say("shift close")
    night.close()
    told = reported(tmp_path)
    assert isinstance(told["rulings"], list)
    assert [ruled["reason"] for ruled in told["rulings"]] == ["in the swing"]


# Counts of the review in the report


def in_report(folder: Path, tmp_path: Path) -> str:
    for path in folder.glob("*.journal"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    done = run("report", "shift", "swing", "--data", tmp_path)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_counts_of_all_boxes_of_a_shift_are_added_up_in_its_report(
    desk: Desk, folder: Path, tmp_path: Path
) -> None:
    counted(desk, (400, 100), (600, 100))
    page = in_report(folder, tmp_path)
    assert "2 of 2 boxes" in page
    assert "- Box counted: **$10**\n- Variance: **$1 over**\n" in page
    assert "- Jackpot box counted: **$2**\n- Jackpot variance: **$1 short**\n" in page


def test_a_shift_with_a_box_that_is_not_counted_has_no_variance(
    desk: Desk, folder: Path, tmp_path: Path
) -> None:
    counted(desk, (300, 100))
    page = in_report(folder, tmp_path)
    assert "1 of 2 boxes" in page
    assert "Variance" not in page


def test_a_dealers_hands_are_not_compared_with_a_whole_box(
    desk: Desk, folder: Path, tmp_path: Path
) -> None:
    counted(desk, (300, 100), (600, 200))
    assert "- Box counted: **$9**" in in_report(folder, tmp_path)
    dealer = run("report", "dealer", "D114", "--data", tmp_path)
    assert dealer.exit_code == 0
    assert "counted" not in dealer.stdout.lower()


def test_a_jackpot_that_was_counted_in_one_box_of_two_has_no_variance(
    desk: Desk, folder: Path, tmp_path: Path
) -> None:
    counted(desk, (300, 100), (600, None))
    page = in_report(folder, tmp_path)
    assert "- Variance: **agrees**" in page
    assert "Jackpot variance" not in page


def test_a_dealer_has_a_line_for_each_down_and_one_in_all(tmp_path: Path) -> None:
    """D114 deals a hand, D120 one, and D114 one more; each takes a fee of 3."""
    night = Night(tmp_path / "data", "ca_omaha_hilo").seat(3)
    night.say("shift swing B7 J7")
    for dealer in ("D114", "D120", "D114"):
        night.say(f"down {dealer}", "deal", "call", "call", "check", *BOARD, "high 1", "low 2")
        night.say("push")
    desk = desk_of([night.close()], tmp_path)
    sheets = BoxSheets(desk, desk.projection.boxes()[0])
    downs = [(line.cells[0], *line.cells[3:5]) for line in sheets.lines("Downs")]
    assert downs == [("D114", "1", "$3"), ("D120", "1", "$3"), ("D114", "1", "$3")]
    dealers = [line.cells[:3] for line in sheets.lines("Dealers")]
    assert dealers == [("D114", "2", "$6"), ("D120", "1", "$3")]
    desk.projection.close()


@pytest.mark.parametrize(("jackpot_box", "asked"), [("none", []), ("J1", ["0", "enter"])])
def test_a_box_may_be_counted_as_empty(tmp_path: Path, jackpot_box: str, asked: list[str]) -> None:
    """Of a box that is not there, no count is asked for."""
    night = Night(tmp_path / "data", "ca_big_o")
    night.say(f"shift day B1 {jackpot_box}")
    night.seat(3, 10_000)
    night.play(1)
    night.say("shift close")
    with Driver(desk_of([night.close()], tmp_path)) as review:
        review.press("4", "+", "0", "enter", *asked, *signs("F1", "S1"), "5", "5")
        # A sum is no hand that could be opened.
        review.page(Box)
        assert "Hands can be opened from the sheets Hands and Explain" in review.said
    [(kept,)] = read_office(tmp_path).counts.values()
    assert (kept.event.counted, kept.event.jackpot) == (0, 0 if asked else None)


def test_the_sheets_are_turned_by_keys_and_by_mouse(review: Driver) -> None:
    review.press("5", "4", "6", "right")
    assert review.page(Box).sheet == "Downs"
    review.click("#Hands")
    assert review.page(Box).sheet == "Hands"
    review.press("5")
    assert review.page(Replay).about().startswith("3 ")


def test_the_counts_are_read_again_only_when_something_was_recorded(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.refresh()
    assert not ledger.refresh()
    (tmp_path / "review-counts.jsonl").write_text("")
    assert ledger.refresh()
    assert not ledger.refresh()
