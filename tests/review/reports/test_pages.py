"""Reports as a browser shows and prints them: offline, the incident sheet on exactly one page.

They need Chromium or Chrome on PATH, or in OMAHA_BROWSER; nothing else here can be skipped.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from omaha_table.cards import DECK
from omaha_table.journal.writer import Clock
from omaha_table.review.index.reading import hands_in
from omaha_table.review.reports.render import as_html
from omaha_table.review.reports.summaries import incident, summary
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.browsers import BROWSER, SWITCHES, needs_browser
from tests.evenings import no_limit, opening, profile_with
from tests.staff_files import without_dealers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.review.index.hands import Played
    from omaha_table.review.reports.page import Report
    from omaha_table.rules import Profile


class Table:
    """A table on a journal, by a clock that goes on with every line."""

    def __init__(self, folder: Path, profile: Profile, stacks: list[int]) -> None:
        chosen = profile.limits[0]
        self.now, self.rng = 1_794_700_000.0, random.Random(3)
        clock = Clock(lambda: self.now, lambda: self.now)
        self.session = Session.on_journal(
            folder, "t7", profile, chosen, without_dealers(), clock=clock
        )
        self.folder = folder
        for seat, stack in enumerate(stacks, start=1):
            self.say(f"seat {seat} Player_{seat} {stack}")
        self.say(*opening(profile, len(stacks), range(1, len(stacks) + 1)))
        self.say("shift swing B7 J7", "down D114")

    def say(self, *lines: str) -> None:
        for line in lines:
            self.now += self.rng.uniform(1, 6)
            for answer in run_line(self.session, 1, line):
                assert answer["type"] != "refused", (line, answer)

    def hand(self, boldness: float = 0.3, folds: float = 0.25, most: int = 400) -> None:
        """A hand at random; when many have acted nobody raises any more."""
        deck = [card.text for card in self.rng.sample(DECK, 52)]
        hole = self.session.state.profile.game.hole_cards
        self.say("deal")
        acted = 0
        while self.session.state.hand is not None:
            step = self.session.step
            words = {choice.word: choice for choice in step.choices}
            sized = words.get("raise") or words.get("bet")
            if step.what == "act":
                acted += 1
                roll = self.rng.random()
                if sized is not None and roll < boldness and acted < most:
                    self.say(f"{step.seat} {sized.word} {(sized.least or 0) / 100:.2f}")
                elif "call" in words:
                    self.say(f"{step.seat} {'fold' if roll > 1 - folds else 'call'}")
                else:
                    self.say(f"{step.seat} check")
            elif step.what in ("flop", "turn", "river"):
                count = 3 if step.what == "flop" else 1
                self.say(f"{step.what} {' '.join(deck.pop() for _ in range(count))}")
            elif step.what == "show":
                self.say(f"show {step.seat} {' '.join(deck.pop() for _ in range(hole))}")
            elif step.what == "push":
                if not folds:
                    self.say('floor 4711 waive "the pot was miscounted, seen on camera"')
                self.say("push")

    def close(self) -> list[Played]:
        self.session.close()
        [path] = self.folder.glob("*.journal")
        return list(hands_in(path))


def long_hand(folder: Path) -> Played:
    """Ten seats, more than sixty actions, side pots, a ruling in it and two after it."""
    stacks = [400, 35, 500, 60, 600, 90, 700, 400, 800, 900]
    table = Table(folder, load_profile("ca_omaha_hilo"), stacks)
    table.hand(boldness=0.35, folds=0)
    winner = max(table.session.state.results[-1].awards.items(), key=lambda item: item[1])[0]
    table.say(f'floor 4711 impound {winner} 20 "the tape is looked at"')
    table.say(f'floor 4711 amend 1 {winner} {winner % 10 + 1} 10 "split wrongly, seen on camera"')
    [hand] = table.close()
    return hand


@pytest.fixture(scope="module")
def shift(tmp_path_factory: pytest.TempPathFactory) -> list[Played]:
    table = Table(tmp_path_factory.mktemp("shift"), load_profile("house_omaha_hilo"), [4000] * 8)
    for number in range(150):
        table.hand()
        if number % 20 == 19:
            table.say(f"down D{100 + number // 20}")
        if number % 15 == 7:
            table.say("deal", 'floor 4711 misdeal "two cards exposed on the deal"')
    return table.close()


def browse(tmp_path: Path, report: Report, *switches: str, paper: str = "letter") -> bytes:
    page = tmp_path / "page.html"
    page.write_text(as_html(report).replace("@page{", f"@page{{size:{paper};"), encoding="utf-8")
    assert BROWSER is not None
    done = subprocess.run(
        [BROWSER, *SWITCHES, f"--user-data-dir={tmp_path / 'profile'}", *switches, page.as_uri()],
        capture_output=True, check=True, timeout=120,
        # Under a library that moves the clock, as scripts/surroundings has one, a browser hangs.
        env={name: value for name, value in os.environ.items() if name != "LD_PRELOAD"},
    )  # fmt: skip
    return done.stdout


def pages_of(pdf: bytes) -> int:
    """The page tree's root says how many pages there are, in the clear; each page names it."""
    counts = [int(found) for found in re.findall(rb"/Type\s*/Pages\s*/Count\s+(\d+)", pdf)]
    counts += [int(found) for found in re.findall(rb"/Count\s+(\d+)\s*/Kids", pdf)]
    assert counts
    assert pdf.startswith(b"%PDF-")
    return max(counts)


