"""What a journal comes to, added up from its raw rows: SQLite and JSON, and nothing of the program.

What an undo or the floor took back is left out by the rules of the log: `undone` names events,
`backed_up` the last entry that stands.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

OFF = ("misdeal", "void")


@dataclass
class Sum:
    """One hand."""

    number: int
    dealt: list[int]
    names: dict[int, str]
    stacks: dict[int, int | None]
    button: int = 0
    limit: str = ""
    shift: int = 0
    """Its number, by the order of opening, as the hand ended; 0: none was open."""
    rows: list[tuple[int, str, dict[str, Any]]] = field(default_factory=list)
    ended: dict[str, Any] = field(default_factory=dict)
    kinds: set[str] = field(default_factory=set)
    later: list[tuple[str, int, int | None, int]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    """Cards that lay face up at any time, also those of what was taken back."""

    def put_in(self) -> Counter[int]:
        """What went in and did not come back as uncalled, from the single steps."""
        total: Counter[int] = Counter()
        for _, kind, body in self.rows:
            if kind in ("posted", "acted", "pot_corrected"):
                total[body["seat"]] += body["amount"]
            elif kind == "hand_declared":
                total[body["seat"]] -= body["returned"]
            elif kind == "street_closed":
                for seat, cents in body["returned"].items():
                    total[int(seat)] -= cents
        return total

    def returned(self) -> Counter[int]:
        back: Counter[int] = Counter()
        for _, kind, body in self.rows:
            if kind == "street_closed":
                back.update({int(seat): cents for seat, cents in body["returned"].items()})
            elif kind == "hand_declared":
                back[body["seat"]] += body["returned"]
        return +back

    def waived(self) -> int:
        """What was due by the rules and was not taken."""
        if self.ended["outcome"] in OFF:
            return 0
        due = sum(b["fee"] + b["jackpot"] for _, kind, b in self.rows if kind == "fee_due")
        return int(due - self.ended["fee"] - self.ended["jackpot"])

    def moved(self) -> Counter[int]:
        """Chips that came and went during the hand without being of it, by ruling."""
        total: Counter[int] = Counter()
        for _, kind, body in self.rows:
            if kind in ("fee_returned", "impound_released"):
                total[body["seat"]] += body["amount"]
            elif kind == "pot_impounded":
                total[body["seat"]] -= body["amount"]
            elif kind == "chips_transferred" and not body["adjusting"]:
                total[body["seat"]] -= body["amount"]
                total[body["to"]] += body["amount"]
            elif kind == "stack_adjusted":
                total[body["seat"]] += body["amount"]
        return total

    def of(self, key: str) -> dict[int, int]:
        return {int(seat): cents for seat, cents in self.ended[key].items()}

    @property
    def pot(self) -> int:
        ended = self.ended
        return int(sum(ended["awards"].values()) + ended["fee"] + ended["jackpot"])

    def face_up(self) -> set[str]:
        """The board at the end and the hands that lie tabled."""
        shown: dict[int, list[str]] = {}
        for _, kind, body in self.rows:
            if kind == "tabled":
                shown[body["seat"]] = body["cards"]
            elif kind == "mucked":
                shown.pop(body["seat"], None)
        board = set(self.ended["board"]) or self.board()
        return board | {card for cards in shown.values() for card in cards}

    def board(self) -> set[str]:
        dealt = [body["cards"] for _, kind, body in self.rows if kind == "board_dealt"]
        return {card for cards in dealt for card in cards}


def read(path: Path) -> tuple[list[Sum], dict[str, list[dict[str, Any]]]]:
    """The hands, and the rows of other kinds by kind."""
    found: list[Sum] = []
    others: dict[str, list[dict[str, Any]]] = {}
    names: dict[int, str] = {}
    hand: Sum | None = None
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = [
        (seq, kind, json.loads(text))
        for seq, kind, text in db.execute("SELECT seq, kind, body FROM event ORDER BY seq")
    ]
    db.close()
    gone: set[int] = set()
    for _, kind, body in rows:
        if kind in ("taken_back", "hand_taken_back"):
            gone.update(body["seqs"])
    for seq, kind, body in rows:
        if seq in gone:
            continue
        others.setdefault(kind, []).append(body)
        if kind == "fee_returned":
            body["in_shift"] = _open_shift(others)
        if kind == "player_seated":
            names[body["seat"]] = body["name"]
        elif kind == "player_left":
            names.pop(body["seat"])
        elif kind == "player_moved":
            names[body["to"]] = names.pop(body["seat"])
        elif kind == "hand_started":
            stacks = {int(seat): stack for seat, stack in body["stacks"].items()}
            hand = Sum(
                body["number"], body["dealt"], dict(names), stacks, body["button"], body["limit"]
            )
        if kind in ("fee_returned", "chips_transferred", "pot_impounded", "impound_released"):
            told = (kind, body["seat"], body.get("to"), body["amount"])
            for other in found:
                if other.number == body["of_hand"]:
                    other.later.append(told)
        if hand is None:
            continue
        hand.kinds.add(kind)
        hand.seen |= {card for card in (*body.get("cards", ()), body.get("card")) if card}
        if kind == "undone":
            hand.rows = [row for row in hand.rows if row[0] not in body["seqs"]]
        elif kind == "backed_up":
            hand.rows = [row for row in hand.rows if row[2].get("entry", 0) <= body["to"]]
        elif kind == "hand_ended":
            hand.ended = body
            hand.shift = _open_shift(others)
            found.append(hand)
            hand = None
        else:
            hand.rows.append((seq, kind, body))
    return found, others


def _open_shift(others: dict[str, list[dict[str, Any]]]) -> int:
    opened = len(others.get("shift_opened", ()))
    return opened if opened > len(others.get("shift_closed", ())) else 0


@dataclass
class Totals:
    """What an export, too, can be added up to."""

    hands: int = 0
    pots: int = 0
    fee: int = 0
    jackpot: int = 0
    fee_returned: int = 0
    waived: int = 0
    awards: Counter[int] = field(default_factory=Counter)
    returned: Counter[int] = field(default_factory=Counter)
    net: Counter[str] = field(default_factory=Counter)
    """Per player: won, less what was put in."""
    later: Counter[str] = field(default_factory=Counter)
    """Chips that rulings moved after the push, by what they were."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Totals) and self._plain() == other._plain()

    __hash__ = None  # type: ignore[assignment]

    def _plain(self) -> tuple[object, ...]:
        mains = (self.hands, self.pots, self.fee, self.jackpot, self.fee_returned, self.waived)
        parts = (self.awards, self.returned, self.net, self.later)
        return *mains, *({key: n for key, n in part.items() if n} for part in parts)


def totals(hands: list[Sum]) -> Totals:
    made = Totals()
    for hand in hands:
        made.hands += 1
        made.pots += hand.pot
        made.fee += hand.ended["fee"]
        made.jackpot += hand.ended["jackpot"]
        made.waived += hand.waived()
        made.awards.update(hand.of("awards"))
        put_in, back = hand.put_in(), hand.returned()
        if hand.ended["outcome"] in OFF:
            put_in, back = Counter(), put_in + back
        made.returned.update(back)
        for seat in hand.dealt:
            name = hand.names[seat]
            made.net[name] += hand.of("awards").get(seat, 0) - put_in[seat]
        for kind, _, _, amount in hand.later:
            made.later[kind] += amount
            made.fee_returned += amount if kind == "fee_returned" else 0
    return made
