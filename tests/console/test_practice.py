"""Practice: what happened decides the marks, and the dealer reads before the console does."""

from __future__ import annotations

import random
import re
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cards import format_cards
from omaha_table.cli import omaha_table
from omaha_table.dealer.pad import RANKS, SUITS
from omaha_table.dealer.screen.drawing import draw
from omaha_table.demo.emulated_table import QUICK, Life, Rig
from omaha_table.demo.players import Intent
from omaha_table.demo.practice import Examiner
from omaha_table.demo.practice_config import practice_table
from omaha_table.demo.score import BANDS, FAILED_MOST, Result, Score
from omaha_table.demo.situations import SITUATIONS, open_game, situation
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.shipped import config_dir
from omaha_table.table.commands import SeatPlayer, StartHand
from scripts.campaigns.trainee import Trainee
from scripts.campaigns.truth import high, low
from tests.console.scenes import Table
from tests.console.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.dealer.console import Console
    from omaha_table.dealer.screen.canvas import Canvas
    from omaha_table.dealer.table_view import TableView
    from omaha_table.demo.situations import Situation
    from omaha_table.floor import Identity
    from omaha_table.hand.state import Setup
    from omaha_table.session.signers import Purpose

GAMES = [
    ("quartering", "ca_big_o", "4-8", True),
    ("quartering", "ca_omaha_hilo", "4-8", False),
    ("quartering", "nj_big_omaha_hilo", "5-10", True),
    ("counterfeit", "ca_big_o", "5-100", False),
    ("counterfeit", "house_omaha_hilo", None, True),
    ("side pot", "ca_omaha_high", "2-5", False),
    ("side pot", "nj_big_omaha_hilo", "5-5", True),
    ("short all-in", "ca_big_o", "4-8", True),
    ("short all-in", "ca_omaha_hilo", "5-5", False),
    ("out of turn", "nj_big_omaha_high", "5-10", True),
    ("out of turn", "ca_omaha_hilo", "2-5", False),
    ("exposed card", "ca_big_o", None, True),
    ("exposed card", "ca_omaha_high", "15-30", False),
    ("jam", "ca_big_o", None, False),
    ("jam", "house_omaha_hilo", None, True),
]


def game_id(value: object) -> str:
    return {"True": "shoe", "False": "by hand", "None": "first limit"}.get(str(value), str(value))


@pytest.mark.parametrize(("name", "rules", "limit", "shoe"), GAMES, ids=game_id)
def test_who_does_it_right_has_full_marks(
    tmp_path: Path, name: str, rules: str, limit: str | None, shoe: bool
) -> None:
    trainee = Trainee(tmp_path, name, rules, limit, shoe=shoe)
    score = trainee.deal()
    assert trainee.refused == []
    assert (score.failed, score.losses) == ("", [])
    assert (score.marks, trainee.banner) == (100, "WELL DEALT")


def test_autoplay_presses_no_key_while_a_pin_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    identify = Session.identify
    asked: list[Purpose] = []

    def slow(session: Session, pin: str, number: str = "", purpose: Purpose = "ruling") -> Identity:
        asked.append(purpose)
        time.sleep(0.5)
        return identify(session, pin, number, purpose)

    monkeypatch.setattr(Session, "identify", slow)
    trainee = Trainee(tmp_path, "jam", "ca_big_o", shoe=False)
    score = trainee.deal()
    assert asked
    assert (trainee.refused, score.losses) == ([], [])


