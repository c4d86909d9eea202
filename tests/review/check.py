"""Every export of a journal against the journal's own rows, and against what the shoe has dealt."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from typing import TYPE_CHECKING

from click.testing import CliRunner
from pokerkit.notation import HandHistory

from omaha_table.cli import omaha_table
from omaha_table.review.reading import hands_in
from omaha_table.review.render import as_markdown
from omaha_table.review.report import incident
from tests.review import ledger, told

if TYPE_CHECKING:
    from pathlib import Path

    from tests.review.ledger import Sum

FORMATS = ("phh", "ohh", "csv", "json")
KNOWN = ("PO", "FO/8")
"""Games that PokerKit plays."""
_BY_FLOOR = {"hand_declared", "pot_corrected"}


def check(journal: Path, out: Path) -> Counter[str]:
    """Raises AssertionError at the first difference; else what was compared."""
    hands, others = ledger.read(journal)
    for hand in hands:
        check_sums(hand)
    expected = ledger.totals(hands)
    for form in FORMATS:
        done = CliRunner().invoke(
            omaha_table, ["export", "--format", form, "--out", str(out / form), str(journal)]
        )
        assert done.exit_code == 0, done.output
    [phh], [ohh], [lines] = (list((out / form).iterdir()) for form in ("phh", "ohh", "json"))
    shifts = check_boxes(journal, others)
    dealt = dealt_by_the_shoe(journal)
    secrets = 0
    for form, (found, cards) in {
        "csv": told.from_csv(out / "csv"),
        "json": told.from_json(lines),
        "ohh": told.from_ohh(ohh),
        "phh": told.from_phh(phh),
    }.items():
        assert found == expected, (journal.name, form, found, expected)
        for hand in hands:
            secret = dealt.get(hand.number, set()) - hand.face_up()
            secrets += len(secret)
            assert not secret & cards[hand.number], (journal.name, form, hand.number)
            assert cards[hand.number] == hand.face_up(), (journal.name, form, hand.number)
    sums = {hand.number: hand for hand in hands}
    for played in hands_in(journal):
        secret = dealt.get(played.number, set()) - sums[played.number].seen
        assert not secret & told.spelled(as_markdown(incident(played))), played.number
    return Counter({
        "hands": expected.hands,
        "pots, cents": expected.pots,
        "fee, cents": expected.fee,
        "jackpot, cents": expected.jackpot,
        "fee returned, cents": expected.fee_returned,
        "boxes": shifts,
        "rulings": len(others.get("ruled", [])),
        "called off": sum(hand.ended["outcome"] in ledger.OFF for hand in hands),
        "side pots": sum(len(hand.ended["pots"]) > 1 for hand in hands),
        "kills": sum(bool(hand.ended["kill"]) for hand in hands),
        "waived": sum(bool(hand.waived()) for hand in hands),
        "face-down cards looked for": secrets,
        "played by PokerKit": check_with_pokerkit(phh, hands),
    })  # fmt: skip


def check_boxes(journal: Path, others: dict[str, list[dict[str, object]]]) -> int:
    """The report of a shift says what the table said when its boxes were taken away."""
    closed = others.get("shift_closed", [])
    names = Counter(str(row["shift"]) for row in others.get("shift_opened", []))
    alone = [row for row in closed if names[str(row["shift"])] == 1]
    for row in alone:
        done = CliRunner().invoke(
            omaha_table,
            ["report", "shift", str(row["shift"]), "--data", str(journal), "--format", "json"],
        )
        if "There is no shift" not in done.stderr:
            found = json.loads(done.stdout)
            assert (found["due"], found["jackpots"]) == (row["fees"], row["jackpots"])
    return len(alone)


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
        return {}
    by_hand = json.loads(path.read_text())
    return {int(n): {card for held in seats.values() for card in held}
            for n, seats in by_hand.items()}  # fmt: skip


def check_with_pokerkit(path: Path, hands: list[Sum]) -> int:
    """Every hand can be read; those whose rules are PokerKit's too come to the same winnings."""
    texts = path.read_text(encoding="utf-8").split("\n\n[")
    compared = 0
    for hand, text in zip(hands, texts, strict=True):
        history = HandHistory.loads(text.partition("]\n")[2])
        assert history.hand == hand.number
        assert [told.cents(won) for won in history.winnings or []] == [
            hand.of("awards").get(seat, 0) for seat in hand.dealt
        ]
        if history.variant in KNOWN and rules_agree(hand):
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


def rules_agree(hand: Sum) -> bool:
    """PokerKit has no floor, no dealer who reads hands, and its own way with odd chips, with a low
    in side pots, with a drop from one of several pots, and with a winner who shows nothing."""
    ended = hand.ended
    if ended["outcome"] in ledger.OFF or ended["by_ruling"] or _BY_FLOOR & hand.kinds:
        return False
    tabled = {body["seat"] for _, kind, body in hand.rows if kind == "tabled"}
    if ended["outcome"] == "showdown" and not set(hand.of("awards")) <= tabled:
        return False
    for pot in ended["pots"]:
        high, low = pot["high"].values(), pot["low"].values()
        if len({*high}) > 1 or len({*low}) > 1 or (low and sum(low) != sum(high)):
            return False
    return len(ended["pots"]) == 1
