"""The console of a soak, in a process of its own that may be killed at any moment.

It is the real app without a terminal: the session on its journal, the supervisors on their ports,
the console and the screen. Keys come in as lines of JSON, with the time of the soak's clock; after
every key and every report of a device it says how the table stands.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.supervisor import Supervisor

from omaha_table.dealer.console import Console
from omaha_table.dealer.screen.app import ConsoleApp
from omaha_table.dealer.screen.drawing import draw
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.writer import Clock
from omaha_table.log import set_up_log
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.devices import Devices
from scripts.campaigns.soak.sabotage import sabotage
from tests.dealer.inside import keyed
from tests.session.inside import writer_of
from tests.staff_files import without_dealers

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.hand import HandState

SPELLED = re.compile(r"(?<![A-Za-z0-9])(?:10|[2-9TJQKA])[cdhs♣♦♥♠](?![A-Za-z0-9])")
_SIGNS = str.maketrans("♣♦♥♠", "cdhs")
FAILED = 70


class Told(ConsoleApp):
    """The console, which says how it stands after everything that happens."""

    def __init__(self, console: Console, attend: Callable[[ConsoleApp], None], told: int) -> None:
        super().__init__(console, attend=attend)
        self._told = told
        self.number = 0
        """Of the last line of keys that was carried out."""

    def guard(self, act: Callable[[], object]) -> None:
        super().guard(act)
        self.tell()

    def tell(self) -> None:
        if self.crash:
            said: dict[str, Any] = {"error": type(self.crash).__name__}
        else:
            said = standing(self.dealer) | {"painted": self._is_painted()}
        line = json.dumps(said | {"n": self.number}).encode() + b"\n"
        while line:
            line = line[os.write(self._told, line) :]

    def _is_painted(self) -> bool | None:
        """Whether the rows on the screen are those that are due; None before the first."""
        width, height = self._area.size
        if not width or not height:
            return None
        due = draw(self.dealer.view(), width, height).text().splitlines()
        rows = [self._area.render_line(y).text.rstrip() for y in range(height)]
        return rows[: len(due)] == due


class Keys:
    """Lines of keys from the soak, pressed as they come; and the clock that they bring."""

    def __init__(self, clock: dict[str, float]) -> None:
        self._clock = clock
        self._rest = b""
        self._pressed = 0.0

    def attend(self, app: ConsoleApp) -> None:
        assert isinstance(app, Told)
        asyncio.get_running_loop().add_reader(0, lambda: self._read(app))
        app.tell()

    def _read(self, app: Told) -> None:
        data = os.read(0, 65536)
        if not data:
            app.exit()
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            asked = json.loads(line)
            self._clock.update(wall=asked["wall"], mono=asked["mono"])
            app.number = asked["n"]
            app.guard(lambda keys=asked["keys"]: self._press(app.dealer, keys))  # type: ignore[misc]

    def _press(self, console: Console, keys: list[str]) -> None:
        for key in keys:
            self._pressed += 1.0
            began = time.monotonic()
            console.press(key, self._pressed)
            # The next key comes after the answer, however slow the machine is.
            self._pressed += time.monotonic() - began


def standing(console: Console) -> dict[str, Any]:
    """How the table stands, for the soak to compare with its own."""
    session = console.session
    state, step, view = session.state, session.step, console.view()
    screen = draw(replace(view, log=()), 80, 24).text()
    devices = console.devices
    prompt = console.prompt
    journal = writer_of(session)
    assert devices is not None
    return {
        "seq": state.seq,
        "row": journal.seq,
        "head": journal.head.hex(),
        "hands": state.hands,
        "mode": type(console.model.mode).__name__,
        "title": prompt.title,
        "caps": [key.cap for key in prompt.keys],
        "labels": [key.label for key in prompt.keys],
        "page": [] if prompt.page is None else list(prompt.page.lines),
        "alarm": view.alarm.text,
        "what": step.what,
        "who": step.who,
        "seat": step.seat,
        "choices": {c.word: [c.least, c.most] for c in step.choices},
        "seats": {
            seat: [at.stack, at.away, at.settled, at.posting] for seat, at in state.seats.items()
        },
        "button": state.button,
        "killer": state.killer,
        "fees": [state.box.fees, state.box.jackpots],
        "dealer": None if state.down is None else state.down.dealer,
        "drawn": [card.text for card in state.drawn.values()],
        "decks_out": sorted(state.decks_out),
        "deck_goes_back": state.machine.stage == "again"
        if state.machine is not None
        else state.deck == "unverified",
        "devices_out": sorted(state.devices_out),
        "to_pick_up": session.to_pick_up,
        "hand": None if state.hand is None else _hand(state.hand),
        "can_read": step.what == "show" and step.seat is not None and session.can_read(step.seat),
        "shoe_deals": devices.shoe_deals,
        "shoe": [devices.devices["shoe"].usable, devices.devices["shoe"].doing],
        "shuffler": [devices.devices["shuffler"].usable, devices.devices["shuffler"].doing],
        "by_hand": devices.by_hand,
        "keyed": list(keyed(console)),
        "spelled": sorted({text.translate(_SIGNS) for text in SPELLED.findall(screen)}),
        "log": next(iter(view.log), ""),
        "recovered": session.recovered,
    }


def _hand(hand: HandState) -> dict[str, Any]:
    return {
        "seats": {
            seat: [at.stack, at.bet, at.put_in, at.dead, at.folded]
            for seat, at in hand.seats.items()
        },
        "dealt": list(hand.setup.dealt),
        "button": hand.setup.button,
        "slots": [[slot.kind, slot.seat] for slot in hand.setup.slots],
        "street": hand.street.word,
        "price": hand.price,
        "out": hand.cards_out,
        "next": hand.next_slot,
        "burned": hand.burned,
        "board": [card.text for card in hand.board],
        "turned": [card.text for card in hand.turned],
        "tabled": {seat: [c.text for c in cards] for seat, cards in hand.tabled.items()},
        "mucked": list(hand.mucked),
        "trouble": hand.trouble,
        "undoable": hand.undoable,
        "killed": hand.setup.started.killer,
        "phase": hand.phase.name,
    }


def main() -> int:
    given = json.loads(sys.argv[1])
    if given["sabotage"]:
        sabotage(given["sabotage"])
    folder = Path(given["folder"])
    set_up_log(file=folder.parent / "house.log", on_terminal=False)
    clock = {"wall": given["wall"], "mono": given["mono"]}
    profile = load_profile(given["rules"])
    limit = profile.limit(given["limit"])
    assert limit is not None

    def open_session() -> Session:
        return Session.on_journal(
            folder,
            "t7",
            profile,
            limit,
            without_dealers(),
            mirror=folder.parent / "mirror",
            office=X25519PublicKey.from_public_bytes(bytes.fromhex(given["office"])),
            clock=Clock(lambda: clock["wall"], lambda: clock["mono"]),
            deck_required=True,
        )

    settings = [
        DeviceSettings(name, name, "tdp", given["ports"][name], serial=given["serials"][name])
        for name in ("shuffler", "shoe")
    ]
    try:
        session = open_session()
    except JournalFault as fault:
        os.write(given["told"], json.dumps({"error": fault.message, "n": 0}).encode() + b"\n")
        return FAILED
    console = Console(session, Devices(session, settings), title="T7", wall=lambda: clock["wall"])
    console.reopen = open_session
    app = Told(console, Keys(clock).attend, given["told"])
    # Every answer must be there when the keys are done: the soak reads how the table stands then.
    console.in_background = lambda work, done: done(work())
    supervisors = [
        Supervisor(s, app.hear, resume_token=session.resume_token(s.name)) for s in settings
    ]
    for supervisor in supervisors:
        supervisor.start()
    app.run(mouse=False, headless=True, size=(80, 24))
    for supervisor in supervisors:
        supervisor.stop()
    console.session.close()
    return FAILED if app.crash is not None else 0


if __name__ == "__main__":
    sys.exit(main())
