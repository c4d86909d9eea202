"""Nights with everything in them, told by every export; `scripts/night` plays a long one."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.cards import DECK
from omaha_table.hand import showdown, split
from omaha_table.journal.verification import files_in, verify
from omaha_table.review.index.drop import Drop
from omaha_table.review.reports.render import as_markdown
from omaha_table.rules.profile import FeeBracket, Limit
from omaha_table.table import commands as table
from scripts.campaigns.night import checks
from scripts.campaigns.night.checks import check, dealt_by_the_shoe, not_shown
from scripts.campaigns.night.tables import GAMES, play
from tests.evenings import profile_with
from tests.table.planted import box_forgets_a_dollar
from tests.table.random_evening import Night

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scripts.campaigns.night.tables import Game

    Patch = pytest.MonkeyPatch

export = import_module("omaha_table.cli.export")
report = import_module("omaha_table.cli.report")

FEES = [
    {"players": "7+", "fee": "5.00", "jackpot": "2.00"},
    {"players": "5-6", "fee": "4.00", "jackpot": "1.00"},
    {"players": "2-4", "fee": "3.00", "jackpot": "1.00"},
]


# Two of the four tables always; the others with the campaigns, and at length in `scripts/night`.
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(
            game,
            id=game.table,
            marks=[pytest.mark.campaign] if game.table in ("plo", "jack") else [],
        )
        for game in GAMES
    ],
)
def test_a_night_at_the_console_with_faults_and_rulings_is_exported_to_the_cent(
    tmp_path: Path, game: Game
) -> None:
    play(game, tmp_path, 4, seed=9)
    assert verify(files_in(tmp_path)).sound
    counted = check(files_in(tmp_path)[0], tmp_path / "out")
    assert counted["hands"] >= 4
    assert counted["face-down cards looked for"]


def night_at_the_table(folder: Path, base: str, seed: int, hands: int = 40) -> Path:
    """A journal with four shifts of their own names in it."""
    limit = {"id": "4-8", "structure": "limit", "small_bet": "4.00", "big_bet": "8.00",
             "small_blind": "2.00", "big_blind": "4.00", "fees": FEES}  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    night = Night(
        profile_with(base, limit=limit),
        "4-8",
        seed,
        folder,
        without=("close", "fouled", "rules", "accept"),
    )
    night.evening.pace = 2.5
    for number in range(4):
        night.do(table.OpenShift(f"shift {number}", f"B{number}", f"J{number}"))
        night.deal(hands // 4)
        night.do(table.CloseShift())
    night.evening.session.close()
    return files_in(folder)[0]


@pytest.mark.parametrize(
    ("base", "seed"),
    [pytest.param("ca_omaha_hilo", 4, marks=pytest.mark.campaign), ("ca_big_o", 2)],
)
def test_a_night_of_rulings_at_the_table_is_exported_to_the_cent(
    tmp_path: Path, base: str, seed: int
) -> None:
    counted = check(night_at_the_table(tmp_path, base, seed), tmp_path / "out")
    for what in ("rulings", "side pots", "waived", "jackpot, cents", "boxes"):
        assert counted[what], what
    assert counted["awards by the rules"] >= 0.8 * counted["hands"]


def test_a_night_that_compared_too_little_is_not_enough() -> None:
    counted = Counter({"fee, cents": 1, "boxes": 1, "rulings": 1, "side pots": 1,
                       "face-down cards looked for": 1, "played by PokerKit": 1,
                       "hands": 100, "awards by the rules": 25})  # fmt: skip
    assert not_shown(counted) == []
    counted["awards by the rules"] -= 1
    counted["face-down cards looked for"] = 0
    assert not_shown(counted) == ["face-down cards looked for", "awards by the rules"]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Not to be written to."""
    return night_at_the_table(tmp_path_factory.mktemp("night"), "ca_omaha_hilo", 1)


def _fee_dropped_from_a_table(patch: Patch) -> None:
    right = export.rows_of

    def wrong(hand: Any) -> Any:
        at = export.HEADERS["fees"].index("fee_cents")
        for name, row in right(hand):
            yield name, [*row[:at], 0, *row[at + 1 :]] if name == "fees" else row

    patch.setattr(export, "rows_of", wrong)


def _fee_booked_on_the_next_hand(patch: Patch) -> None:
    """The sum over all hands stays right."""
    right, held = export.json_of, [0]

    def wrong(hand: Any) -> Any:
        made = right(hand)
        fee, last = made["summary"]["fee"], hand.number == 40
        made["summary"]["fee"], held[0] = held[0] + (fee if last else 0), fee
        return made

    patch.setattr(export, "json_of", wrong)


