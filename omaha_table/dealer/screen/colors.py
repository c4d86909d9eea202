"""The colors of the screens, chosen for each depth that a terminal may have.

Every style has a word or a shape beside it: color is never the only sign. In 256 and in 16 colors
the styles are given in colors that such a terminal has. Left to itself, Rich takes the nearest one,
and that turned every dark panel black.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

from rich.style import Style

if TYPE_CHECKING:
    from collections.abc import Mapping

Depth = Literal["truecolor", "256", "16"]

STYLES: Final[dict[str, str]] = {
    "room": "#c8d0d8 on #0e1116",
    "status": "#e8ecf1 on #1d242c",
    "status.dim": "#8b97a3 on #1d242c",
    "badge": "bold #0e1116 on #c8d0d8",
    "seat": "#e8ecf1 on #171b22",
    "seat.name": "bold #e8ecf1 on #171b22",
    "seat.dim": "#6d7884 on #1b2229",
    "seat.act": "#000000 on #ffb000",
    "seat.act.name": "bold #000000 on #ffb000",
    "seat.allin": "#f4e8cf on #3a2e14",
    "seat.allin.name": "bold #f4e8cf on #3a2e14",
    "mark": "bold #000000 on #ffffff",
    "mark.blind": "bold #0e1116 on #9fb1c4",
    "mark.kill": "bold #000000 on #ffb000",
    "felt": "#c8d0d8 on #0b281c",
    "felt.title": "bold #ffffff on #0b281c",
    "felt.strong": "bold #ffb000 on #0b281c",
    "felt.dim": "#7f9489 on #0b281c",
    "spade": "bold #000000 on #f5f5f0",
    "heart": "bold #c00018 on #f5f5f0",
    "diamond": "bold #ffffff on #0a4fb5",
    "club": "bold #000000 on #62c26a",
    "typed": "bold #0e1116 on #c8d0d8",
    "alarm.none": "#6d7884 on #0e1116",
    "alarm.hint": "bold #9fe0b4 on #0e1116",
    "alarm.info": "bold #80d0ff on #0e1116",
    "alarm.refused": "bold #ffd24d on #0e1116",
    "alarm.call": "bold #ffffff on #b3261e",
    "alarm.warn": "bold #000000 on #ffd24d",
    "alarm.fault": "bold #b3261e on #ffffff",
    "ok": "#6fd08c on #1d242c",
    "warn": "bold #ffd24d on #1d242c",
    "fault": "bold #ffffff on #b3261e",
    "off": "#6d7884 on #1d242c",
    "PLAYER": "bold #000000 on #ffb000",
    "DEALER": "bold #000000 on #80d0ff",
    "STOP": "bold #ffffff on #b3261e",
    "SURE": "bold #000000 on #ffffff",
    "READY": "bold #ffffff on #47525e",
    "FLOOR": "bold #ffffff on #5b2a86",
    "cap": "bold #0e1116 on #c8d0d8",
    "cap.strong": "bold #000000 on #ffffff",
    "cap.grey": "#6d7884 on #2a313a",
    "label": "bold #e8ecf1 on #0e1116",
    "label.grey": "#6d7884 on #0e1116",
    "log": "#c8d0d8 on #0e1116",
    "log.dim": "#7c8894 on #0e1116",
    "odd": "bold #ffb000 on #0e1116",
    "plot": "#80d0ff on #0e1116",
    "bar": "bold #e8ecf1 on #47525e",
    "page": "#e8ecf1 on #171b22",
    "page.strong": "bold #ffffff on #171b22",
    "page.grey": "#8b97a3 on #171b22",
    "page.edge": "#a070d0 on #171b22",
    "page.title": "bold #ffffff on #5b2a86",
}

_IN_256: Final = {
    "#000000": "#000000",
    "#0a4fb5": "#005faf",
    "#0b281c": "#005f00",
    "#0e1116": "#121212",
    "#171b22": "#1c1c1c",
    "#1b2229": "#262626",
    "#1d242c": "#303030",
    "#2a313a": "#3a3a3a",
    "#3a2e14": "#5f5f00",
    "#47525e": "#4e4e4e",
    "#5b2a86": "#5f00af",
    "#62c26a": "#5fd75f",
    "#6d7884": "#8a8a8a",
    "#6fd08c": "#5fd787",
    "#7c8894": "#8a8a8a",
    "#7f9489": "#afd7af",
    "#80d0ff": "#87d7ff",
    "#8b97a3": "#949494",
    "#9fb1c4": "#a8a8a8",
    "#9fe0b4": "#afd7af",
    "#a070d0": "#af87d7",
    "#b3261e": "#af0000",
    "#c00018": "#af0000",
    "#c8d0d8": "#c6c6c6",
    "#e8ecf1": "#e4e4e4",
    "#f4e8cf": "#ffffd7",
    "#f5f5f0": "#e4e4e4",
    "#ffb000": "#ffaf00",
    "#ffd24d": "#ffd75f",
    "#ffffff": "#ffffff",
}
"""Every color of STYLES as one of the 256."""

_SIXTEEN: Final = {
    "black": "#000000",
    "red": "#aa0000",
    "green": "#00aa00",
    "blue": "#0000aa",
    "magenta": "#aa00aa",
    "cyan": "#00aaaa",
    "grey": "#aaaaaa",
    "dark": "#555555",
    "lime": "#55ff55",
    "yellow": "#ffff55",
    "pink": "#ff55ff",
    "aqua": "#55ffff",
    "white": "#ffffff",
}
_IN_16: Final[Mapping[str, str]] = {
    "room": "grey on black",
    "status": "white on blue",
    "status.dim": "grey on blue",
    "badge": "bold black on grey",
    "seat": "grey on black",
    "seat.name": "bold white on black",
    "seat.dim": "dark on black",
    "seat.act": "black on yellow",
    "seat.act.name": "bold black on yellow",
    "seat.allin": "black on cyan",
    "seat.allin.name": "bold black on cyan",
    "mark": "bold black on white",
    "mark.blind": "bold black on grey",
    "mark.kill": "bold black on yellow",
    "felt": "black on green",
    "felt.title": "bold black on green",
    "felt.strong": "bold yellow on black",
    "felt.dim": "blue on green",
    "spade": "bold black on white",
    "heart": "bold red on white",
    "diamond": "bold white on blue",
    "club": "bold black on lime",
    "typed": "bold black on grey",
    "alarm.none": "dark on black",
    "alarm.hint": "bold lime on black",
    "alarm.info": "bold aqua on black",
    "alarm.refused": "bold yellow on black",
    "alarm.call": "bold white on red",
    "alarm.warn": "bold black on yellow",
    "alarm.fault": "bold red on white",
    "ok": "lime on blue",
    "warn": "bold yellow on blue",
    "fault": "bold white on red",
    "off": "grey on blue",
    "PLAYER": "bold black on yellow",
    "DEALER": "bold black on aqua",
    "STOP": "bold white on red",
    "SURE": "bold black on white",
    "READY": "bold white on dark",
    "FLOOR": "bold white on magenta",
    "cap": "bold black on grey",
    "cap.strong": "bold black on white",
    "cap.grey": "grey on dark",
    "label": "bold white on black",
    "label.grey": "dark on black",
    "log": "grey on black",
    "log.dim": "dark on black",
    "odd": "bold yellow on black",
    "plot": "aqua on black",
    "bar": "bold white on dark",
    "page": "grey on black",
    "page.strong": "bold white on black",
    "page.grey": "dark on black",
    "page.edge": "pink on black",
    "page.title": "bold white on magenta",
}


@cache
def style(name: str, depth: Depth = "truecolor") -> Style:
    if depth == "16":
        return Style.parse(
            re.sub(r"\w+", lambda word: _SIXTEEN.get(word[0], word[0]), _IN_16[name])
        )
    given = STYLES[name]
    if depth == "256":
        given = re.sub(r"#\w+", lambda color: _IN_256[color[0]], given)
    return Style.parse(given)


def depth_of(color_system: str | None) -> Depth:
    """From the name that Rich has for what a terminal can do."""
    match color_system:
        case "256":
            return "256"
        case "standard" | "windows":
            return "16"
        case _:
            return "truecolor"