def printed(tmp_path: Path, report: Report, paper: str = "letter") -> int:
    pdf = tmp_path / "page.pdf"
    browse(tmp_path, report, f"--print-to-pdf={pdf}", paper=paper)
    return pages_of(pdf.read_bytes())


@needs_browser
@pytest.mark.parametrize("paper", ["letter", "A4"])
def test_a_long_hand_is_printed_on_exactly_one_page(tmp_path: Path, paper: str) -> None:
    hand = long_hand(tmp_path / "data")
    acted = [m for m in hand.moments if type(m.event).__name__ == "Acted"]
    assert len(hand.started.dealt) == 10
    assert len(acted) > 60
    assert hand.ended is not None
    assert len(hand.ended.pots) > 2
    assert len(hand.rulings) == 1
    assert printed(tmp_path, incident(hand), paper) == 1


@needs_browser
@pytest.mark.parametrize("paper", ["letter", "A4"])
def test_a_hand_of_two_hundred_actions_is_still_one_page(tmp_path: Path, paper: str) -> None:
    uncapped = profile_with("ca_omaha_high", betting={"max_raises": 0}, limit=no_limit("5.00"))
    table = Table(tmp_path / "data", uncapped, [90_000] * 10)
    table.hand(boldness=1, folds=0, most=190)
    [hand] = table.close()
    assert len(hand.moments) > 220
    assert printed(tmp_path, incident(hand), paper) == 1


@needs_browser
def test_a_shift_is_printed_in_few_pages_and_its_plots_are_drawn(
    tmp_path: Path, shift: list[Played]
) -> None:
    report = summary("Shift swing", shift, counted=50_000)
    assert 2 <= printed(tmp_path, report) <= 8
    dom = browse(tmp_path, report, "--dump-dom").decode()
    assert dom.count("<svg") == 3
    assert dom.count("<rect") >= 5
    assert "Hands by hour" in dom


@needs_browser
def test_the_page_that_a_browser_builds_has_every_action(tmp_path: Path) -> None:
    hand = long_hand(tmp_path / "data")
    dom = browse(tmp_path, incident(hand), "--dump-dom").decode()
    listed = re.findall(r"<li[^>]*><time>(\d\d:\d\d:\d\d)</time>", dom)
    assert len(listed) > 80
    assert listed == sorted(listed)


def pages() -> dict[str, Callable[[Path, list[Played]], Report]]:
    return {
        "hand": lambda folder, shift: incident(long_hand(folder)),
        "shift": lambda folder, shift: summary("Shift", shift, counted=50_000),
    }


@pytest.mark.parametrize("kind", ["hand", "shift"])
def test_a_page_asks_for_nothing_from_outside(
    tmp_path: Path, shift: list[Played], kind: str
) -> None:
    text = as_html(pages()[kind](tmp_path / "data", shift))
    for asked in ("http:", "https:", "//", "src=", "href=", "url(", "@import", "<script", "<link"):
        assert asked not in text, asked
