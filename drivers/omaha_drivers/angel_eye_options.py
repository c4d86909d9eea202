"""What is not known for sure of the Angel Eye protocol, each as an option with its default."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from omaha_drivers.options import OptionError


@dataclass(frozen=True, slots=True)
class AngelEyeOptions:
    check_covers_enq: bool = False
    """Whether the check of the shoe's messages covers ENQ."""
    check_covers_stx: bool = False
    """Whether the check of commands covers STX. The text of one source says no, its example yes."""
    lock_data: str = "02"
    unlock_data: str = "01"
    """The data of the command LK."""
    sequence: str = "0123456789"
    """The characters through which the sequence byte runs."""
    copies: int = 3
    """How often the shoe sends each message. Fewer are counted as copies lost."""
    draw_index: Literal["per_side", "per_deck"] = "per_side"
    """What the draw index counts. Per side (player 1, banker 1, player 2): one that repeats, starts
    over or goes on is no loss. Per deck: it runs from 1 to 15 and over again."""
    stand_by_loads: bool = True
    """Whether stand-by (P) starts a new deck."""
    setting_message: Literal["ascii", "binary"] = "ascii"
    """M has two characters of address and four of value, or bytes with bit 7."""
    outside_targets: dict[str, str] = field(
        default_factory=lambda: {"0": "lock", "1": "error", "2": "setting"}
    )
    """In which mode a card was drawn outside a game (d), by its target bits."""
    uncounted_targets: list[int] = field(default_factory=lambda: [5])
    """Targets of D that are no card of the deal: 5 is the count of burn cards."""


@dataclass(frozen=True, slots=True)
class AngelEyeStxOptions(AngelEyeOptions):
    check_covers_stx: bool = True


def check_options(options: AngelEyeOptions) -> None:
    """Raises OptionError for what no shoe can mean."""
    if len(options.sequence) < 2 or len(set(options.sequence)) < len(options.sequence):
        raise OptionError("sequence: expected at least two characters, each once.")
    if not options.sequence.isascii() or not options.sequence.isalnum():
        raise OptionError("sequence: expected letters and digits.")
    if any(
        len(data) != 2 or not data.isdigit() for data in (options.lock_data, options.unlock_data)
    ):
        raise OptionError("lock_data and unlock_data: expected two digits.")
    if not 1 <= options.copies <= 9:
        raise OptionError("copies: expected 1 to 9.")
