"""The slip at the table, the boxes of the review and the report of the shift say the same."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.journal.reader import Reader
from omaha_table.journal.slips import slips_in
from omaha_table.journal.verification import files_in, verify
from omaha_table.review.index.drop import total
from omaha_table.review.index.projection import Projection
from omaha_table.rules import load_profile
from omaha_table.session.script import run_line
from omaha_table.shipped import config_dir
from omaha_table.table.state import OfHand
from tests.evenings import profile_with
from tests.review.found import Wall
from tests.review.nights import Night
from tests.session.night import BOARD, FOLDED, SCOOPED, SEATS, open_session, past_six, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.rules import Profile
    from omaha_table.table.events import ShiftClosed

FULL = ("deal", "call", "call", "check", *BOARD, "high 1", "low 2", "push")
"""Three players put in 4 each: of 12 the house takes 3, the jackpot 1."""


def rules() -> Profile:
    fees = [{"players": "2+", "fee": "3.00", "jackpot": "1.00"}]
    limit = {"id": "4-8", "structure": "limit", "small_bet": "4.00", "big_bet": "8.00",
             "small_blind": "2.00", "big_blind": "4.00", "fees": fees}  # fmt: skip
    return profile_with("ca_omaha_hilo", limit=limit)


def slips(folder: Path) -> list[ShiftClosed]:
    """All slips of a folder, in order of time."""
    found = []
    for path in sorted(folder.glob("*.journal")):
        with Reader(path) as reader:
            found += [slip.closed for slip in reversed(slips_in(reader))]
    return found


def report(folder: Path, shift: str) -> Any:
    given = ["report", "shift", shift, "--data", str(folder), "--format", "json"]
    done = CliRunner().invoke(omaha_table, given)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def check_against_review(folder: Path) -> list[ShiftClosed]:
    """Every slip says what the review works out for its box, hand by hand."""
    made = slips(folder)
    projection = Projection()
    assert projection.refresh(sorted(folder.glob("*.journal"))) == []
    boxes = {(key.shift, key.box, key.jackpot_box): key for key in projection.boxes()}
    for slip in made:
        key = boxes.pop((slip.shift, slip.box, slip.jackpot_box), None)
        hands = [] if key is None else projection.in_box(key)
        drop, tally = total(hands), slip.tally
        assert tally is not None
        assert (slip.fees, slip.jackpots) == (drop.due, drop.jackpots)
        assert (tally.hands, tally.called_off) == (drop.hands, drop.called_off)
        waived = {hand.number: hand.waived for hand in hands if hand.waived}
        assert {one.number: one.amount for one in tally.waived} == waived
        returned = {hand.number: hand.refunded for hand in hands if hand.refunded}
        back: dict[int, int] = {}
        for one in tally.returned:
            back[one.number] = back.get(one.number, 0) + one.amount
        assert back == returned
    assert [key.shift for key in boxes.values() if key.shift] == [], "a box without a slip"
    projection.close()
    for shift in {slip.shift for slip in made}:
        said, of_shift = report(folder, shift), [slip for slip in made if slip.shift == shift]
        tallies = [slip.tally for slip in of_shift if slip.tally is not None]
        assert said["due"] == sum(slip.fees for slip in of_shift)
        assert said["jackpots"] == sum(slip.jackpots for slip in of_shift)
        assert said["hands"] == sum(tally.hands for tally in tallies)
        assert said["called_off"] == sum(tally.called_off for tally in tallies)
        assert said["waived"] == sum(one.amount for t in tallies for one in t.waived)
        assert said["fees_returned"] == sum(one.amount for t in tallies for one in t.returned)
    assert verify(files_in(folder)).damage == []
    return made


def test_refunds_waivers_misdeals_voids_undo_and_a_box_change(tmp_path: Path) -> None:
    night = Night(tmp_path, rules()).seat(3)
    night.say(*FULL)  # before any shift: on no slip
    night.say("shift swing B7 J7", *FULL)
    night.say("deal", "call", "call", "check", 'floor 4711 waive "a long delay"')
    night.say(*BOARD, "high 1", "low 2", "push")
    night.say('floor 4711 refund 2 1 2 "the reader failed"')
    night.say("deal", 'floor 4711 misdeal "two cards exposed"')
    night.say("deal", "call", "call", "check", BOARD[0], 'floor 4711 9000 void "short deck"')
    night.say("hand", "undo")
    night.say("deal", "call", "undo", *FULL[1:])
    night.say("shift swing B8 J8", *FULL, "deal", "fold", "fold", "push", "shift close")
    night.close()
    first, second = check_against_review(tmp_path)
    # B7: hand 2 and the last one, 3 + 1 each; 2 went back out of hand 2; hand 3 was waived.
    assert (first.box, first.fees, first.jackpots) == ("B7", 4_00, 2_00)
    assert first.tally is not None
    assert (first.tally.hands, first.tally.called_off) == (3, 2)
    assert first.tally.returned == (OfHand(2, 2_00),)
    assert first.tally.waived == (OfHand(3, 4_00),)
    # B8: one hand with a flop, one without.
    assert (second.box, second.fees, second.jackpots) == ("B8", 3_00, 1_00)
    assert second.tally is not None
    assert (second.tally.hands, second.tally.called_off) == (2, 0)
    assert report(tmp_path, "swing")["due"] == 7_00


def test_a_shift_that_goes_on_past_six_counts_the_hands_of_both_days(tmp_path: Path) -> None:
    wall = Wall(2026, 11, 14, 23, 0)
    session = open_session(tmp_path, wall)
    say(session, *SEATS, *SCOOPED)
    opened = int(wall.at)
    past_six(wall)
    say(session, "deal", "check", *["call"] * 4, *BOARD, "high 1", "low none", "push")
    session.close()
    session = open_session(tmp_path, wall)
    say(session, "shift day B8 J8", *FOLDED, 'floor 4711 close "end of the game"')
    session.close()
    night, day = check_against_review(tmp_path)
    assert (night.fees, night.jackpots, night.at) == (6_00, 2_00, int(wall.at))
    assert night.tally is not None
    assert (night.tally.hands, night.tally.opened) == (2, opened)
    assert day.tally is not None
    assert (day.fees, day.tally.hands) == (0, 1)


def test_what_players_have_not_paid_is_on_the_slip(tmp_path: Path) -> None:
    profile = load_profile(str(config_dir() / "examples" / "rules" / "fee_by_player.toml"))
    night = Night(tmp_path, profile)
    night.say("seat 1 Ada 100", "seat 2 Ben 100", "seat 3 Cam", "button 3", "shift day B1 none")
    night.say("hand", "paid 1 2", "deal", "3 call", "1 call", "2 check", *BOARD)
    night.say("high 1", "low 2", "push")
    night.say("hand", "paid all", 'floor 4711 misdeal "two cards exposed"', "shift close")
    night.close()
    [slip] = check_against_review(tmp_path)
    assert (slip.fees, slip.tally and slip.tally.hands) == (4_00, 1)
    assert slip.tally is not None
    assert slip.tally.waived == (OfHand(1, 2_00, by_floor=False),)
    assert slip.tally.called_off == 1


@pytest.mark.parametrize("seed", range(3))
def test_random_shifts(tmp_path: Path, seed: int) -> None:
    night = Night(tmp_path, rules(), seed=seed).seat(6, 200_00)
    rng = random.Random(seed)
    for number in range(5):
        night.say(f"shift s{number // 2} B{number} J{number // 3}")
        for _ in range(rng.randint(0, 6)):
            if rng.random() < 0.25:
                night.say("deal", 'floor 4711 waive "slow"')
                while night.session.state.hand is not None:
                    night.say("fold" if night.session.step.what == "act" else "push")
            night.play(1)
            last = night.session.state.hands
            if rng.random() < 0.4:
                for line in (f'floor 4711 refund {last} 1 1 "asked"',) * 2:
                    list(run_line(night.session, 1, line))
            if rng.random() < 0.2:
                night.say("deal", 'floor 4711 misdeal "exposed"')
    night.say("shift close")
    night.close()
    assert len(check_against_review(tmp_path)) == 5


def test_a_box_that_comes_back_with_its_number_gives_no_fee_of_before_back(tmp_path: Path) -> None:
    night = Night(tmp_path, rules()).seat(3)
    night.say("shift day B7 J7", *FULL, "shift swing B7 J7")
    [refused] = run_line(night.session, 1, 'floor 4711 refund 1 1 3 "asked"')
    assert refused["type"] == "refused"
    assert "the cage pays the refund" in refused["message"]
    night.say(*FULL, 'floor 4711 refund 2 1 3 "asked"', "shift close")
    night.close()
    assert [slip.fees for slip in check_against_review(tmp_path)] == [3_00, 0]
