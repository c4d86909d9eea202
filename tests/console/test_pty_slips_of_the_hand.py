"""Slips of a dealer's hand on a real terminal: ENTER too often, the same card twice, cents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.hand.events import Acted, BoardDealt, HandEnded, HandStarted, HoleCardsOut
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.verification import files_in, verify
from tests.console.long_staff_list import begin_hand
from tests.console.terminal import Terminal, table_file

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.events import Event


def events_in(data: Path) -> list[Event]:
    [journal] = files_in(data)
    assert verify([journal]).sound
    with Reader(journal) as reader:
        return [record_of(row).event for row in reader.since()]


def test_enter_too_often_starts_deals_and_pushes_nothing_and_a_scoop_is_one_push(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    with Terminal(
        ["console", "--table", str(table_file(tmp_path)), "--data", str(data)]
    ) as terminal:

        def hammer(answer: str) -> None:
            """The last key is only pressed once the refusal of the first is seen."""
            terminal.press(*["enter"] * 6, gap=0.3)
            terminal.wait(answer)

        terminal.wait("BUTTON DRAW")
        terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
        terminal.wait("START HAND 1")
        hammer("Press + to start the hand.")
        terminal.press("+")
        terminal.wait("CARDS ARE OUT")
        hammer("Press 0 when the cards are out.")
        terminal.press("0")
        terminal.wait("hole cards out")
        for seat, word in ((1, "CALL"), (2, "CALL"), (3, "CHECK")):
            terminal.press("enter")
            terminal.wait(f"seat {seat} {word}")
        terminal.wait("RANK OF THE CARD")
        terminal.press(*"7+", *"7+")
        terminal.wait("You have just keyed the 7c.")
        terminal.press(*"5*", *"2/")
        terminal.wait("FLOP IS RIGHT")
        hammer("Press 0 if the flop is right.")
        terminal.press("0")
        terminal.wait("FLOP 7c 5h 2s")
        for street, first, card in (("TURN", "7+", "9-"), ("RIVER", "9-", "8+")):
            for seat in (2, 3, 1):
                terminal.press("enter")
                terminal.wait(f"seat {seat} CHECK")
            terminal.wait("RANK OF THE CARD")
            terminal.press(*first)
            terminal.wait("is on the board.")
            terminal.press(*card)
            terminal.wait("IS RIGHT")
            terminal.press("0")
            terminal.wait(f"{street} {card[0]}")
        for seat in (2, 3, 1):
            terminal.press("enter")
            terminal.wait(f"seat {seat} CHECK")
        terminal.wait("WHO WINS?")
        terminal.press("enter", "2", "enter", "2", "enter")
        shown = terminal.wait("PUSHED")
        assert "The pot, HIGH and LOW." in shown
        assert "MAIN" not in shown
        hammer("Press 0 when the chips are pushed.")
        terminal.press("0")
        terminal.wait("START HAND 2")
    events = events_in(data)
    for kind, times in ((HandStarted, 1), (HoleCardsOut, 1), (BoardDealt, 3), (HandEnded, 1)):
        assert len([event for event in events if type(event) is kind]) == times, kind
    [ended] = [event for event in events if isinstance(event, HandEnded)]
    # Three times 4, less the drop of 3.
    assert ended.awards == {2: 900}


def test_an_all_in_with_cents_is_shown_whole_and_its_price_typed_is_a_call(tmp_path: Path) -> None:
    data, table = tmp_path / "data", tmp_path / "t7.toml"
    stacks = ((1, "Ada", "87.50"), (2, "Ben", "200.00"), (3, "Carmen", "200.00"))
    players = "".join(
        f'[[players]]\nseat = {seat}\nname = "{name}"\nstack = "{stack}"\n'
        for seat, name, stack in stacks
    )
    game = '[table]\nid = "t7"\nrules = "ca_omaha_hilo"\nlimit = "2-5"\n'
    table.write_text(game + players)
    with Terminal(["console", "--table", str(table), "--data", str(data)]) as terminal:
        begin_hand(terminal)
        terminal.wait("ALL-IN = 87.50")
        terminal.press("*")
        terminal.wait("ENTER  ALL-IN 87.50")
        terminal.press("enter")
        terminal.wait("Ben   to call 85.50")
        terminal.press(*"87.50")
        terminal.wait("ENTER  CALL 85.50")
        terminal.press("enter")
        terminal.wait("Carmen   to call 82.50")
        terminal.press(*"82.50")
        terminal.wait("ENTER  CALL 82.50")
        terminal.press("enter")
        terminal.wait("seat 3 CALL 82.50")
    acted = [event for event in events_in(data) if isinstance(event, Acted)]
    assert [(event.seat, event.action, event.to) for event in acted] == [
        (1, "raise", 8750), (2, "call", 8750), (3, "call", 8750),
    ]  # fmt: skip