@pytest.mark.parametrize(
    ("name", "shoe", "mistake", "why"),
    [
        ("quartering", True, "wrong high", "HIGH: it is seat 2, you said seat 1."),
        ("quartering", True, "wrong low", "LOW: it is seats 2 and 3, you said seat 1."),
        ("quartering", True, "amount", "Seat 2 gets 33, you said 34."),
        ("quartering", False, "wrong high", "HIGH: it is seat"),
        ("quartering", False, "amount", "Seat 2 gets 33, you said 34."),
        ("side pot", True, "wrong high", "SIDE pot 1, HIGH: it is seat"),
        ("side pot", False, "wrong high", "SIDE pot 1, HIGH: it is seat"),
        ("short all-in", True, "raise", "Seat 6 may raise after the short all-in; you said"),
        ("short all-in", False, "call the all-in", "Seat 5 was all in for 9; that was not keyed."),
        ("out of turn", True, "ignore", "Seat 5 folded out of turn; recorded first was seat 3."),
        ("out of turn", False, "seat", "Seat 5 folded out of turn; recorded was seat 4."),
        ("exposed card", True, "ignore", "was exposed, and the flop came without the floor."),
        ("exposed card", False, "ignore", "was exposed, and the flop came without the floor."),
        ("exposed card", True, "seat", "The exposed card was seat"),
        ("exposed card", True, "void", "The hand was called off"),
        ("jam", True, "void", "The hand was called off; it could be finished."),
        ("quartering", True, "void", "The hand was not shown down."),
    ],
)
def test_who_does_it_wrong_fails_for_that_reason(
    tmp_path: Path, name: str, shoe: bool, mistake: str, why: str
) -> None:
    trainee = Trainee(tmp_path, name, shoe=shoe, mistakes={mistake, "ignore"} if mistake == "void"
                      else {mistake})  # fmt: skip
    score = trainee.deal()
    assert why in score.failed
    assert score.marks is not None
    assert score.marks <= FAILED_MOST
    assert trainee.banner == "NOT YET"
    assert any(f"FAILED. {score.failed}"[:40] in line for line in trainee.lines)


@pytest.mark.parametrize(
    ("rules", "limit", "shoe"),
    [
        ("ca_big_o", "15-30", True),
        ("ca_omaha_high", None, False),
        ("ca_omaha_hilo", "5-5", True),
        ("nj_big_omaha_high", "10-20", False),
    ],
)
def test_every_showdown_of_plain_hands_is_read_first(
    tmp_path: Path, rules: str, limit: str | None, shoe: bool
) -> None:
    """The trainee asserts at every look that nothing is told before it has read."""
    trainee = Trainee(tmp_path, rules=rules, limit=limit, shoe=shoe, hands=3, seed=5)
    score = trainee.deal()
    assert score.hands == 3
    assert trainee.refused == []
    assert (score.losses, score.marks) == ([], 100)
    assert trainee.examiner is not None
    for reading in trainee.examiner.table.readings:
        assert not reading.wrong
    assert score.read


def test_a_hand_that_nobody_finished_has_no_marks_and_no_good_banner() -> None:
    score = Score(situation="jam", failed="The hand was not finished; it is safe on its own deck.")
    assert score.marks is None
    assert score.banner == "NO HAND FINISHED"
    assert score.lines()[:2] == ["No hand was finished: no marks.", f"Jam: FAILED. {score.failed}"]
    assert not any("Marks" in line or "an hour" in line for line in score.lines())


def test_the_banner_is_the_band_of_the_marks() -> None:
    def banner(lost: int, failed: str = "") -> str:
        return Score(hands=35, seconds=3600, undos=lost, failed=failed).banner  # 2 marks each

    assert [banner(lost) for lost in (0, 5, 6, 15, 16, 25, 26, 60)] == [
        "WELL DEALT", "WELL DEALT", "NEARLY THERE", "NEARLY THERE", "KEEP AT IT", "KEEP AT IT",
        "NOT YET", "NOT YET",
    ]  # fmt: skip
    assert banner(0, failed="Ignored.") == "NOT YET"
    assert min(band.least for band in BANDS if band.title != "NOT YET") > FAILED_MOST


