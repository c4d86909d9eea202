"""Letters that can be read at arm's length: five dots high, as half blocks or as whole ones."""

from __future__ import annotations

from functools import cache
from typing import Final

_FONT: Final = """
A .#. #.# ### #.# #.#
B ##. #.# ##. #.# ##.
C .## #.. #.. #.. .##
D ##. #.# #.# #.# ##.
E ### #.. ##. #.. ###
F ### #.. ##. #.. #..
G .## #.. #.# #.# .##
H #.# #.# ### #.# #.#
I # # # # #
J ..# ..# ..# #.# .#.
K #.# #.# ##. #.# #.#
L #.. #.. #.. #.. ###
M #...# ##.## #.#.# #...# #...#
N #..# ##.# #.## #..# #..#
O .##. #..# #..# #..# .##.
P ##. #.# ##. #.. #..
Q .##. #..# #..# #.## .###
R ##. #.# ##. #.# #.#
S .## #.. .#. ..# ##.
T ### .#. .#. .#. .#.
U #.# #.# #.# #.# ###
V #.# #.# #.# #.# .#.
W #...# #...# #.#.# ##.## #...#
X #.# #.# .#. #.# #.#
Y #.# #.# .#. .#. .#.
Z ### ..# .#. #.. ###
0 ### #.# #.# #.# ###
1 .#. ##. .#. .#. ###
2 ##. ..# .#. #.. ###
3 ### ..# .## ..# ###
4 #.# #.# ### ..# ..#
5 ### #.. ##. ..# ##.
6 .## #.. ### #.# ###
7 ### ..# .#. .#. .#.
8 ### #.# ### #.# ###
9 ### #.# ### ..# ##.
- ... ... ### ... ...
> #.. .#. ..# .#. #..
? ##. ..# .#. ... .#.
, .. .. .. .# #.
. . . . . #
: . # . # .
/ ..# ..# .#. #.. #..
+ ... .#. ### .#. ...
' # # . . .
"""
_GLYPHS: Final = {line[0]: tuple(line[2:].split(" ")) for line in _FONT.strip().splitlines()}
_GLYPHS[" "] = ("..",) * 5
_UNKNOWN: Final = ("###",) * 5


@cache
def small(text: str) -> tuple[str, str, str]:
    """Three rows of half blocks."""
    dots = _dots(text)
    rows = []
    for top, below in ((0, 1), (2, 3), (4, None)):
        upper = dots[top]
        lower = dots[below] if below is not None else "." * len(upper)
        rows.append("".join(_HALVES[pair] for pair in zip(upper, lower, strict=True)))
    return rows[0], rows[1], rows[2]


@cache
def large(text: str) -> tuple[str, ...]:
    """Five rows of whole blocks, each dot two columns wide."""
    return tuple("".join("██" if dot == "#" else "  " for dot in row) for row in _dots(text))


def _dots(text: str) -> list[str]:
    glyphs = [_GLYPHS.get(letter, _UNKNOWN) for letter in text.upper()]
    return [".".join(glyph[row] for glyph in glyphs) for row in range(5)]


_HALVES: Final = {(".", "."): " ", ("#", "."): "▀", (".", "#"): "▄", ("#", "#"): "█"}
