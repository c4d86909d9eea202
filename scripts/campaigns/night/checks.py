"""Every export of a journal against the journal's own rows, and against what the shoe has dealt."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner
from pokerkit.notation import HandHistory

from omaha_table.cli import omaha_table
from omaha_table.review.index.reading import hands_in
from omaha_table.review.reports.render import as_markdown
from omaha_table.review.reports.summaries import incident
from scripts.campaigns.night import ledger, told
from scripts.campaigns.night.by_rules import Ruled, profile_of

if TYPE_CHECKING:
    from pathlib import Path

    from scripts.campaigns.night.ledger import Sum

FORMATS = ("phh", "ohh", "csv", "json")
KNOWN = ("PO", "FO/8")
"""Games that PokerKit plays."""


def check(journal: Path, out: Path) -> Counter[str]:
    """Raises AssertionError at the first difference; else what was compared."""
    hands, others = ledger.read(journal)
    rules = profile_of(others)
    ruled = [Ruled(hand, rules) for hand in hands]
    for each in ruled:
        check_sums(each.hand)
        if not each.left_out:
            each.check()
    expected = {hand.number: ledger.totals([hand]) for hand in hands}
    total = ledger.totals(hands)
    for form in FORMATS:
        done = CliRunner().invoke(
            omaha_table, ["export", "--format", form, "--out", str(out / form), str(journal)]
        )
        assert done.exit_code == 0, done.output
    [phh], [ohh], [lines] = (list((out / form).iterdir()) for form in ("phh", "ohh", "json"))
    shifts = check_boxes(journal, hands, others)
    dealt = dealt_by_the_shoe(journal)
    secrets = 0
    for form, (found, cards) in {
        "csv": told.from_csv(out / "csv"),
        "json": told.from_json(lines),
        "ohh": told.from_ohh(ohh),
        "phh": told.from_phh(phh),
    }.items():
        other = found.keys() ^ expected.keys()
        assert not other, f"{form}: hands {other} are missing there or in the journal"
        for hand in hands:
            said, right = found[hand.number], expected[hand.number]
            assert said == right, f"{form}, hand {hand.number}: {said}, by the journal {right}"
            secret = dealt.get(hand.number, set()) - hand.face_up()
            secrets += len(secret)
            leaked = secret & cards[hand.number]
            assert not leaked, f"{form}, hand {hand.number}: {leaked} lay face down"
            shown = cards[hand.number], hand.face_up()
            assert shown[0] == shown[1], f"{form}, hand {hand.number}: {shown} lay face up"
    sums = {hand.number: hand for hand in hands}
    for played in hands_in(journal):
        secret = dealt.get(played.number, set()) - sums[played.number].seen
        leaked = secret & told.spelled(as_markdown(incident(played)))
        assert not leaked, f"incident, hand {played.number}: {leaked} lay face down"
    return Counter({
        "hands": total.hands,
        "pots, cents": total.pots,
        "fee, cents": total.fee,
        "jackpot, cents": total.jackpot,
        "fee returned, cents": total.fee_returned,
        "boxes": shifts,
        "rulings": len(others.get("ruled", [])),
        "called off": sum(hand.ended["outcome"] in ledger.OFF for hand in hands),
        "side pots": sum(len(hand.ended["pots"]) > 1 for hand in hands),
        "kills": sum(bool(hand.ended["kill"]) for hand in hands),
        "waived": sum(bool(hand.waived()) for hand in hands),
        "face-down cards looked for": secrets,
        "awards by the rules": sum(not each.left_out for each in ruled),
        "called off or ruled on": sum(bool(each.left_out) for each in ruled),
        "played by PokerKit": check_with_pokerkit(phh, ruled),
    })  # fmt: skip


def not_shown(counted: Counter[str]) -> list[str]:
    """What a night has not had in it, and so not compared. A quarter of the hands at least must
    have been paid by the rules: the floor is busy in these nights, but it does not end them all."""
    needed = ("fee, cents", "boxes", "rulings", "side pots", "face-down cards looked for",
              "played by PokerKit")  # fmt: skip
    missed = [what for what in needed if not counted[what]]
    if 4 * counted["awards by the rules"] < counted["hands"]:
        missed.append("awards by the rules")
    return missed


def check_boxes(journal: Path, hands: list[Sum], others: dict[str, list[dict[str, Any]]]) -> int:
    """The table and the report of a shift say what its hands come to."""
    opened, refunds = others.get("shift_opened", []), others.get("fee_returned", [])
    names = Counter(str(row["shift"]) for row in opened)
    compared = 0
    for number, row in enumerate(others.get("shift_closed", []), start=1):
        assert row["shift"] == opened[number - 1]["shift"]
        kept = ledger.totals([hand for hand in hands if hand.shift == number])
        back = [refund["amount"] for refund in refunds if refund["in_shift"] == number]
        held, counted = (kept.fee - sum(back), kept.jackpot), (row["fees"], row["jackpots"])
        assert counted == held, f"shift {row['shift']}: {counted} at its end, by its hands {held}"
        if names[str(row["shift"])] > 1:
            continue
        compared += 1
        done = CliRunner().invoke(
            omaha_table,
            ["report", "shift", str(row["shift"]), "--data", str(journal), "--format", "json"],
        )
        if not kept.hands:
            assert "No shift" in done.stderr, done.output
            continue
        assert done.exit_code == 0, done.output
        said = json.loads(done.stdout)
        # A fee that goes back later is missing in a later box, and in the report of its hand.
        due, reported = (
            (kept.fee - kept.fee_returned, kept.jackpot),
            (said["due"], said["jackpots"]),
        )
        assert reported == due, f"shift {row['shift']}: reported {reported}, by its hands {due}"
    return compared


def check_sums(hand: Sum) -> None:
    """The summary of a hand is what its steps come to."""
    ended = hand.ended
    put_in, back = hand.put_in(), hand.returned()
    if ended["outcome"] in ledger.OFF:
        put_in, back = Counter(), put_in + back
    assert +Counter(hand.of("invested")) == +put_in, hand.number
    assert +Counter(hand.of("returned")) == +back, hand.number
    assert sum(put_in.values()) == hand.pot
    for _, kind, body in hand.rows:
        assert kind != "card_dealt" or body["kind"] not in ("hole", "burn") or body["card"] is None
    for seat, stack in hand.stacks.items():
        if stack is not None and seat in hand.dealt:
            won = hand.of("awards").get(seat, 0)
            after = stack - put_in[seat] + won + hand.moved()[seat]
            assert hand.of("stacks")[seat] == after, hand.number


def dealt_by_the_shoe(journal: Path) -> dict[int, set[str]]:
    """What the emulated shoe has passed face down, by hand."""
    path = journal.with_name("dealt.json")
    if not path.exists():
        return {}  # Played without a shoe: by commands at the session.
    by_hand = json.loads(path.read_text(encoding="utf-8"))
    return {int(n): {card for held in seats.values() for card in held}
            for n, seats in by_hand.items()}  # fmt: skip


def check_with_pokerkit(path: Path, hands: list[Ruled]) -> int:
    """Every hand can be read; those whose rules are PokerKit's too come to the same winnings."""
    texts = path.read_text(encoding="utf-8").split("\n\n[")
    compared = 0
    for ruled, text in zip(hands, texts, strict=True):
        hand, history = ruled.hand, HandHistory.loads(text.partition("]\n")[2])
        assert history.hand == hand.number
        assert [told.cents(won) for won in history.winnings or []] == [
            hand.of("awards").get(seat, 0) for seat in hand.dealt
        ]
        if history.variant in KNOWN and ruled.pokerkit_agrees():
            compared += 1
            check_stacks(text.partition("]\n")[2], hand)
    return compared


def check_stacks(text: str, hand: Sum) -> None:
    drop = (hand.ended["fee"] + hand.ended["jackpot"]) // 100

    def rake(amount: int, state: object) -> tuple[int, int]:
        return min(drop, amount), amount - min(drop, amount)

    history = HandHistory.loads(text, rake=rake)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "There is no reason for this player to fold")
        *_, last = history
    assert not last.status
    for seat, before, after in zip(hand.dealt, history.starting_stacks, last.stacks, strict=True):
        won = hand.of("awards").get(seat, 0) - hand.of("invested")[seat]
        assert told.cents(after) - told.cents(before) == won, (hand.number, seat, text)