def test_why_marks_were_lost_is_said_by_weight() -> None:
    score = Score(
        hands=10, seconds=3600, refusals=4, undos=1, wrong={7: "Ada said"}, misread=["Hand 2: High"]
    )
    assert [loss.marks for loss in score.losses] == [21, 12, 10, 10, 2]
    assert score.marks == 45
    shown = score.lines()
    assert shown[0] == "Marks: 45 of 100"
    assert shown[1] == " -21  10 hands an hour; 35 is a good pace"
    assert shown[2] == " -12  4 refused keys"
    assert shown[5] == "  -2  1 entry taken back"


def test_a_situation_is_not_timed() -> None:
    slow = Score(hands=1, seconds=900)
    assert slow.marks == 73
    slow.situation = "jam"
    assert slow.marks == 100


def watched(table: Table, intent: Intent | None) -> tuple[Examiner, SimpleNamespace]:
    life = SimpleNamespace(console=table.console, heard=intent, struck=None, dealt=None)
    return Examiner(life), life  # type: ignore[arg-type]


def test_what_is_keyed_against_what_was_said_counts_until_it_is_taken_back() -> None:
    table = Table().keys("+", "0")
    examiner, life = watched(table, Intent("fold"))
    table.keys("enter")
    assert [*examiner.score.wrong.values()] == ['Ada said "fold", keyed was call']
    table.keys(".", "+")
    assert not examiner.score.wrong
    assert examiner.score.undos == 1
    life.heard = Intent("raise")
    table.keys("+").keys("a")
    assert not examiner.score.wrong
    assert examiner.score.refusals == 1


def test_an_all_in_is_right_when_all_the_chips_went_in() -> None:
    table = Table(stacks={1: 300}).keys("+", "0")
    examiner, _ = watched(table, Intent("allin"))
    table.keys("enter")
    assert not examiner.score.wrong
    examiner, _ = watched(table, Intent("allin"))
    table.keys("enter")
    assert [*examiner.score.wrong.values()] == ['Ben said "all in", keyed was call']


def test_what_nobody_could_hear_is_not_held_against_the_dealer(tmp_path: Path) -> None:
    """The exposed card is shouted over what the player says."""
    trainee = Trainee(tmp_path, "exposed card", shoe=False, mistakes={"deaf", "ignore"})
    score = trainee.deal()
    assert "nobody called the floor" in score.failed or "without the floor" in score.failed
    assert not score.wrong


@pytest.mark.parametrize("hints", [True, False])
def test_without_hints_the_players_speak_all_the_same(tmp_path: Path, hints: bool) -> None:
    table = Table("ca_omaha_hilo", players=6).keys("+", "0")
    life = Life(table.console, Rig(tmp_path, QUICK, 1), 1, hints=hints, practice=True)
    life.announce()
    said = table.console.model.hint
    assert re.match(r'\w+, seat \d: "\w+"', said)
    assert ("press" in said) == hints
    table.around()
    life.announce()
    said = table.console.model.hint
    assert re.match(r"You turned (\w\w ?){3}\.", said)
    assert bool(re.search(r"press (\d+[-+*/] ){3}0$", said)) == hints


def test_a_board_that_is_keyed_wrong_counts(tmp_path: Path) -> None:
    class Careless(Trainee):
        def _answer(self, console: Console) -> list[str]:
            keys = super()._answer(console)
            if console.session.step.what != "turn" or keys[-1:] != ["0"] or len(keys) < 3:
                return keys
            *rank, suit, _ = keys
            up = console.view().felt.board
            other = next(
                sign
                for sign, letter in SUITS.items()
                if sign != suit and RANKS["".join(rank)] + letter not in up
            )
            return [*rank, other, "0"]

    trainee = Careless(tmp_path, "quartering", "ca_omaha_hilo", shoe=False, seed=8)
    score = trainee.deal()
    assert any(text.startswith("The turn was ") for text in score.wrong.values())


