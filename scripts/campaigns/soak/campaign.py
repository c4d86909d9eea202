"""A gaming day, or several, of the whole house: what `scripts/soak` runs.

One console process on a journal, a shuffler and a shoe on real ptys, players, dealers and a floor,
all from one seed and on a clock of their own. Machines fail, the process is killed with SIGKILL and
started again, the disk fills once a day and the wall clock is moved once a day. The soak keeps its
own account of chips and cards and compares it with the program after everything that happens.

The same seed makes the same decisions; the instant at which a kill strikes is the machine's.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import deque
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from omaha_table.journal.verdict import damage_lines
from omaha_table.journal.verification import files_in, verify
from omaha_table.review.index.drop import total
from omaha_table.review.index.reading import hands_in
from omaha_table.rules import load_profile
from scripts.campaigns.soak.checks import Auditor, cards_in
from scripts.campaigns.soak.disk import Disk
from scripts.campaigns.soak.floor import Floor
from scripts.campaigns.soak.hand import HandPlay
from scripts.campaigns.soak.house import SPELLED
from scripts.campaigns.soak.machines import SERIALS, Machines
from scripts.campaigns.soak.process import Process, Wrong
from scripts.campaigns.soak.room import Room
from scripts.campaigns.soak.tally import Tally, report

if TYPE_CHECKING:
    from scripts.campaigns.soak.process import Standing

TABLES = (
    ("ca_big_o", "4-8"),
    ("nj_big_omaha_hilo", "5-10"),
    ("house_omaha_hilo", "6-12"),
    ("nj_big_omaha_high", "5-5"),
)
"""One a day: two fixed limits with kills, one without, and pot limit; four cards and five."""
START = datetime(2030, 3, 17, 5, 30).timestamp()
"""Half an hour before the gaming day changes, by the clock of the room."""
DAY = 86_400.0


class Soak:
    """What the parts of a soak share: the process, the machines, the clock, the account."""

    def __init__(
        self, folder: Path, seed: int, tally: Tally, *, kills: float = 0.1, sabotage: str = ""
    ) -> None:
        self.folder, self.seed, self.tally = folder, seed, tally
        self.kills, self._sabotage = kills, sabotage
        self.machines = Machines(folder)
        self.held = ExitStack()
        """What must be let go of, however a soak ends."""
        self.rng = random.Random(seed)
        self.wall = self.mono = START + seed % 1000
        self.recent: deque[str] = deque(maxlen=24)
        self.said: Standing = {}
        self.face_up: set[str] = set()
        """What has been turned up in this hand, or drawn for the button."""
        self.ballast_seen = False
        """Whether the use of the ballast on this full disk has been counted."""
        self.drawn: set[str] = set()
        """Of the last draw: the lines under the table tell of it until others have come."""

    def open_day(self, day: int) -> None:
        rules, limit = TABLES[day % len(TABLES)]
        self.profile = load_profile(rules)
        self.limit = limit
        self.data = self.folder / "data"
        self.disk = Disk(self.data)
        self.held.callback(self.disk.release)
        office = X25519PrivateKey.generate().public_key()
        raw = office.public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
        self.process = Process(
            {
                "folder": str(self.data), "rules": rules, "limit": limit, "office": raw,
                "ports": self.machines.ports, "serials": SERIALS, "sabotage": self._sabotage,
            }
        )  # fmt: skip
        self.held.callback(self._end, self.process)
        self.said = self.process.start(self.wall, self.mono)
        self.auditor = Auditor(self.data)
        self.floor, self.room = Floor(self), Room(self)
        self.fees, self.of_day = [0, 0], 0

    @staticmethod
    def _end(process: Process) -> None:
        if process.alive:
            process.kill()

    # The clock and the keys

    def spend(self, seconds: float) -> None:
        self.wall += seconds
        self.mono += seconds

    def press(self, keys: list[str], seconds: float = 1.0) -> Standing:
        """Presses keys and waits for the answer."""
        self.spend(seconds)
        self.note(" ".join(keys))
        self.tally.keys += len(keys)
        self.process.send(keys, self.wall, self.mono)
        return self.take(self.process.answered())

    def look(self, seconds: float) -> Standing:
        """Lets the machines speak for a moment."""
        self.process.until(lambda said: True, seconds)
        return self.take(self.process.last)

    def take(self, said: Standing) -> Standing:
        self.said = said
        check = self.tally.check
        spelled = set(said["spelled"])
        leaked = spelled - self.face_up - self.drawn - set(said["keyed"])
        check(
            "screens searched",
            not leaked,
            f"cards on the screen that do not lie face up: {len(leaked)}",
        )
        if said["painted"] is not None:
            check("screens painted", said["painted"], "the screen does not show how the table is")
        hand = said["hand"]
        if hand is not None and hand["board"] and said["mode"] == "AtTable":
            # A search that finds nothing must find what does lie face up.
            missing = set(hand["board"]) - spelled
            check("boards found on the screen", not missing, "the board is not on the screen")
        return said

    def note(self, text: str) -> None:
        hand = self.said.get("hand") or {}
        trouble = f" ({hand['trouble']})" if hand.get("trouble") else ""
        out = f" {hand.get('out')}/{len(self.machines.out)}" if hand else ""
        self.recent.append(f"{self.said.get('title', '')}{out}{trouble}: {text}")

    # Kills

    def kill(self) -> None:
        """SIGKILL, and the same table again: nothing acknowledged lost, the exact step."""
        process, before = self.process, self.process.last
        in_hand = before["hand"] is not None
        process.kill()
        before = process.last
        self.note("KILL")
        self.tally.kills += 1
        self.tally.kills_in_hand += in_hand
        self.spend(20)
        after = process.start(self.wall, self.mono)
        self.tally.acknowledged += before["row"]
        self.auditor.follow()
        since = self.auditor.between(before["head"], after["head"])
        self.tally.check(
            "heads after a kill",
            since is not None,
            f"event {before['row']} was acknowledged and is not there",
        )
        if since is not None and set(since) <= {"recovered", "identities_lost"}:
            self._same_place(before, after)
        self.take(after)

    def start_anew(self) -> None:
        """The console is shut down and opened again, as a dealer would."""
        before = self.process.last
        self.process.stop()
        self.spend(20)
        after = self.process.start(self.wall, self.mono)
        self._same_place(before, after)
        self.take(after)

    def _same_place(self, before: Standing, after: Standing) -> None:
        self.tally.check(
            "places after a restart",
            place(before) == place(after),
            f"came back elsewhere: {place(before)} and now {place(after)}",
        )

    # After a hand, after a day

    def audit_hand(self, play: HandPlay | None) -> None:
        """The log of what has just ended: sound, no card too many, the drop as it was taken."""
        new, check = self.auditor.fresh(), self.tally.check
        for _, kind, body in new:
            leaked = set(cards_in(body)) - self.face_up
            check(
                "events searched",
                not leaked or kind == "table_opened",
                f"{kind} names {len(leaked)} cards that did not lie face up",
            )
            if kind == "hand_ended":
                self.fees[0] += body["fee"]
                self.fees[1] += body["jackpot"]
                self.of_day += body["fee"]
            elif kind == "fee_returned":
                self.fees[0] -= body["amount"]
            elif kind == "shift_closed":
                check(
                    "boxes",
                    body["fees"] == self.fees[0],
                    f"the box closed with {body['fees']}, and {self.fees[0]} went in",
                )
            elif kind == "shift_opened":
                self.fees = [0, 0]
            elif kind == "clock_stepped":
                self.tally.clock_steps += 1
        check(
            "drops",
            self.said["fees"] == self.fees,
            f"the drop is {self.fees}, the console says {self.said['fees']}",
        )
        if self.disk.full and not self.ballast_seen:
            self.ballast_seen = not (self.data / "t7.ballast").exists()
            self.tally.ballast += self.ballast_seen
        if play is not None:
            self.drawn = set()
            play.compare([body for _, kind, body in new if kind == "hand_ended"])

    def close_day(self) -> None:
        if not self.floor.give("close"):
            raise Wrong("the table cannot be closed")
        if self.said["what"] != "closed":
            raise Wrong(f"the table was closed and asks for {self.said['what']}")
        self.process.stop()
        self.auditor.follow()
        self.tally.events += len(self.auditor.events)
        self.tally.day_changes += len(self.auditor.files) - 1
        verdict = verify(files_in(self.data))
        check = self.tally.check
        # A verdict on no events, or on others than those that were followed, is none.
        whole = verdict.events >= len(self.auditor.events) > 0
        said = "; ".join(damage_lines(verdict)) or f"{verdict.events} events were verified"
        check("days verified", verdict.sound and whole, said)
        found = total(hand for path in self.auditor.files for hand in hands_in(path))
        check(
            "days reported",
            found.fees == self.of_day,
            f"{self.of_day} went into the boxes, the report says {found.fees}",
        )
        log = (self.folder / "house.log").read_text(encoding="utf-8")
        check("logs searched", not SPELLED.search(log), "a card is named in the program's log")
        self.disk.release()
        self.tally.days += 1
        self.wall = self.mono = START + self.seed % 1000 + self.tally.days * DAY
        self.machines.mend()


def place(said: Standing) -> dict[str, Any]:
    """Where a table stands, without what a restart may change."""
    hand = said["hand"]
    kept = {name: said[name] for name in ("hands", "what", "who", "seat", "choices", "seats",
            "button", "killer", "fees", "dealer", "drawn", "decks_out", "devices_out")}  # fmt: skip
    return kept | {"hand": hand}


def campaign(
    folder: Path,
    hands: int,
    seed: int,
    *,
    a_day: int = 700,
    kills: float = 0.1,
    sabotage: str = "",
    show: bool = False,
) -> Tally:
    """Deals `hands` hands; raises Wrong at the first thing that must not be.

    `kills` is the chance of a SIGKILL in a hand; with `sabotage` the house is made to do wrong.
    """
    tally = Tally()
    soak = Soak(folder, seed, tally, kills=kills, sabotage=sabotage)
    began = time.monotonic()
    with soak.held:
        soak.held.callback(soak.machines.stop)
        soak.machines.start()
        try:
            _deal(soak, hands, a_day, began if show else None)
        except Wrong as wrong:
            recent = "\n  ".join(soak.recent)
            raise Wrong(f"{wrong}\nseed {seed}, hand {tally.hands}\n  {recent}") from wrong
        tally.faults = soak.machines.faults
    return tally


def _deal(soak: Soak, hands: int, a_day: int, shown_since: float | None) -> None:
    tally = soak.tally
    while tally.hands < hands:
        soak.open_day(tally.days)
        for number in range(min(a_day, hands - tally.hands)):
            soak.room.before_hand(number, a_day)
            HandPlay(soak, tally.hands).play()
            tally.hands += 1
            if shown_since is not None and not tally.hands % 10:
                pace = tally.hands / (time.monotonic() - shown_since)
                print(f"\rhand {tally.hands:,}, {tally.kills} kills, {pace:.1f} a second  ",
                      end="", file=sys.stderr)  # fmt: skip
        soak.close_day()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=5000)
    parser.add_argument("--a-day", type=int, default=700, help="hands of one gaming day")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 1_000_000)
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        try:
            tally = campaign(Path(name), given.hands, given.seed, a_day=given.a_day, show=True)
        except Wrong as wrong:
            print(f"\nWRONG: {wrong}")
            return 1
    print(f"\n{report(tally)}; {time.monotonic() - began:.0f} s; seed {given.seed}")
    if missing := tally.uncompared():
        print(f"NOT SHOWN, never compared: {', '.join(missing)}; deal more hands")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
