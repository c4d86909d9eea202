"""`omaha-table devices emulate`: a shuffler or a shoe on a virtual port, manual or automatic."""

from __future__ import annotations

import random
import select
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click
from omaha_drivers.emulate import FAULTS, EmulatedAngelShoe, EmulatedShoe, EmulatedShuffler, Faults
from omaha_drivers.tdp_codec import CARDS

from omaha_table.cli.device_options import key_option, read_key, until_stopped

if TYPE_CHECKING:
    from collections.abc import Callable


@click.command()
@click.argument("kind", type=click.Choice(["shuffler", "shoe"]))
@click.option(
    "--link",
    required=True,
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The path of the port; created at the start and removed at the end.",
)
@click.option(
    "--protocol",
    type=click.Choice(["tdp", "angel_eye"]),
    default="tdp",
    show_default=True,
    help="The protocol.",
)
@click.option("--serial", default="", metavar="S", help="The serial number that it reports.")
@click.option("--seed", type=int, default=0, metavar="N", help="Random seed for decks and faults.")
@click.option(
    "--fault",
    "names",
    multiple=True,
    metavar="NAME",
    type=click.Choice(list(FAULTS)),
    help=f"A fault of the line or the device; may be repeated: {', '.join(FAULTS)}.",
)
@click.option(
    "--pace",
    type=click.Choice(["real", "fast"]),
    default="real",
    show_default=True,
    help="How fast it deals or shuffles.",
)
@click.option(
    "--decks", type=click.IntRange(min=0), default=0, help="Number of decks; 0: until stopped."
)
@click.option("--auto", is_flag=True, help="Run by itself, even at a terminal.")
@key_option
def emulate(
    kind: str,
    link: Path,
    protocol: str,
    serial: str,
    seed: int,
    names: tuple[str, ...],
    pace: str,
    decks: int,
    auto: bool,
    key_file: Path | None,
) -> None:
    """Emulates a shuffler or a shoe on a pseudo-terminal until you stop it.

    At a terminal you control it: ENTER draws a card from the shoe, a number draws that many. With a
    shuffler, ENTER shuffles a deck and the next ENTER takes it out. With --auto or --decks, or
    without a terminal, it runs by itself: a shoe deals shuffled decks card by card, a shuffler
    shuffles decks of two colors in turn.

    \b
    Examples:
      omaha-table devices emulate shoe --link /tmp/shoe
      omaha-table devices emulate shoe --link /tmp/shoe --pace fast --fault lose --fault repeat
    """
    if link.exists():
        raise click.UsageError(f"{link} already exists.")
    if protocol == "angel_eye" and kind == "shuffler":
        raise click.UsageError("An Angel Eye is a shoe, not a shuffler.")
    faults, key, chance = Faults(names, seed), read_key(key_file), random.Random(seed)
    device: EmulatedShoe | EmulatedAngelShoe | EmulatedShuffler
    if kind == "shuffler":
        seconds = 8.0 if pace == "real" else 0.0
        device = EmulatedShuffler(
            link, serial=serial or "SHUF-EMU-1", key=key, seconds=seconds, faults=faults
        )
    elif protocol == "angel_eye":
        device = EmulatedAngelShoe(link, faults=faults)
    else:
        device = EmulatedShoe(link, serial=serial or "SHOE-EMU-1", key=key, faults=faults)
    stopped = threading.Event()
    try:
        device.start()
    except OSError as error:
        device.stop()
        reason = (error.strerror or "no reason given").lower()
        raise click.UsageError(f"The link {link} cannot be created: {reason}.") from None
    try:
        with until_stopped(stopped):
            click.echo(f"Emulated {kind} at {link}. Press Ctrl-C to stop.", err=True)
            at_terminal = sys.stdin is not None and sys.stdin.isatty()
            if at_terminal and not auto and not decks:
                _control(ManualControls(device, chance), stopped)
                return
            count = 0
            while not stopped.is_set() and (not decks or count < decks):
                count += 1
                if isinstance(device, EmulatedShuffler):
                    _one_shuffle(device, count, stopped, pace)
                else:
                    _one_deck(device, chance.sample(CARDS, 52), stopped, pace)
            stopped.wait(1.0 if decks else 0)
    finally:
        device.stop()
    click.echo(f"{count} {'deck' if count == 1 else 'decks'}.", err=True)