def _pot_a_cent_too_large(patch: Patch) -> None:
    right = export.ohh_of

    def wrong(hand: Any) -> Any:
        made = right(hand)
        for pot in made["ohh"]["pots"]:
            pot["amount"] += 0.01
        return made

    patch.setattr(export, "ohh_of", wrong)


def _players_in_another_order(patch: Patch) -> None:
    right = export.phh_of

    def wrong(hand: Any) -> str:
        lines = str(right(hand)).splitlines()
        names = [line for line in lines if line.startswith("players = ")]
        [first, second, *rest] = names[0].removeprefix("players = [").removesuffix("]").split(", ")
        swapped = f"players = [{', '.join([second, first, *rest])}]"
        return "\n".join(swapped if line in names else line for line in lines) + "\n"

    patch.setattr(export, "phh_of", wrong)


def _hand_left_out(patch: Patch) -> None:
    right = export.hands_of
    patch.setattr(export, "hands_of", lambda path: (h for h in right(path) if h.number != 7))


def _card_that_was_not_shown(patch: Patch) -> None:
    right = export.json_of

    def wrong(hand: Any) -> Any:
        made = right(hand)
        shown = str(made)
        card = next(card.text for card in DECK if card.text not in shown)
        return made | {"note": f"mucked {card}"}

    patch.setattr(export, "json_of", wrong)


def _shift_report_without_jackpots(patch: Patch) -> None:
    right = Drop.add
    patch.setattr(Drop, "add", lambda drop, hand: right(drop, _WithoutJackpot(hand)))


class _WithoutJackpot:
    jackpot = 0

    def __init__(self, hand: Any) -> None:
        self._hand = hand

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hand, name)


def _shift_not_found(patch: Patch) -> None:
    patch.setattr(report, "hands_of", lambda path: iter(()))


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (_fee_dropped_from_a_table, "hands.csv and fees.csv differ"),
        (_fee_booked_on_the_next_hand, r"json, hand \d+: .* by the journal"),
        (_pot_a_cent_too_large, r"ohh, hand \d+: .* by the journal"),
        (_players_in_another_order, r"phh, hand \d+: .* by the journal"),
        (_hand_left_out, r"csv: hands \{\d+\}"),
        (_card_that_was_not_shown, r"json, hand \d+: .* lay face up"),
        (_shift_report_without_jackpots, "shift .* reported .* by its hands"),
        (_shift_not_found, "No shift"),
    ],
)
def test_a_planted_bug_in_an_export_is_found(
    journal: Path,
    tmp_path: Path,
    monkeypatch: Patch,
    plant: Callable[[Patch], None],
    found: str,
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError, match=found):
        check(journal, tmp_path)


def _low_half_is_a_quarter(patch: Patch) -> None:
    def wrong(amount: int, high: Any, low: Any, button: int, rule: Any) -> Any:
        to_low = amount // 400 * 100 if low else 0
        lows = split.share_out(to_low, low, button, rule) if low else {}
        return split.share_out(amount - to_low, high, button, rule), lows

    patch.setattr(showdown, "split_pot", wrong)


def _fee_of_another_bracket(patch: Patch) -> None:
    def wrong(limit: Limit, hands: int) -> FeeBracket:
        return next(bracket for bracket in limit.fees if not bracket.covers(hands))

    patch.setattr(Limit, "bracket", wrong)


def _box_forgets_a_dollar(patch: Patch) -> None:
    box_forgets_a_dollar(patch.setattr)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (_low_half_is_a_quarter, "pushed .* by the rules"),
        (_fee_of_another_bracket, "drop .* by the rules"),
        (_box_forgets_a_dollar, "shift .* at its end, by its hands"),
    ],
)
def test_a_planted_bug_at_the_table_is_found(
    tmp_path: Path, monkeypatch: Patch, plant: Callable[[Patch], None], found: str
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError, match=found):
        check(night_at_the_table(tmp_path, "ca_omaha_hilo", 1), tmp_path / "out")


@pytest.mark.campaign
def test_a_folded_card_of_the_shoe_in_an_incident_sheet_is_found(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    play(GAMES[3], tmp_path, 2, seed=9)
    [journal] = files_in(tmp_path)
    dealt, right = dealt_by_the_shoe(journal), as_markdown

    def wrong(made: Any) -> str:
        secret = sorted(dealt[int(made.title.split()[1].rstrip(","))])
        return f"{right(made)}\nThe muck: {' '.join(secret)}\n"

    monkeypatch.setattr(checks, "as_markdown", wrong)
    with pytest.raises(AssertionError, match=r"incident, hand 1: .* lay face down"):
        check(journal, tmp_path / "out")
