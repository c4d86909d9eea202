"""Drop boxes: what is due in each, what was counted, the variance with its sign, who signed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from omaha_table.cli import omaha_table
from omaha_table.review.counts import Counts, counts_beside
from omaha_table.review.front import ReviewFront
from omaha_table.review.notes import Notes
from omaha_table.review.projection import Projection
from omaha_table.review.views import SheetView
from tests.evenings import profile_with
from tests.review.nights import Night

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
    night.say('floor 4711 9000 void "the deck was short"')
    return night.close().parent


@pytest.fixture
def front(folder: Path, tmp_path: Path) -> Iterator[ReviewFront]:
    projection = Projection()
    projection.refresh(folder.glob("*.journal"))
    counts = Counts(counts_beside(tmp_path))
    front = ReviewFront(projection, Notes(tmp_path / "notes"), counts)
    front.press("4")
    yield front
    projection.close()


def press(front: ReviewFront, *keys: str) -> None:
    for key in keys:
        front.press(key)


def count(front: ReviewFront, fees: str, jackpot: str, one: str = "F1", two: str = "S1") -> None:
    """Counts the chosen box; nothing as the jackpot: not counted."""
    press(front, "+", *fees, "enter", *jackpot, "enter", *one, "enter", *two, "enter")


def sheet(front: ReviewFront) -> SheetView:
    view = front.view(40)
    assert isinstance(view, SheetView)
    return view


def cells(front: ReviewFront) -> list[tuple[str, ...]]:
    return [line.cells[4:] for line in sheet(front).lines]


def foot(front: ReviewFront) -> str:
    return " ".join(" ".join(sheet(front).foot).split())


def run(*arguments: object) -> Result:
    return CliRunner().invoke(omaha_table, [str(argument) for argument in arguments])


def test_boxes_with_different_jackpot_boxes_are_kept_apart(front: ReviewFront) -> None:
    assert cells(front) == [
        ("1", "$3", "-", "not counted"),
        ("2", "$6", "-", "not counted"),
    ]
    assert "jackpot box J8" in foot(front)
    assert "jackpot due $1 " in foot(front)
    press(front, "2")
    assert "jackpot box J7" in foot(front)
    assert "jackpot due $2 " in foot(front)


def test_a_count_is_of_the_box_with_its_jackpot_box_alone(
    front: ReviewFront, tmp_path: Path
) -> None:
    count(front, "3", "1")
    assert cells(front) == [("1", "$3", "$3", "$0"), ("2", "$6", "-", "not counted")]
    press(front, "2")
    count(front, "6", "2", "F2", "S2")
    assert cells(front) == [("1", "$3", "$3", "$0"), ("2", "$6", "$6", "$0")]
    kept = Counts(counts_beside(tmp_path))
    found = [kept.of(box.log, box.shift, box.box, box.jackpot_box)
             for box in front.projection.boxes()]  # fmt: skip
    assert [(c.counted, c.jackpot, c.signed) for c in found if c is not None] == [
        (300, 100, ("F1", "S1")),
        (600, 200, ("F2", "S2")),
    ]


@pytest.mark.parametrize(
    ("fees", "jackpot", "variance", "in_the_jackpot"),
    [
        ("3", "1", "$0", "$0"),
        ("5", "1.50", "+$2", "+$0.50"),
        ("2.75", "0", "-$0.25", "-$1"),
        ("4", "0.50", "+$1", "-$0.50"),
    ],
)
def test_a_variance_has_a_plus_for_too_much_and_a_minus_for_what_is_missing(
    front: ReviewFront, fees: str, jackpot: str, variance: str, in_the_jackpot: str
) -> None:
    count(front, fees, jackpot)
    assert cells(front)[0][-1] == variance
    assert sheet(front).lines[0].strong == (variance != "$0")
    press(front, "5")
    assert f"VARIANCE fees {variance} jackpot {in_the_jackpot} " in foot(front)


def test_a_jackpot_box_that_was_not_counted_has_no_variance(front: ReviewFront) -> None:
    count(front, "3", "")
    press(front, "5")
    assert "VARIANCE fees $0 jackpot signed by" in foot(front)


@pytest.mark.parametrize("two", ["F1", "f1", " f1 "])
def test_one_person_in_other_letters_is_no_second_signature(
    front: ReviewFront, tmp_path: Path, two: str
) -> None:
    count(front, "3", "1", "F1", two)
    assert "F1 has signed already" in front.said
    assert not counts_beside(tmp_path).exists()
    press(front, *"S1", "enter")
    assert json.loads(counts_beside(tmp_path).read_text(encoding="utf-8"))["signed"] == ["F1", "S1"]


# The report of the same boxes

TWO = ("--signed", "F1", "--signed", "S1")


def reported(folder: Path, *options: str) -> dict[str, object]:
    done = run("report", "shift", "swing", "--data", folder, "--format", "json", *options)
    assert done.exit_code == 0, done.output
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_void_hand_is_called_off_and_not_in_the_drop(folder: Path) -> None:
    told = reported(folder)
    assert (told["hands"], told["called_off"], told["no_flop"]) == (3, 1, 0)
    assert (told["fees"], told["due"], told["jackpots"]) == (900, 900, 300)
    page = run("report", "shift", "swing", "--data", folder).stdout
    assert "- Called off: **0 misdealt, 1 void**" in page
    assert "- Mean pot: **$12**" in page


@pytest.mark.parametrize(
    ("box", "jackpot", "said", "said_of_the_jackpot", "cents"),
    [
        ("9", "3", "$0", "$0", (0, 0)),
        ("11", "2", "+$2", "-$1", (200, -100)),
        ("8.50", "3.25", "-$0.50", "+$0.25", (-50, 25)),
    ],
)
def test_the_report_has_both_variances_with_their_signs(
    folder: Path,
    box: str,
    jackpot: str,
    said: str,
    said_of_the_jackpot: str,
    cents: tuple[int, int],
) -> None:
    counted = ("--box", box, "--jackpot-box", jackpot, *TWO)
    told = reported(folder, *counted)
    assert (told["variance"], told["jackpot_variance"]) == cents
    page = run("report", "shift", "swing", "--data", folder, *counted).stdout
    assert f"- Variance: **{said}**\n" in page
    assert f"- Jackpot variance: **{said_of_the_jackpot}**\n" in page
    assert ("## Hands that could explain the variance" in page) == (said != "$0")


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
    front: ReviewFront, folder: Path, tmp_path: Path
) -> None:
    count(front, "4", "1")
    press(front, "2")
    count(front, "6", "1", "F2", "S1")
    page = in_report(folder, tmp_path)
    assert "2 of 2 boxes, by " in page
    assert "- Box counted: **$10**\n- Variance: **+$1**\n" in page
    assert "- Jackpot box counted: **$2**\n- Jackpot variance: **-$1**\n" in page


def test_a_shift_with_a_box_that_is_not_counted_has_no_variance(
    front: ReviewFront, folder: Path, tmp_path: Path
) -> None:
    count(front, "3", "1")
    page = in_report(folder, tmp_path)
    assert "1 of 2 boxes, by F1 and S1" in page
    assert "Variance" not in page


def test_a_dealers_hands_are_not_compared_with_a_whole_box(
    front: ReviewFront, folder: Path, tmp_path: Path
) -> None:
    count(front, "3", "1")
    press(front, "2")
    count(front, "6", "2")
    assert "- Box counted: **$9**" in in_report(folder, tmp_path)
    dealer = run("report", "dealer", "D114", "--data", tmp_path)
    assert dealer.exit_code == 0
    assert "counted" not in dealer.stdout.lower()


def test_a_jackpot_that_was_counted_in_one_box_of_two_has_no_variance(
    front: ReviewFront, folder: Path, tmp_path: Path
) -> None:
    count(front, "3", "1")
    press(front, "2")
    count(front, "6", "")
    page = in_report(folder, tmp_path)
    assert "- Variance: **$0**" in page
    assert "Jackpot variance" not in page


def test_a_count_of_0_1_0_without_its_jackpot_box_is_taken_once(
    front: ReviewFront, folder: Path, tmp_path: Path
) -> None:
    count(front, "9", "3")
    path = counts_beside(tmp_path)
    old = json.loads(path.read_text(encoding="utf-8"))
    del old["jackpot_box"]
    path.write_text(json.dumps(old) + "\n")
    box = front.projection.boxes()[1]
    known = Counts(path).of(box.log, box.shift, box.box, box.jackpot_box)
    assert known is not None
    assert known.counted == 900
    assert "1 of 2 boxes, by F1 and S1" in in_report(folder, tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"counted": "300"},
        {"counted": 3.5},
        {"due": None},
        {"jackpot": "1"},
        {"jackpot": True},
        {"signed": "F1"},
        {"signed": [1, 2]},
        {"at": 5},
        {"shift": ["swing"]},
        {"jackpot_box": 8},
        {"another": "key"},
    ],
)
def test_a_line_of_the_counts_that_nobody_can_have_signed_is_passed_over(
    front: ReviewFront, folder: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    count(front, "3", "1")
    path = counts_beside(tmp_path)
    good = path.read_text(encoding="utf-8")
    spoiled = json.dumps(json.loads(good) | {"counted": 700} | change) + "\n"
    path.write_text(good + spoiled)
    [box, *_] = front.projection.boxes()
    known = Counts(path).of(box.log, box.shift, box.box, box.jackpot_box)
    assert known is not None
    assert known.counted == 300
    assert "1 of 2 boxes, by F1 and S1" in in_report(folder, tmp_path)


def test_a_dealer_has_a_line_for_each_down_and_one_in_all(tmp_path: Path) -> None:
    """D114 deals a hand, D120 one, and D114 one more; each takes a fee of 3."""
    night = Night(tmp_path / "data", "ca_omaha_hilo").seat(3)
    night.say("shift swing B7 J7")
    for dealer in ("D114", "D120", "D114"):
        night.say(f"down {dealer}", "deal", "call", "call", "check", *BOARD, "high 1", "low 2")
        night.say("push")
    projection = Projection()
    projection.refresh([night.close()])
    front = ReviewFront(projection, Notes(tmp_path / "notes"), Counts(tmp_path / "counts"))
    press(front, "4", "5", "6")
    downs = [(line.cells[0], *line.cells[3:5]) for line in sheet(front).lines]
    assert downs == [("D114", "1", "$3"), ("D120", "1", "$3"), ("D114", "1", "$3")]
    press(front, "6")
    dealers = [line.cells[:3] for line in sheet(front).lines]
    assert dealers == [("D114", "2", "$6"), ("D120", "1", "$3")]
    projection.close()
