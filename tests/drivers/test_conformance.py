"""The shipped adapters pass every check; adapters with a mistake fail the one that is for it."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from omaha_drivers import events as e
from omaha_drivers.adapter import Actions, Adapter, Emitted
from omaha_drivers.conformance import CHECKS, Check, Trial, try_one
from omaha_drivers.sealed import reveal
from omaha_drivers.tdp import Tdp
from omaha_drivers.tdp_masking import TdpMasking

from tests.drivers import trials

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.recording.masking import CardMask, Masking
    from omaha_drivers.settings import DeviceSettings

TRIALS = [trials.Shoe, trials.ShoeWithKey, trials.Shuffler, trials.AngelEye]
NAMES = [check.name for check in CHECKS]


@pytest.mark.parametrize("check", CHECKS, ids=NAMES)
@pytest.mark.parametrize("trial", TRIALS, ids=lambda one: one.__name__)
def test_the_shipped_adapters_pass(trial: type[Trial], check: Check) -> None:
    outcome = try_one(trial(), check)
    assert outcome.result != "failed", outcome.why


def test_only_what_is_promised_is_asked() -> None:
    asked = {
        trial.__name__: {c.name for c in CHECKS if try_one(trial(), c).result == "not promised"}
        for trial in TRIALS
    }
    assert asked == {
        "Shoe": {"every card has its place"},
        "ShoeWithKey": {"every card has its place"},
        "Shuffler": {
            "no card in any text",
            "count_only keeps no card",
            "every card has its place",
            "no card in a recording, and another permutation for each deck",
        },
        "AngelEye": {
            "a power cycle is reported",
            "silence is reported, and its end",
            "a host that restarts goes on where it was",
            "every card has its place",
        },
    }


# Adapters with a mistake


class Changed(Tdp):
    """A correct adapter whose actions a test changes."""

    def feed(self, data: bytes, now: float) -> Actions:
        return self.change(super().feed(data, now))

    def change(self, actions: Actions) -> Actions:
        return actions


def cards_of(actions: Actions) -> list[str]:
    found = [one.event for one in actions.events if isinstance(one.event, e.CardDrawn)]
    return [reveal(event.card) for event in found if event.card is not None]


class WarnsOfCards(Changed):
    def change(self, actions: Actions) -> Actions:
        told = tuple(Emitted(e.DeviceWarning(f"drew {card}")) for card in cards_of(actions))
        return replace(actions, events=(*actions.events, *told))


class LogsCards(Changed):
    def change(self, actions: Actions) -> Actions:
        for card in cards_of(actions):
            logging.getLogger("vendor").debug("drew %s", card)
        return actions


class PrintsCards(Changed):
    def change(self, actions: Actions) -> Actions:
        for card in cards_of(actions):
            print(card)
        return actions


class LogsFrames(Tdp):
    def feed(self, data: bytes, now: float) -> Actions:
        logging.getLogger("vendor").debug("received %s", data.hex(" ").replace(" ", ""))
        return super().feed(data, now)


class CountsCards(Changed):
    drawn: dict[str, int]

    def change(self, actions: Actions) -> Actions:
        self.drawn = {**getattr(self, "drawn", {}), **dict.fromkeys(cards_of(actions), 1)}
        return actions

    def counters(self) -> dict[str, int]:
        return getattr(self, "drawn", {})


class KeepsCardsInTokens(Changed):
    def change(self, actions: Actions) -> Actions:
        cards = cards_of(actions)
        token = f"after {cards[-1]}" if cards else ""
        return replace(actions, events=tuple(Emitted(x.event, token) for x in actions.events))


class ShowsCards(Changed):
    last = ""

    def change(self, actions: Actions) -> Actions:
        self.last = (cards_of(actions) or [self.last])[-1]
        return actions

    def __repr__(self) -> str:
        return f"ShowsCards({self.last})"


class KeepsCardsAnyway(Tdp):
    def __init__(self, settings: DeviceSettings, token: str = "") -> None:
        super().__init__(replace(settings, identities="sealed"), token)


@pytest.mark.parametrize(
    ("adapter", "leak"),
    [
        (WarnsOfCards, "a card is in what it says"),
        (LogsCards, "a card is in what it says"),
        (PrintsCards, "a card is in what it says"),
        (LogsFrames, "a frame as it was received is in what it says"),
        (CountsCards, "a card is in what it says"),
        (KeepsCardsInTokens, "a card is in what it says"),
        (ShowsCards, "a card is in what it says"),
    ],
)
def test_a_leaky_adapter_fails(adapter: Callable[..., Adapter], leak: str) -> None:
    assert result_of(adapter, "no card in any text").startswith(leak)


class DropsOne(Changed):
    """Loses one card without a word."""

    def change(self, actions: Actions) -> Actions:
        kept = [one for one in actions.events if getattr(one.event, "number", 0) != 7]
        return replace(actions, events=tuple(kept))


class RenumbersCards(Changed):
    """Loses one card and numbers the rest as if nothing were missing: only the cards show it."""

    def change(self, actions: Actions) -> Actions:
        kept = []
        for one in actions.events:
            event = one.event
            if isinstance(event, e.CardDrawn) and event.number >= 7:
                if event.number == 7:
                    continue
                event = replace(event, number=event.number - 1)
            kept.append(replace(one, event=event))
        return replace(actions, events=tuple(kept))


class Swaps(Changed):
    """Reports the cards of one read in the wrong order."""

    def change(self, actions: Actions) -> Actions:
        return replace(actions, events=actions.events[::-1])


class Stutters(Changed):
    def change(self, actions: Actions) -> Actions:
        return replace(actions, events=(*actions.events, *actions.events))


class NeverSilent(Tdp):
    def tick(self, now: float) -> Actions:
        actions = super().tick(now)
        kept = [
            one for one in actions.events
            if not (isinstance(one.event, e.LinkChanged) and one.event.link is e.Link.SILENT)
        ]  # fmt: skip
        return replace(actions, events=tuple(kept))


class Obeys(Tdp):
    def __init__(self, settings: DeviceSettings, token: str = "") -> None:
        super().__init__(replace(settings, allow_commands=True), token)


class RecordsCards(Tdp):
    def masking(self) -> Masking:
        class Open(TdpMasking):
            def masked(self, frame: bytes) -> bytes | None:
                return frame

        return Open(self._settings)


class RecordsOnePermutation(Tdp):
    def masking(self) -> Masking:
        class Same(TdpMasking):
            def _mask(self, session: str, number: int, drawn: int) -> CardMask[str]:
                return self._decks_of(session)[0].mask

        return Same(self._settings)


class RecordsWithoutChecks(Tdp):
    def masking(self) -> Masking:
        class Unchecked(TdpMasking):
            def device(self, data: bytes) -> bytes:
                return super().device(data).replace(b",G*", b",N*")

        return Unchecked(self._settings)


RECORDED = "no card in a recording, and another permutation for each deck"


@pytest.mark.parametrize(
    ("adapter", "check", "why"),
    [
        (DropsOne, NAMES[0], "1 before"),
        (RenumbersCards, NAMES[0], "1 before"),
        (Swaps, "everything in one read", "are missing"),
        (Stutters, NAMES[0], "twice"),
        (NeverSilent, "silence is reported, and its end", "silence"),
        (Obeys, "commands are off and it says so", "it sent a command"),
        (KeepsCardsAnyway, "count_only keeps no card", "it kept a card"),
        (RecordsCards, RECORDED, "the recording shows the cards: 51 of 51"),
        (RecordsOnePermutation, RECORDED, "two decks are masked alike: 51 of 51"),
        (RecordsWithoutChecks, "a recording of a bad line replays to the same events", "differs"),
        (lambda *_: 1 / 0, NAMES[0], "ZeroDivisionError"),
    ],
)
def test_a_mistake_fails_its_check(adapter: Callable[..., Any], check: str, why: str) -> None:
    assert why in result_of(adapter, check)


def result_of(adapter: Callable[..., Any], name: str) -> str:
    class Mistaken(trials.Shoe):
        def adapter(self, settings: DeviceSettings, resume_token: str) -> Adapter:
            made: Adapter = adapter(settings, resume_token)
            return made

    [check] = [check for check in CHECKS if check.name == name]
    outcome = try_one(Mistaken(), check)
    assert outcome.result == "failed"
    return outcome.why
