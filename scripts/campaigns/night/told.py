"""Exports read by parsers that are not the program's, and added up: CSV, JSON, OHH, PHH."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections import defaultdict
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from scripts.campaigns.night.ledger import Totals
from tests.review.ohh_schema import Hand

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CARDS = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9])")
Told = dict[int, set[str]]
"""The cards that are spelled in what is told of each hand."""
ByHand = dict[int, Totals]


def spelled(text: str) -> set[str]:
    return {run[at : at + 2] for run in CARDS.findall(text) for at in range(0, len(run), 2)}


def cents(amount: float | Decimal | None) -> int:
    exact = Decimal(str(amount or 0)) * 100
    assert exact == int(exact), amount
    return int(exact)


def from_csv(folder: Path) -> tuple[ByHand, Told]:
    by_hand, told = defaultdict[int, Totals](Totals), defaultdict[int, set[str]](set)
    tables = {}
    for name in ("hands", "seats", "actions", "fees", "later"):
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            tables[name] = list(csv.DictReader(file, strict=True))
        for row in tables[name]:
            assert None not in row
            told[int(row["hand"])] |= spelled("\n".join(row.values()))
    for row in tables["hands"]:
        made = by_hand[int(row["hand"])]
        made.hands += 1
        made.pots += int(row["pot_cents"])
        drop = [int(row[f"{name}_cents"]) for name in ("fee", "jackpot", "waived")]
        fees = [fee for fee in tables["fees"] if fee["hand"] == row["hand"]]
        again = [[int(fee[f"{n}_cents"]) for n in ("fee", "jackpot", "waived")] for fee in fees]
        assert again == [drop], (row["hand"], "hands.csv and fees.csv differ")
    for row in tables["fees"]:
        made = by_hand[int(row["hand"])]
        made.fee += int(row["fee_cents"])
        made.jackpot += int(row["jackpot_cents"])
        made.fee_returned += int(row["fee_returned_cents"])
        made.waived += int(row["waived_cents"])
    for row in tables["seats"]:
        made, seat, won = by_hand[int(row["hand"])], int(row["seat"]), int(row["award_cents"])
        made.awards[seat] += won
        made.returned[seat] += int(row["returned_cents"])
        made.net[row["name"]] += won - int(row["invested_cents"])
    for row in tables["later"]:
        by_hand[int(row["hand"])].later[row["what"]] += int(row["amount_cents"])
    return dict(by_hand), told


def from_json(path: Path) -> tuple[ByHand, Told]:
    by_hand: ByHand = {}
    told: Told = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        hand = json.loads(line)
        end = hand["summary"]
        assert hand["hand"] not in by_hand
        made = by_hand[hand["hand"]] = Totals()
        told[hand["hand"]] = spelled(line)
        made.hands += 1
        made.pots += sum(end["awards"].values()) + end["fee"] + end["jackpot"]
        made.fee += end["fee"]
        made.jackpot += end["jackpot"]
        made.waived += hand["waived"]
        for seat in hand["seats"]:
            at = str(seat["seat"])
            made.awards[seat["seat"]] += end["awards"].get(at, 0)
            made.returned[seat["seat"]] += end["returned"].get(at, 0)
            made.net[seat["name"]] += end["awards"].get(at, 0) - end["invested"].get(at, 0)
        for mend in hand["later"]:
            made.later[mend["what"]] += mend["amount"]
            made.fee_returned += mend["amount"] if mend["what"] == "fee_returned" else 0
    return by_hand, told


def from_ohh(path: Path) -> tuple[ByHand, Told]:
    """By the schema; what was put in is added up from the actions."""
    by_hand: ByHand = {}
    told: Told = {}
    for text in path.read_text(encoding="utf-8").split("\n\n"):
        if not text.strip():
            continue
        whole = json.loads(text)
        hand, beside = Hand.model_validate_json(json.dumps(whole["ohh"])), whole["_omaha_table"]
        number = int(hand.game_number.rpartition("-")[2])
        assert number not in by_hand
        made = by_hand[number] = Totals()
        told[number] = spelled(text)
        made.hands += 1
        names = {player.id: player.name for player in hand.players}
        for pot in hand.pots:
            made.pots += cents(pot.amount)
            made.fee += cents(pot.rake)
            made.jackpot += cents(pot.jackpot)
            for win in pot.player_wins:
                made.awards[win.player_id] += cents(win.win_amount)
                made.net[names[win.player_id]] += cents(win.win_amount)
        for part in hand.rounds:
            for action in part.actions:
                made.net[names[action.player_id]] -= cents(action.amount)
        for seat, amount in beside["corrected"].items():
            made.net[names[int(seat)]] -= cents(amount)
        for seat, amount in beside["returned"].items():
            made.returned[int(seat)] += cents(amount)
            made.net[names[int(seat)]] += cents(amount)
        made.fee_returned += cents(beside["fee_returned"])
        made.waived += cents(beside["waived"])
        for mend in beside["later"]:
            made.later[mend["what"]] += cents(mend["amount"])
    return by_hand, told


def from_phh(path: Path) -> tuple[ByHand, Told]:
    """By a plain TOML parser; where all stacks are known they say the same as what was put in."""
    by_hand: ByHand = {}
    told: Told = {}
    for hand in phh_hands(path):
        assert hand["hand"] not in by_hand
        made = by_hand[hand["hand"]] = Totals()
        told[hand["hand"]] = spelled("\n".join(map(str, hand.values())))
        made.hands += 1
        made.fee += cents(hand["_fee"])
        made.jackpot += cents(hand["_jackpot"])
        made.pots += cents(hand["_fee"]) + cents(hand["_jackpot"])
        made.fee_returned += cents(hand.get("_fee_returned"))
        made.waived += cents(hand.get("_waived"))
        lists = ("seats", "players", "winnings", "_invested", "_returned")
        nets = []
        for seat, name, won, put_in, back in zip(*map(hand.get, lists), strict=True):
            made.awards[seat] += cents(won)
            made.pots += cents(won)
            made.returned[seat] += cents(back)
            nets.append(cents(won) - cents(put_in))
            made.net[name] += nets[-1]
        if "finishing_stacks" in hand:
            before, after = hand["starting_stacks"], hand["finishing_stacks"]
            assert nets == [cents(new) - cents(old) for old, new in zip(before, after, strict=True)]
        for text in hand.get("_later", []):
            words = text.removesuffix(" adjusting").split()
            made.later[words[0]] += cents(Decimal(words[-1]))
    return by_hand, told


def phh_hands(path: Path) -> Iterator[dict[str, Any]]:
    yield from tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal).values()