def _one_deck(
    shoe: EmulatedShoe | EmulatedAngelShoe, deck: list[str], stopped: threading.Event, pace: str
) -> None:
    shoe.load(deck)
    for _ in deck:
        if stopped.wait(0.6 if pace == "real" else 0.002):
            return
        shoe.draw()


def _one_shuffle(
    shuffler: EmulatedShuffler, count: int, stopped: threading.Event, pace: str
) -> None:
    shuffler.shuffle("blue" if count % 2 else "red")
    if not stopped.wait(10.0 if pace == "real" else 0.02):
        shuffler.take()


class ManualControls:
    """What a dealer can do to a device, by typed command; no answer names a card."""

    def __init__(
        self, device: EmulatedShoe | EmulatedAngelShoe | EmulatedShuffler, chance: random.Random
    ) -> None:
        self._device, self._chance = device, chance
        self._out = 0
        self._ready = False
        self._back = "red"
        self.words: dict[str, Callable[[], str]] = {
            "unplug": lambda: self._plain(device.unplug, "Cable unplugged."),
            "plug": lambda: self._plain(device.replug, "Cable plugged in."),
            "power": lambda: self._plain(device.power_cycle, "Restarting."),
        }
        if isinstance(device, EmulatedShuffler):
            self.words |= {
                "": self._shuffle_or_take,
                "short": lambda: self._shuffle(51),
                "jam": lambda: self._plain(device.jam, "Jammed."),
                "clear": lambda: self._plain(device.clear_jam, "Jam cleared."),
            }
            return
        self.words |= {"": self._card, "new": self._new, "back": self._put_back}
        if isinstance(device, EmulatedShoe):
            self.words["unread"] = self._unread
        self._new()

    @staticmethod
    def _plain(act: Callable[[], None], message: str) -> str:
        act()
        return message

    def _new(self) -> str:
        assert not isinstance(self._device, EmulatedShuffler)
        self._device.load(self._chance.sample(CARDS, 52))
        self._out = 0
        return "Loaded a shuffled deck."

    def _card(self) -> str:
        assert not isinstance(self._device, EmulatedShuffler)
        if self._out >= len(CARDS):
            return "The shoe is empty. Type new to load another deck."
        self._device.draw()
        self._out += 1
        return f"Card {self._out} drawn."

    def _put_back(self) -> str:
        assert not isinstance(self._device, EmulatedShuffler)
        self._device.put_back()
        self._out = max(self._out - 1, 0)
        return "Last card returned to the shoe."

    def _unread(self) -> str:
        assert isinstance(self._device, EmulatedShoe)
        self._device.draw_unreadable()
        self._out += 1
        return f"Card {self._out} drawn and not read."

    def _shuffle(self, count: int = 52) -> str:
        assert isinstance(self._device, EmulatedShuffler)
        self._back = "blue" if self._back == "red" else "red"
        self._device.shuffle(self._back, count)
        self._ready = count == len(CARDS)
        then = (
            "ENTER takes it out when it is ready"
            if self._ready
            else "ENTER shuffles the other deck"
        )
        return f"Shuffling the {self._back} deck, {count} cards. {then}."

    def _shuffle_or_take(self) -> str:
        assert isinstance(self._device, EmulatedShuffler)
        if not self._ready:
            return self._shuffle()
        self._device.take()
        self._ready = False
        return f"Took out the {self._back} deck. ENTER shuffles the other deck."


def _control(controls: ManualControls, stopped: threading.Event) -> None:
    """Runs typed commands until the end of input or Ctrl-C."""
    words = ", ".join(word or "ENTER" for word in controls.words)
    click.echo(f"Commands: {words}; a number presses ENTER that many times.", err=True)
    while not stopped.is_set():
        if not select.select([sys.stdin], [], [], 0.2)[0]:
            continue
        line = sys.stdin.readline()
        if not line:
            return
        word = line.strip().lower()
        message = f"Unknown command {word!r}. Commands: {words}."
        for _ in range(min(int(word), len(CARDS)) if word.isdecimal() else 1):
            act = controls.words.get("" if word.isdecimal() else word)
            message = message if act is None else act()
        click.echo(message, err=True)