@pytest.mark.parametrize("shoe", [True, False], ids=["shoe", "by hand"])
def test_a_console_that_was_restarted_goes_on_with_the_same_cards_and_the_same_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shoe: bool
) -> None:
    planted: list[TableView] = []

    def failing(view: TableView, *size: int, **how: bool) -> Canvas:
        if view.felt.title == "TURN" and not planted:
            planted.append(view)
            raise RuntimeError("planted")
        return draw(view, *size, **how)

    monkeypatch.setattr("omaha_table.dealer.screen.app.draw", failing)
    trainee = Trainee(tmp_path, "quartering", "house_omaha_hilo", shoe=shoe)
    score = trainee.deal()
    assert planted
    assert (score.failed, score.losses, score.hands) == ("", [], 1)
    assert score.keys > 30


# The situations


def dealt(given: Situation, rules: str, seed: int) -> tuple[Setup, list[str]]:
    table = practice_table(rules, None, given)
    profile = load_profile(rules)
    session = Session(profile, profile.limits[0])
    for player in table.players:
        session.do(SeatPlayer(player.seat, player.name, player.stack))
    open_game(session)
    session.do(StartHand())
    assert session.state.hand is not None
    setup = session.state.hand.setup
    deck = given.deck(setup, random.Random(seed))
    assert deck is not None
    return setup, format_cards(deck).split()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", ["ca_big_o", "ca_omaha_hilo", "nj_big_omaha_hilo"])
