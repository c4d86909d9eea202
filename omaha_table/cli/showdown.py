"""`omaha-table showdown`: JSON Lines in and out, or one showdown as a table."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import click

from omaha_table.cards import CardError, parse_cards
from omaha_table.cli.calculator import ShowdownError, answer_line, make_showdown, read
from omaha_table.cli.lines import open_source, read_lines
from omaha_table.evaluate import describe_high, describe_low, high_cards, low_cards
from omaha_table.hand.split import total_awards
from omaha_table.money import MoneyError, format_dollars, parse_dollars
from omaha_table.rules import ProfileError, load_profile

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from omaha_table.cards import Card
    from omaha_table.cli.calculator import Reading, Showdown
    from omaha_table.hand.split import Award

_VULGAR: Final = dict(
    zip(
        map(Fraction, "1/2 1/3 2/3 1/4 3/4 1/5 2/5 3/5 4/5 1/6 5/6 1/8 3/8 5/8 7/8".split()),
        "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞",
        strict=True,
    )
)


@click.command()
@click.argument("file", required=False)
@click.option(
    "--rules", metavar="ID|FILE", help="The rule profile; in a stream, for lines that name none."
)
@click.option("--board", metavar="CARDS", help="The five board cards.")
@click.option("--hand", "hands", metavar="SEAT:CARDS", multiple=True, help="A seat's hole cards.")
@click.option(
    "--pot",
    "pots",
    metavar="DOLLARS[:SEATS]",
    multiple=True,
    help="A pot, and the seats that can win it if not all; the main pot first.",
)
@click.option("--button", type=int, metavar="SEAT", help="The button, for odd chips.")
def showdown(
    file: str | None,
    rules: str | None,
    board: str | None,
    hands: tuple[str, ...],
    pots: tuple[str, ...],
    button: int | None,
) -> None:
    """Reads hands and splits pots.

    With FILE (or - for standard input): one JSON object per line in, one per line out.
    With --board and --hand: one showdown as a table.

    \b
    Examples:
      omaha-table showdown hands.jsonl
      omaha-table showdown --rules ca_big_o --board "7c 5h 2s Kd As" --button 5 \\
        --hand "1:Ah 3d 9c 9d Ts" --hand "4:Kc Kh 4d 8s Jh" --pot 100
    """
    if board is None and not hands and not pots and button is None:
        sys.exit(_stream(file, rules))
    if file is not None:
        raise click.UsageError("Give a FILE, or --board and --hand; not both.")
    try:
        _print(_from_flags(rules, board, hands, pots, button))
    except (ShowdownError, CardError, MoneyError, ProfileError) as error:
        raise click.UsageError(str(error)) from None


def _stream(file: str | None, rules: str | None) -> int:
    """Answers each line as soon as it is read; returns 2 if any line was invalid."""
    status = 0
    out = sys.stdout.buffer
    with open_source(file, "showdowns, one JSON object") as source:
        for number, line in enumerate(read_lines(source), start=1):
            answer, good = answer_line(line, number, rules)
            if not good:
                status = 2
            out.write(answer.encode() + b"\n")
            out.flush()
    return status


def _from_flags(
    rules: str | None,
    board: str | None,
    hands: tuple[str, ...],
    pots: tuple[str, ...],
    button: int | None,
) -> Showdown:
    if rules is None or board is None or not hands:
        raise click.UsageError("A showdown needs --rules, --board and at least one --hand.")
    dealt: dict[int, tuple[Card, ...]] = {}
    for text in hands:
        number, colon, cards = text.partition(":")
        if not colon:
            raise click.UsageError(f"--hand {text!r}: write SEAT:CARDS, such as 4:AsKd7c2h.")
        seat = _seat(number)
        if seat in dealt:
            raise click.UsageError(f"Seat {seat} has two hands; give each seat once.")
        dealt[seat] = parse_cards(cards)
    amounts = []
    for text in pots:
        dollars, colon, seats = text.partition(":")
        eligible = [_seat(seat) for seat in seats.split(",")] if colon else list(dealt)
        amounts.append((parse_dollars(dollars), eligible))
    return make_showdown(
        load_profile(rules), parse_cards(board), dict(sorted(dealt.items())), amounts, button
    )


def _seat(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise click.UsageError(f"{text!r} is not a seat number.") from None


def _print(given: Showdown) -> None:
    from rich.console import Console
    from rich.table import Table

    reading = read(given)
    console = Console(highlight=False, safe_box=True)
    plain = not _can_write("─½", console.encoding)
    grid = Table.grid(padding=(0, 2))
    grid.add_row("Board", _painted(given.board))
    for seat, hand in given.hands.items():
        grid.add_row()
        grid.add_row(f"Seat {seat}", _painted(hand))
        high = reading.highs[seat]
        cards = high_cards(high, given.board, hand)
        grid.add_row("  high", _painted(cards, hand), describe_high(high))
        if given.profile.splits:
            low = reading.lows[seat]
            cards = low_cards(low, given.board, hand) if low else ()
            grid.add_row("  low", _painted(cards, hand), describe_low(low))
    console.print(grid)
    if reading.awards:
        console.print()
        console.print(_pot_table(reading, plain=plain))


def _can_write(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def _pot_table(reading: Reading, *, plain: bool) -> Table:
    from rich import box
    from rich.table import Table

    style = box.ASCII_DOUBLE_HEAD if plain else box.SIMPLE_HEAD
    table = Table(box=style, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("Pot", "Amount", "Seat", "Wins", "Part", "Push"):
        table.add_column(heading, justify="right" if heading in ("Amount", "Push") else "left")
    for number, award in enumerate(reading.awards):
        name, amount = f"Side {number}" if number else "Main", format_dollars(award.amount)
        for seat in sorted({*award.high, *award.low}):
            share = part_won(award, seat)
            part = str(share) if plain else format_fraction(share)
            push = format_dollars(award.high.get(seat, 0) + award.low.get(seat, 0))
            table.add_row(name, amount, str(seat), _wins(award, seat), part, push)
            name = amount = ""
        table.add_section()
    if len(reading.awards) > 1:
        for seat, cents in total_awards(reading.awards).items():
            table.add_row("Total", "", str(seat), "", "", format_dollars(cents))
    return table


def _wins(award: Award, seat: int) -> str:
    if not award.low:
        return "high, all" if len(award.high) == 1 else "high, tied"
    sides = [
        name + (", tied" if len(shares) > 1 else "")
        for name, shares in (("high", award.high), ("low", award.low))
        if seat in shares
    ]
    return " + ".join(sides)


def part_won(award: Award, seat: int) -> Fraction:
    """The part of a pot that a seat won, without odd chips: ½, ¼, ¾ …"""
    if not award.low:
        return Fraction(1, len(award.high)) if seat in award.high else Fraction(0)
    return sum(
        (Fraction(1, 2 * len(side)) for side in (award.high, award.low) if seat in side),
        Fraction(0),
    )


def format_fraction(part: Fraction) -> str:
    if part == 1:
        return "all"
    return _VULGAR.get(part, str(part))


def _painted(cards: tuple[Card, ...], hole: tuple[Card, ...] = ()) -> Text:
    """Cards in four colors, hole cards underlined."""
    from rich.text import Text

    colors = ("green", "blue", "red", "bold")
    text = Text()
    for place, card in enumerate(cards):
        style = colors[card.suit] + (" underline" if card in hole else "")
        text.append(" " if place else "").append(card.text, style)
    return text
