"""Colors at every depth a terminal may have: panels stay apart, and words stay readable."""

from __future__ import annotations

from itertools import combinations

import pytest
from rich._palettes import STANDARD_PALETTE
from rich.color import Color, ColorSystem

from omaha_table.dealer.screen.colors import STYLES, Depth, depth_of, style

SYSTEMS: dict[Depth, ColorSystem] = {
    "truecolor": ColorSystem.TRUECOLOR,
    "256": ColorSystem.EIGHT_BIT,
    "16": ColorSystem.STANDARD,
}
DEPTHS: list[Depth] = ["truecolor", "256", "16"]


def shown(color: Color | None, depth: Depth) -> tuple[int, int, int]:
    """What a terminal of this depth makes of a color, by Rich's own reckoning."""
    assert color is not None
    there = color.downgrade(SYSTEMS[depth])
    if depth == "16":
        assert there.number is not None
        triplet = STANDARD_PALETTE[there.number]
    else:
        triplet = there.get_truecolor()
    return triplet.red, triplet.green, triplet.blue


def luminance(color: tuple[int, int, int]) -> float:
    parts = [part / 255 for part in color]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """As the WCAG has it: 1 for the same color, 21 for black on white."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("name", STYLES)
def test_words_stand_out_from_what_is_behind_them(name: str, depth: Depth) -> None:
    given = style(name, depth)
    least = 2.5 if "dim" in name or "grey" in name or name in ("alarm.none", "off") else 4.0
    assert contrast(shown(given.color, depth), shown(given.bgcolor, depth)) >= least


@pytest.mark.parametrize("depth", DEPTHS)
def test_the_felt_the_status_line_and_the_bands_stand_out_from_the_room(depth: Depth) -> None:
    panels = ("room", "status", "felt", "seat.act", "seat.allin", "DEALER", "STOP", "FLOOR")
    colors = [shown(style(name, depth).bgcolor, depth) for name in panels]
    for (one, first), (other, second) in combinations(zip(panels, colors, strict=True), 2):
        assert first != second, (one, other)


def test_with_256_colors_no_panel_turns_black() -> None:
    for name in ("room", "seat", "seat.dim", "status", "page", "felt", "READY"):
        assert shown(style(name, "256").bgcolor, "256") != (0, 0, 0), name


@pytest.mark.parametrize("depth", DEPTHS)
def test_the_four_suits_and_the_kinds_of_step_differ(depth: Depth) -> None:
    for names in (
        ("spade", "heart", "diamond", "club"),
        ("PLAYER", "DEALER", "STOP", "SURE", "READY", "FLOOR"),
    ):
        pairs = {
            (shown(style(name, depth).color, depth), shown(style(name, depth).bgcolor, depth))
            for name in names
        }
        assert len(pairs) == len(names)


@pytest.mark.parametrize("depth", ["256", "16"])
def test_every_color_is_one_that_such_a_terminal_has(depth: Depth) -> None:
    for name in STYLES:
        for color in (style(name, depth).color, style(name, depth).bgcolor):
            assert color is not None
            assert color.triplet is not None
            # Rich moves a light grey to the one beside it.
            steps = zip(shown(color, depth), color.triplet, strict=True)
            assert max(abs(one - other) for one, other in steps) <= 10, (name, color)


def test_the_depth_follows_what_rich_says_of_the_terminal() -> None:
    names = ("truecolor", "256", "standard", "windows", None)
    assert [depth_of(name) for name in names] == ["truecolor", "256", "16", "16", "truecolor"]


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_refusal_stands_out_from_the_band_below_it(depth: Depth) -> None:
    behind = shown(style("alarm.refused", depth).bgcolor, depth)
    for name in ("PLAYER", "DEALER", "STOP", "SURE", "READY", "FLOOR"):
        assert contrast(behind, shown(style(name, depth).bgcolor, depth)) >= 1.5, name