@pytest.mark.parametrize("name", ["quartering", "counterfeit", "side pot"])
def test_the_deck_makes_the_situation(name: str, rules: str, seed: int) -> None:
    """Read with phevaluator and by brute force, by the places of the deal."""
    given = situation(name)
    assert given is not None
    setup, deck = dealt(given, rules, seed)
    assert len(set(deck)) == 52
    places = [(slot.kind, slot.seat) for slot in setup.slots]
    board = [deck[at] for at, (kind, _) in enumerate(places) if kind in ("flop", "turn", "river")]
    stay = setup.dealt[:3]
    holes = [[deck[at] for at, place in enumerate(places) if place == ("hole", seat)]
             for seat in stay]  # fmt: skip
    highs = [high(board, hole) for hole in holes]
    lows = [low(board, hole) for hole in holes]
    made = sorted(value for value in lows if value is not None)
    if name == "quartering":
        tied = [at for at, value in enumerate(lows) if value == made[0]]
        assert len(tied) == 2
        assert highs.count(min(highs)) == 1
        assert highs.index(min(highs)) in tied
    elif name == "counterfeit":
        before = [low(board[:4], hole) for hole in holes]
        led = before.index(min(value for value in before if value is not None))
        assert lows[led] != made[0]
        assert board[4][0] in {card[0] for card in holes[led]}
    else:
        assert highs[0] < min(highs[1:])
        assert highs[1] != highs[2]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--situation", "quartering", "--rules", "ca_omaha_high"],
         "'quartering' does not fit ca_omaha_high: it needs a high/low game"),
        (["--situation", "counterfeit", "--rules", "nj_big_omaha_high"], "needs a high/low game"),
        (["--situation", "jam", "--rules", "ca_omaha_hilo"], "no shuffling machine"),
        (["--rules", "ca_omaha_hilo", "--limit", "3-6"], "has no limit '3-6'; it has 4-8,"),
        (["--rules", "nowhere"], "is not a rule profile"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_game_is_refused(arguments: list[str], why: str) -> None:
    done = CliRunner().invoke(omaha_table, ["practice", *arguments])
    assert done.exit_code == 2
    assert why in " ".join(done.output.split())


def test_a_house_file_is_practiced(tmp_path: Path) -> None:
    source = (config_dir() / "rules" / "ca_omaha_hilo.toml").read_text(encoding="utf-8")
    house = tmp_path / "house.toml"
    house.write_text(source.replace('id = "ca_omaha_hilo"', 'id = "mine"'), encoding="utf-8")
    table = practice_table(str(house), "8-16", situation("quartering"))
    assert load_profile(table.rules).id == "mine"
    assert table.table.limit == "8-16"
    # Thirty big bets each, so that nobody is all in by accident.
    assert {player.stack for player in table.players} == {30 * 1600}


def test_every_situation_is_told_in_a_page_and_judged_as_not_handled_before_it_began() -> None:
    for given in SITUATIONS:
        assert len(given.told) < 200
        table = Table()
        life = SimpleNamespace(console=table.console, heard=None, struck=None, dealt=None)
        examiner = Examiner(life, given)  # type: ignore[arg-type]
        assert examiner.score.failed
        assert examiner.score.banner == "NO HAND FINISHED"


def test_the_pages_of_a_long_result_are_turned(tmp_path: Path) -> None:
    score = Score(hands=1, seconds=60, wrong={at: f"entry {at}" for at in range(12)})
    result = Result.of(score)
    table = Table()
    table.console.model = table.console.model.enter(result)
    first = table.console.prompt.page
    table.keys("*")
    second = table.console.prompt.page
    assert first is not None
    assert second is not None
    assert first.lines[0] == "Marks: 0 of 100"
    assert {*first.lines, *second.lines} == {*result.lines}


@pytest.mark.parametrize(
    ("name", "said", "result", "handled"),
    [
        ("quartering", "Two players tie for the low", "Quartering: FAILED", False),
        ("exposed card", "A hole card is exposed", "Exposed card: done", True),
    ],
)
def test_a_practice_without_a_shoe_on_a_terminal(
    tmp_path: Path, name: str, said: str, result: str, handled: bool
) -> None:
    """Follows the hints and has an exposed card replaced; names one seat for high and low, which is
    wrong where a pot is quartered."""
    arguments = ["practice", "--situation", name, "--rules", "ca_omaha_hilo", "--no-shoe",
                 "--pace", "fast", "--hands", "1"]  # fmt: skip
    with Terminal(arguments, env={"TMPDIR": str(tmp_path)}) as terminal:
        shown = terminal.wait(said)
        end, replaced = time.monotonic() + 120, False
        while "RESULT" not in shown:
            assert time.monotonic() < end, shown
            exposed = re.search(r"A card of seat (\d) was exposed!", shown)
            if exposed and "CARDS ARE OUT" not in shown and not replaced:
                _replace_exposed(terminal, exposed[1])
                replaced = True
            else:
                terminal.press(*_next_keys(shown), gap=0.15)
            terminal.read(0.05)
            shown = terminal.text
            if "WHO WINS?" in shown and "Live hands" in shown:
                # What a hand makes is shown at its seat as "LO" and the low, once it is read.
                assert not re.search(r"\bLO\d", shown)
        assert result in shown
        terminal.press("+")
        assert terminal.end() == 0
        ended = " ".join(terminal.text.split())
    assert result in ended
    assert handled or ("NOT YET" in ended and "WELL DEALT" not in ended)


def _replace_exposed(terminal: Terminal, seat: str) -> None:
    """By the number that the ruling always has."""
    terminal.press("/", *"4711", "enter")
    terminal.wait("Exposed card")
    terminal.press("1", "2")
    terminal.wait("Whose card was exposed?")
    terminal.press(seat, "enter")
    terminal.wait("flashed in the pitch")
    terminal.press("2", "enter")
    terminal.wait("GO ON")
    terminal.press("enter")


def _next_keys(shown: str) -> list[str]:
    if "BACK TO THE TABLE" in shown:
        return ["enter"]
    if "SHUFFLED BY HAND" in shown or "DECK IS CUT" in shown:
        return ["enter"]
    if "START HAND 1" in shown:
        return ["+"]
    if "CARDS ARE OUT" in shown:
        return ["0"]
    who = re.search(r"(?:Live hands|winner's seat): (\d+)", shown)
    if who:
        return [who[1], "enter"]
    if "PUSHED" in shown:
        return ["0"]
    hint = re.search(r"press ([A-Z0-9+*/ -]+?)[. ]*$", shown, re.MULTILINE)
    if hint:
        return [key for word in hint[1].lower().split()
                for key in ((word,) if word == "enter" else word)]  # fmt: skip
    return []
