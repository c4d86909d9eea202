"""Between the hands of a soak: who comes, goes, buys, who deals, and what the day brings once."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from scripts.campaigns.soak.dealer import Temper, card_keys
from scripts.campaigns.soak.floor import way_back
from scripts.campaigns.soak.process import Wrong

if TYPE_CHECKING:
    from scripts.campaigns.soak.campaign import Soak
    from scripts.campaigns.soak.process import Standing

BEATS = 4000
BACKS = ("red", "blue")
PATIENCE = 40
"""Looks at a machine that does not answer, before the dealer goes on without it."""


class Room:
    def __init__(self, soak: Soak) -> None:
        self._soak = soak
        self._tempers: dict[int, Temper] = {}
        self._shuffled = self._taken = -1
        self._waits = 0
        self._drawing = False
        self._dealer = 100
        self._shifts = 0
        rng = soak.rng
        self._step_at, self._fill_at = rng.random() * 0.8, 0.1 + rng.random() * 0.8

    def temper(self, seat: int) -> Temper:
        rng = random.Random(f"{self._soak.seed} {seat} {self._soak.tally.days}")
        return self._tempers.setdefault(seat, Temper(rng))

    def before_hand(self, number: int, a_day: int) -> None:
        """Everything up to a hand that has begun."""
        soak = self._soak
        rng = random.Random(f"{soak.seed} room {soak.tally.hands}")
        if number == int(self._step_at * a_day):
            soak.wall += rng.choice((-3600.0, -7.5, 5.0, 1800.0))
        fill = number == int(self._fill_at * a_day)
        soak.said = soak.look(0.0)
        self._people(rng, first=number == 0)
        if number % max(a_day // 3, 1) == 0:
            self._new_boxes(number)
        if number % 17 == 0:
            self._dealer += 1
            soak.press(["/", "+", *str(self._dealer), "enter"], 20)
            if soak.said["dealer"] != f"D{self._dealer}":
                raise Wrong("the next dealer was not taken")
            if soak.said["mode"] == "Handover":
                soak.press(["."])
        self._ruling(rng)
        kill_at = rng.randint(0, 8) if rng.random() < soak.kills / 2 else -1
        fault_at = rng.randint(0, 8) if rng.random() < 0.1 else -1
        for beat in range(BEATS):
            said = soak.said
            if said["hand"] is not None:
                if fill:
                    self._fill()
                return
            soak.machines.beat()
            if beat == fault_at:
                soak.note(soak.machines.strike(rng, in_hand=False))
            if beat == kill_at:
                soak.kill()
                continue
            self._next(said, rng)
        raise Wrong(f"no hand begins: {soak.said['title']}, {soak.said['alarm']}")

    def _new_boxes(self, number: int) -> None:
        """A shift begins: the old boxes are counted, the new ones are empty."""
        soak = self._soak
        keys = ["/", "+", "*", str(1 + self._shifts % 3), *str(100 + number), "enter"]
        soak.press(keys, 30)
        if soak.said["mode"] == "LogStop" and soak.disk.full:
            # Nothing was recorded of the shift: it is opened once there is room again.
            soak.tally.log_stopped += 1
            soak.disk.free()
            soak.press(["enter"], 60)
            if soak.said["mode"] == "Recovered":
                soak.press(["enter"])
            soak.press(keys, 30)
        self._shifts += 1
        if soak.said["mode"] == "Slips":  # of the shift before
            soak.press(["."])
        if soak.said["mode"] != "AtTable":
            raise Wrong(f"the new boxes were not taken: {soak.said['mode']}, {soak.said['title']}")
        soak.audit_hand(None)

    def _fill(self) -> None:
        """The disk fills inside a hand: what happens then is the hand's to deal with."""
        self._soak.start_anew()  # so that the log has no room left over from before
        self._soak.note(f"DISK FULL by {self._soak.disk.fill(self._soak.process.pid)}")
        self._soak.tally.disk_full += 1
        self._soak.ballast_seen = False

    def _next(self, said: Standing, rng: random.Random) -> None:
        soak = self._soak
        if said["mode"] in ("Recovered", "RemedySteps", "Reading"):
            soak.press(["enter"])
            return
        if said["mode"] == "LogStop":
            soak.disk.free()
            soak.press(["enter"], 60)
            return
        if said["mode"] != "AtTable":
            soak.press([way_back(said["mode"])])
            return
        match said["what"]:
            case "seat":
                self._sit(rng)
            case "draw":
                self._draw(said, rng)
            case "button":
                soak.press([*str(min(map(int, said["seats"]))), "enter"])
            case "deck":
                self._deck(said)
            case "cut" | "hand":
                self._start(said, rng)
            case "nohand":
                soak.floor.give("nohand", min(said["seats"], key=int))
            case what:
                raise Wrong(f"between hands the console asks for {what}")

    def _start(self, said: Standing, rng: random.Random) -> None:
        soak = self._soak
        hands = said["hands"]
        if said["what"] == "hand":
            soak.audit_hand(None)
            soak.machines.load(rng)
        if soak.disk.full and said["what"] == "hand":
            # The console must not begin a hand that it may not be able to keep. Where only the
            # size of a file is limited there may be room, and the hand is dealt from this deck.
            after = soak.press(["+"], 5)
            if after["hands"] != hands and soak.disk.real:
                raise Wrong("a hand was begun on a full disk")
            soak.tally.hands_refused += after["hands"] == hands
            soak.disk.free()
            return
        soak.press(["+"] if said["what"] == "hand" else ["enter"], rng.uniform(2, 12))

    def _draw(self, said: Standing, rng: random.Random) -> None:
        """One card to each seat, face up, for the button."""
        soak, machines = self._soak, self._soak.machines
        if "DRAW" in said["title"]:
            soak.press(["enter"], 20)
            return
        if not self._drawing:
            self._drawing = True
            soak.face_up = set()
            machines.load(rng)
        soak.face_up |= set(machines.out)
        soak.drawn = soak.face_up
        if len(said["drawn"]) > len(machines.out):
            raise Wrong("a card of the draw came twice")
        if said["shoe_deals"] and len(said["drawn"]) == len(machines.out):
            soak.face_up.add(machines.left[0])
            machines.pass_card()
            soak.look(0.5)
        elif said["shoe_deals"] and self._patient():
            soak.look(0.05)
        else:
            if len(said["drawn"]) == len(machines.out):
                soak.face_up.add(machines.left[0])
                machines.pass_card()
            soak.press(card_keys(machines.out[len(said["drawn"])]))

    def _patient(self) -> bool:
        self._waits += 1
        if self._waits > PATIENCE:
            self._waits = 0
            return False
        return True

    def _deck(self, said: Standing) -> None:
        """The shuffler's deck is taken; without the shuffler the dealer shuffles."""
        soak, coming = self._soak, said["hands"] + 1
        self._drawing = False
        usable, doing = said["shuffler"]
        usable = usable and "shuffler" not in said["devices_out"]
        if said["decks_out"] and soak.floor.give("deck", said["decks_out"][0]):
            return
        if said["deck_goes_back"]:
            self._shuffled = self._taken = -1
        if usable and self._shuffled != coming:
            self._shuffled = coming
            back = next((b for b in (BACKS[coming % 2], *BACKS) if b not in said["decks_out"]), "")
            soak.machines.shuffler.shuffle(back)
            soak.look(0.3)
        elif usable and doing.startswith("deck ready") and self._taken != coming:
            self._taken = coming
            soak.machines.shuffler.take()
            soak.look(0.3)
        elif usable and self._patient():
            soak.look(0.03)
        elif "-" in said["caps"] or "ENTER" in said["caps"]:
            soak.press(["-"] if "-" in said["caps"] else ["enter"], 60)
        elif not soak.floor.give("device", "shuffler"):
            raise Wrong("a table that needs a machine cannot be dealt without it")

    # People

    def _people(self, rng: random.Random, *, first: bool) -> None:
        soak = self._soak
        if soak.said["title"] == "SAME PLAYERS?":
            soak.press(["-"])  # the day before was closed: other people come
        if first:
            for _ in range(rng.randint(6, 8)):
                self._sit(rng)
        for seat, (stack, away, settled, posting) in sorted(soak.said["seats"].items()):
            roll = rng.random()
            if stack == 0 and roll < 0.7:
                self._at(seat, [*str(rng.choice((80, 120, 200, 400))), "+", "enter"], "bought")
            elif (stack == 0 or roll < 0.01) and len(soak.said["seats"]) > 3:
                self._at(seat, ["/", "+"], "left")
            elif away and roll < 0.3:
                self._at(seat, ["-", "enter"], "back")
            elif roll < 0.02 and not away:
                self._at(seat, ["-", "enter"], "away")
            elif not settled and not posting and roll < 0.4:
                self._at(seat, ["*", "enter"], "posts")
            elif roll > 0.995:
                self._move(seat, rng)
        if len(soak.said["seats"]) < 5 or rng.random() < 0.06:
            self._sit(rng)

    def _at(self, seat: str, keys: list[str], what: str) -> None:
        """Opens a seat, presses keys there, and comes back to the table."""
        soak = self._soak
        soak.press([*seat, "enter"], 3)
        if soak.said["mode"] == "SeatMenu":
            soak.press(keys, 3)
            soak.tally.comings[what] += 1
        for _ in range(4):
            if soak.said["mode"] not in ("SeatMenu", "Sure"):
                return
            soak.press(["."])

    def _sit(self, rng: random.Random) -> None:
        seats = self._soak.said["seats"]
        free = [n for n in range(1, self._soak.profile.seats.max + 1) if str(n) not in seats]
        if free:
            chips = rng.choice((40, 60, 100, 150, 200, 300, 800))
            seat = rng.choice(free)
            self._tempers.pop(seat, None)
            self._at(str(seat), [*str(chips), "+"], "sat")

    def _move(self, seat: str, rng: random.Random) -> None:
        seats = self._soak.said["seats"]
        free = [n for n in range(1, self._soak.profile.seats.max + 1) if str(n) not in seats]
        if free:
            self._at(seat, [*str(rng.choice(free)), "/"], "moved")

    def _ruling(self, rng: random.Random) -> None:
        soak, roll = self._soak, rng.random()
        tracked = sorted(seat for seat, at in soak.said["seats"].items() if at[0])
        before = {seat: at[0] for seat, at in soak.said["seats"].items()}
        if roll < 0.008 and len(tracked) > 1:
            giver, taker = rng.sample(tracked, 2)
            if soak.floor.give("stack", giver, taker, "2"):
                before[giver] -= 200
                before[taker] += 200
        elif roll < 0.012 and tracked and soak.said["hands"]:
            hand, seat = str(soak.said["hands"]), rng.choice(tracked)
            if soak.floor.give("refund", hand, seat, "1"):
                before[seat] += 100
        elif roll < 0.016:
            soak.floor.give("device", rng.choice(("shoe", "shuffler")))
        elif soak.said["devices_out"] and roll < 0.3:
            soak.floor.give("restore", soak.said["devices_out"][0])
        if before != {seat: at[0] for seat, at in soak.said["seats"].items()}:
            raise Wrong("a ruling moved other chips than it said")
