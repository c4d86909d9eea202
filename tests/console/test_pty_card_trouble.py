"""What can be wrong with a card, on a terminal: a shoe on a port, the sentence, and the way on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_drivers.emulate import EmulatedShoe, EmulatedShuffler

from omaha_table.cards import DECK
from omaha_table.journal.verification import files_in, verify
from tests.console.terminal import Terminal, table_file

if TYPE_CHECKING:
    from pathlib import Path


def console(folder: Path, device: str) -> Terminal:
    path = table_file(folder)
    with path.open("a", encoding="utf-8") as file:
        file.write(f'[devices.{device}]\nadapter = "tdp"\nport = "{folder}/{device}"\n')
    return Terminal(["console", "--table", str(path), "--data", str(folder / "data")])


def draw_the_button(terminal: Terminal) -> None:
    terminal.wait("BUTTON DRAW")
    terminal.press("enter", *"13/", *"4*", *"12-")


def test_each_trouble_says_what_to_do_and_the_hand_goes_on(tmp_path: Path) -> None:
    shoe = EmulatedShoe(tmp_path / "shoe")
    shoe.start()
    try:
        with console(tmp_path, "shoe") as terminal:
            terminal.wait("● SHOE")
            draw_the_button(terminal)
            terminal.wait("START HAND 1")
            shoe.load([card.text for card in DECK])
            shoe.draw()
            terminal.wait("A card was drawn before the hand: start the hand, or put it back.")
            terminal.press("+")
            terminal.wait("1 card left the shoe before the hand was started.")
            terminal.press("enter")
            terminal.wait(lambda text: "OF 15" in text and "CHECK THE CARDS" not in text)
            for _ in range(4):
                shoe.draw()
            shoe.put_back()
            terminal.wait("The last card was put back. Draw it again for seat")
            shoe.draw()
            terminal.press("enter")
            shoe.model.drawn += 1
            shoe.draw()
            terminal.wait("The shoe missed 1 card. If dealt, press + for each.")
            terminal.press("+", "enter")
            shoe.model.drawn -= 1
            shoe.draw()
            terminal.wait("The shoe read the last card again. If one card left it, go on.")
            terminal.press("enter")
            terminal.wait(lambda text: "CHECK THE CARDS" not in text and "OF 15" in text)
            shoe.load([card.text for card in DECK])
            shown = terminal.wait("Another deck was loaded in mid-hand. Deal none of it;")
            assert "FLOOR" in shown
            terminal.press("/", "*", "9", "+")
            assert terminal.end() == 0
    finally:
        shoe.stop()
    assert verify(files_in(tmp_path / "data")).sound


def test_a_jam_sends_the_deck_through_a_full_cycle_and_no_further(tmp_path: Path) -> None:
    shuffler = EmulatedShuffler(tmp_path / "shuffler")
    shuffler.start()
    try:
        with console(tmp_path, "shuffler") as terminal:
            terminal.wait("● SHUF")
            draw_the_button(terminal)
            terminal.wait("button seat")
            shuffler.shuffle("red")
            shuffler.jam()
            terminal.wait("Jam at exit: open the lid, clear the card, close the lid.")
            shuffler.clear_jam()
            terminal.wait("Run the red deck through a full cycle: the shuffler jammed.")
            shuffler.take()
            terminal.wait("The red deck was taken unverified: put it back for a full cycle.")
            shuffler.shuffle("red")
            shuffler.take()
            terminal.wait("DECK IS CUT")
            terminal.press("/", "*", "9")
            assert terminal.end() == 0
    finally:
        shuffler.stop()
    assert verify(files_in(tmp_path / "data")).sound
