"""One hand of a soak: the cards as they truly fall, the chips as they truly move, the keys."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from scripts.campaigns.soak.dealer import action_keys, card_keys
from scripts.campaigns.soak.floor import way_back
from scripts.campaigns.soak.process import Wrong
from scripts.campaigns.truth import Felt, left_of

if TYPE_CHECKING:
    from scripts.campaigns.soak.campaign import Soak
    from scripts.campaigns.soak.process import Standing

BEATS = 6000
PATIENCE = 60


class HandPlay:
    def __init__(self, soak: Soak, number: int) -> None:
        self._soak = soak
        self._rng = random.Random(f"{soak.seed} hand {number}")
        rng = self._rng
        self._kill_at = {rng.randint(1, 90)} if rng.random() < soak.kills else set()
        self._fault_at = {rng.randint(1, 90)} if rng.random() < 0.2 else set()
        self._unread_at = {rng.randint(1, 60)} if rng.random() < 0.03 else set()
        self._ruling_at = rng.randint(1, 90) if rng.random() < 0.05 else -1
        self._undo = rng.random() < 0.06
        self._acts = 0
        self._waits = 0
        self._ended_by = ""
        self._told = 0
        """How many cards are out, by the console's last word."""
        self._tabled: dict[str, list[str]] = {}
        hand = soak.said["hand"]
        soak.face_up = set()
        self._number = soak.said["hands"]
        self._slots: list[list[Any]] = hand["slots"]
        self._check_slots(hand)
        seats = {int(seat): at for seat, at in hand["seats"].items()}
        self.felt = Felt(
            button=hand["button"],
            dealt=hand["dealt"],
            stacks={seat: at[0] for seat, at in seats.items()},
            put={seat: at[2] for seat, at in seats.items()},
            dead={seat: at[3] for seat, at in seats.items()},
            at_start={seat: at[0] + at[2] + at[3] for seat, at in seats.items()},
            folded={seat for seat, at in seats.items() if at[4]},
        )
        soak.tally.killed_pots += hand["killed"] is not None

    def _check_slots(self, hand: dict[str, Any]) -> None:
        """The cards go round from the button's left, then burn and board."""
        order = left_of(hand["button"], hand["dealt"])
        hole = self._soak.profile.game.hole_cards
        expected = [["hole", seat] for _ in range(hole) for seat in order]
        if self._slots[: len(expected)] != expected:
            raise Wrong("the cards do not go round from the button's left")
        kinds = [kind for kind, _ in self._slots[len(expected) :]]
        if kinds != ["burn", *["flop"] * 3, "burn", "turn", "burn", "river"]:
            raise Wrong(f"after the hole cards come {kinds}")

    # The cards

    @property
    def _out(self) -> list[str]:
        return self._soak.machines.out

    def _hole(self) -> dict[int, list[str]]:
        held: dict[int, list[str]] = {}
        for (kind, seat), card in zip(self._slots, self._out, strict=False):
            if kind == "hole":
                held.setdefault(seat, []).append(card)
        return held

    def _board(self) -> list[str]:
        pairs = zip(self._slots, self._out, strict=False)
        return [card for (kind, _), card in pairs if kind in ("flop", "turn", "river")]

    def _upto(self, street: str) -> int:
        """How many cards are out when a street is."""
        return max(at for at, (kind, _) in enumerate(self._slots) if kind == street) + 1

    def _pass(self, *, read: bool = True) -> None:
        """The next card leaves the shoe; one that is turned up is seen by all."""
        machines = self._soak.machines
        if self._slots[len(self._out)][0] not in ("hole", "burn"):
            self._soak.face_up.add(machines.left[0])
        if read:
            machines.pass_card()
        else:
            machines.pass_unread()

    # The hand

    def play(self) -> None:
        soak = self._soak
        for beat in range(BEATS):
            said = soak.said
            if said["hand"] is None or said["hands"] != self._number:
                break
            self._check(said)
            soak.machines.beat()
            if beat in self._fault_at:
                soak.note(soak.machines.strike(self._rng, in_hand=True))
            if beat in self._kill_at:
                self._kill(said)
                continue
            if beat == self._ruling_at and said["mode"] == "AtTable" and self._rule(said):
                continue
            self._next(said, beat)
        else:
            raise Wrong(f"the hand does not end: {soak.said['title']}, {soak.said['alarm']}")
        if soak.said["hand"] is not None:
            raise Wrong("another hand has begun")
        soak.tally.tabled += len(self._tabled)
        soak.audit_hand(self)

    def _check(self, said: Standing) -> None:
        """Chips and cards on the screen are those on the felt."""
        hand, check = said["hand"], self._soak.tally.check
        check(
            "chips",
            self._agrees(self.felt, hand),
            f"the chips are {hand['seats']}, on the felt {self.felt}",
        )
        self._told = hand["out"]
        check(
            "cards out",
            self._told <= len(self._out),
            f"{self._told} cards are told and {len(self._out)} were dealt",
        )
        shown = hand["board"] + hand["turned"]
        if shown:
            same = shown == self._board()[: len(shown)]
            check("boards", same, "the board is another than the one on the felt")
        self._tabled = hand["tabled"]
        for seat, cards in self._tabled.items():
            check(
                "hands tabled",
                sorted(cards) == sorted(self._hole()[int(seat)]),
                f"seat {seat} tabled other cards than it was dealt",
            )
        if said["what"] == "act" and hand["street"] != "preflop":
            self._check_turn(said)

    def _agrees(self, felt: Felt, hand: dict[str, Any]) -> bool:
        if hand["phase"] not in ("DEAL", "BETTING"):
            felt = deepcopy(felt)
            felt.give_back_uncalled()
        return all(
            [felt.stacks[int(seat)], felt.put[int(seat)], int(seat) in felt.folded]
            == [at[0], at[2], at[4]]
            for seat, at in hand["seats"].items()
        )

    def _check_turn(self, said: Standing) -> None:
        """After the flop the first live seat at the button's left begins."""
        hand, felt = said["hand"], self.felt
        bets = {int(seat): at[1] for seat, at in hand["seats"].items()}
        if any(bets.values()) or self._acts:
            return
        able = [seat for seat in left_of(felt.button, felt.live()) if felt.stacks[seat]]
        if said["seat"] != able[0]:
            raise Wrong(f"seat {able[0]} begins, and the console asks seat {said['seat']}")

    def _next(self, said: Standing, beat: int) -> None:
        soak = self._soak
        match said["mode"]:
            case "AtTable":
                self._step(said, beat)
            case "LogStop":
                soak.tally.log_stopped += 1
                soak.disk.free()
                soak.press(["enter"], 60)
            case "Recovered" | "RemedySteps" | "Reading":
                soak.press(["enter"], 10)
            case other:
                soak.press([way_back(other)])

    def _step(self, said: Standing, beat: int) -> None:
        match said["what"]:
            case "deal":
                self._deal(said, beat)
            case "flop" | "turn" | "river":
                self._acts = 0
                self._turn_up(said, said["what"], beat)
            case "act":
                self._act(said)
            case "show":
                self._show(said)
            case "push":
                self._soak.press(["0"], 4)
            case "check_cards":
                behind = said["hand"]["out"] < len(self._out)
                self._soak.press(["+"] if behind and "+" in said["caps"] else ["enter"], 8)
            case "rule_on_card":
                if not self._soak.floor.give("playon"):
                    raise Wrong(f"the floor cannot let the hand go on: {said['title']}")
            case what:
                raise Wrong(f"inside a hand the console asks for {what}")

    # Dealing

    def _in_flight(self, said: Standing) -> bool:
        """Whether a card has left the shoe that the console may still hear of."""
        out: int = said["hand"]["out"]
        return out < len(self._out)

    def _patient(self) -> bool:
        self._waits += 1
        if self._waits > PATIENCE:
            self._waits = 0
            return False
        return True

    def _deal(self, said: Standing, beat: int) -> None:
        soak = self._soak
        whole = len(self.felt.dealt) * soak.profile.game.hole_cards
        if said["shoe_deals"]:
            if not self._in_flight(said):
                self._waits = 0
                self._pass(read=beat not in self._unread_at)
                soak.spend(0.7)
                soak.look(0.4)
                return
            if self._patient():
                soak.look(0.05)
                return
        elif not said["by_hand"] and self._patient():
            soak.look(0.05)
            return
        while len(self._out) < whole:
            self._pass()
        asked = soak.press(["0"], 25)
        if asked["mode"] == "Sure":
            soak.press(["+"], 2)

    def _turn_up(self, said: Standing, street: str, beat: int) -> None:
        soak, hand = self._soak, said["hand"]
        if said["shoe_deals"] and "TYPE CARDS" in said["labels"]:
            if not self._in_flight(said):
                self._waits = 0
                self._pass(read=beat not in self._unread_at)
                soak.spend(1.5)
                soak.look(0.4)
                return
            if self._patient():
                soak.look(0.05)
            else:
                soak.press(["0"])
            return
        if not said["by_hand"] and not said["shoe_deals"] and self._patient():
            soak.look(0.05)
            return
        while len(self._out) < self._upto(street):
            self._pass()
        known = len(hand["board"]) + len(hand["turned"]) + len(said["keyed"])
        whole = known == len(self._board())
        soak.press(["0"] if whole else card_keys(self._board()[known]), 2)

    # Betting and showing

    def _act(self, said: Standing) -> None:
        soak, seat = self._soak, said["seat"]
        rng = random.Random(f"{soak.seed} {self._number} {soak.tally.hands} {said['row']}")
        word, to = soak.room.temper(seat).choose(said["choices"], self._rng)
        self._acts += 1
        if self._undo and rng.random() < 0.3 and "+" in said["caps"]:
            self._undo = False
            self._send_action(said, seat, "fold", None)
            if soak.said["hand"] is not None and soak.said["hand"]["undoable"]:
                self._take_back()
            return
        self._send_action(said, seat, word, to)

    def _after(self, said: Standing, seat: int, word: str, to: int | None) -> Felt:
        """The felt once the player has acted."""
        felt = deepcopy(self.felt)
        bet = said["hand"]["seats"][str(seat)][1]
        pays = 0
        if word == "call":
            pays = said["choices"]["call"][0]
        elif word in ("raise", "bet", "allin"):
            pays = (to or 0) - bet
        felt.act(seat, pays, folds=word == "fold")
        if not felt.stacks[seat] and pays:
            self._soak.tally.all_ins += 1
        return felt

    def _send_action(self, said: Standing, seat: int, word: str, to: int | None) -> None:
        choices = said["choices"]
        if word == "allin" and not self._star_is_all_in(choices):
            word, to = "call" if "call" in choices else "check", None
        after = self._after(said, seat, word, to)
        sized = choices.get("raise") or choices.get("bet")
        keys = action_keys(word, to, sized, filled=True)
        self._soak.press(keys, self._rng.uniform(1.5, 9))
        self._settle(after)

    @staticmethod
    def _star_is_all_in(choices: dict[str, Any]) -> bool:
        """Whether `*` fills in all the chips, as it does where no more can be bet."""
        sized = choices.get("raise") or choices.get("bet")
        return sized is None or sized[1] == choices["allin"][0]

    def _settle(self, *after: Felt) -> None:
        """What was keyed has happened, or it has not; there is no third."""
        hand = self._soak.said["hand"]
        if hand is None:
            return
        found = [felt for felt in (*after, self.felt) if self._agrees(felt, hand)]
        if not found:
            raise Wrong(f"after an action the chips are {hand['seats']}, should be {after[0]}")
        self.felt = found[0]

    def _take_back(self) -> None:
        """What was keyed wrong is taken back, as a dealer does."""
        soak = self._soak
        soak.press(["."], 2)
        if soak.said["mode"] != "Sure":
            return
        before = deepcopy(self.felt)
        before.take_back()
        soak.press(["+"], 2)
        self._settle(before)
        soak.tally.undone += self.felt is before

    def _show(self, said: Standing) -> None:
        soak, seat = self._soak, said["seat"]
        mucks = "muck" in said["choices"] and self._rng.random() < soak.room.temper(seat).mucks
        if said["keyed"] or said["title"].startswith("CARDS SEAT"):
            cards = self._hole()[seat]
            soak.face_up |= set(cards)
            soak.press(card_keys(cards[len(said["keyed"])]))
        elif mucks:
            soak.press(["-"], 4)
            hand = soak.said["hand"]
            if hand is not None and seat in hand["mucked"]:
                self.felt.mucked.append(seat)
        elif said["can_read"]:
            soak.face_up |= set(self._hole()[seat])
            soak.press(["enter"], 4)
        else:
            soak.press(["+"], 2)

    # What goes wrong

    def _kill(self, said: Standing) -> None:
        """At rest, with a key on its way, or with a card on its way."""
        soak = self._soak
        how = self._rng.choice(("rest", "key", "card"))
        if how == "key" and said["what"] == "act" and said["mode"] == "AtTable":
            word = "check" if "check" in said["choices"] else "call"
            after = self._after(said, said["seat"], word, None)
            self._acts += 1
            soak.process.send(["enter"], soak.wall, soak.mono)
            soak.process.until(lambda new: False, self._rng.random() * 0.006)
            soak.kill()
            self._settle(after)
            return
        dealing = said["what"] in ("deal", "flop", "turn", "river") and said["shoe_deals"]
        if how == "card" and dealing and said["mode"] == "AtTable" and not self._in_flight(said):
            self._pass()
            soak.process.until(lambda new: False, self._rng.random() * 0.006)
        soak.kill()

    def _rule(self, said: Standing) -> bool:
        """A ruling that changes the felt, or the hand; whether it was given."""
        soak, felt = self._soak, self.felt
        kind = self._rng.choice(("misdeal", "void", "dead", "waive", "clock"))
        if kind == "dead":
            live = felt.live()
            if len(live) < 3 or said["what"] not in ("act", "flop", "turn", "river"):
                return False
            seat = self._rng.choice(live)
            after, uncalled = deepcopy(felt), deepcopy(felt)
            uncalled.give_back_uncalled()  # a raise that nobody has called is taken off
            after.folded.add(seat)
            uncalled.folded.add(seat)
            if not soak.floor.give("dead", str(seat)):
                return False
            self._settle(after, uncalled)
            return True
        if kind == "clock":
            return said["what"] == "act" and soak.floor.give("clock", str(said["seat"]))
        given = soak.floor.give(kind)
        if given and kind in ("misdeal", "void"):
            self._ended_by = kind
        felt.waived |= given and kind == "waive"
        return given

    # The result

    def compare(self, ended: list[dict[str, Any]]) -> None:
        """The awards, the fee and every stack, against the soak's own."""
        if len(ended) != 1:
            raise Wrong(f"{len(ended)} hands have ended at once")
        result, felt, soak = ended[0], self.felt, self._soak
        soak.tally.showdowns += result["outcome"] == "showdown"
        stacks = {int(seat): at[0] for seat, at in soak.said["seats"].items()}
        if result["outcome"] in ("misdeal", "void"):
            if self._ended_by != result["outcome"]:
                raise Wrong(f"the hand ended as {result['outcome']} and nobody has ruled so")
            expected = felt.at_start
        else:
            taken = result["fee"] + result["jackpot"]
            bracket = next((limit for limit in soak.profile.limits if limit.id == soak.limit), None)
            due = bracket.bracket(len(felt.dealt)) if bracket is not None else None
            not_due = taken and (felt.waived or due is None or taken > due.fee + due.jackpot)
            soak.tally.check("fees", not not_due, "a fee was taken that was not due")
            if not taken and due is not None and not felt.waived and len(self._board()) >= 3:
                felt.give_back_uncalled()
                paying = felt.dropped_from(soak.profile, due.fee)
                if felt.pots()[paying][0] > due.fee:
                    raise Wrong("a fee was due and not taken")
            awards = felt.awards(soak.profile, taken, self._board(), self._hole())
            told = {int(seat): cents for seat, cents in result["awards"].items()}
            soak.tally.check(
                "awards",
                awards == told,
                f"awards {told}, by the soak's own count {awards}; {felt}",
            )
            soak.tally.dealt += len(self._out)
            soak.tally.accounted += self._told
            soak.tally.check(
                "cards of a hand",
                self._told == len(self._out),
                f"{len(self._out)} cards were dealt, and the console knew of {self._told}",
            )
            expected = {seat: felt.stacks[seat] + awards.get(seat, 0) for seat in felt.dealt}
            board = result["board"]
            same = board == self._board()[: len(board)]
            soak.tally.check("boards", same, "the board of the result is not the one on the felt")
        wrong = {seat: cents for seat, cents in expected.items() if stacks.get(seat) != cents}
        soak.tally.check("stacks", not wrong, f"stacks {stacks}, on the felt {wrong}")
        invested = sum(result["invested"].values())
        if invested != sum(result["awards"].values()) + result["fee"] + result["jackpot"]:
            raise Wrong("what went in is not what came out")
