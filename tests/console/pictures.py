"""Pictures of console and review for the docs: scenes of the real apps, exported as SVG."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from omaha_table.dealer.screen.app import ConsoleApp
from tests.console.scenes import SCENES
from tests.review.driving import Driver
from tests.review.scenes import SCENES as REVIEW_SCENES
from tests.review.scenes import desk
from tests.review.swing import Swing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.app import App

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN = {
    "idle": (80, 24),
    "reopened": (80, 24),
    "draw": (80, 24),
    "pitch_from_the_shoe": (80, 24),
    "preflop": (80, 24),
    "raise_typed": (80, 24),
    "flop": (120, 40),
    "undo": (80, 24),
    "show": (80, 24),
    "push": (80, 24),
    "rulings": (80, 24),
    "given_before": (80, 24),
    "jam": (80, 24),
    "log_full": (80, 24),
}


REVIEWED = {
    "hands_tagged_and_noted": (100, 30),
    "replay": (100, 30),
    "unusual": (100, 30),
    "box_explained": (100, 30),
    "statistics": (100, 30),
    "filter_suggestions": (100, 30),
}


async def picture(app: App[None], size: tuple[int, int]) -> str:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        return cleaned(app.export_screenshot(title="omaha-table"))


def cleaned(svg: str) -> str:
    # The font is whatever the reader has: nothing is fetched from anywhere.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"\n\s*\n+", "\n", svg)
    return re.sub(r"terminal-\d+", "terminal", svg.replace("Fira Code", "DejaVu Sans Mono"))


def drawn() -> Iterator[tuple[str, str]]:
    for name, size in SHOWN.items():
        yield name, asyncio.run(picture(ConsoleApp(SCENES[name]().console), size))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        Swing(folder).play()
        for name, size in REVIEWED.items():
            with Driver(desk(folder, folder / name), size) as review:
                review.press(*REVIEW_SCENES[name])
                svg = cleaned(review.app.export_screenshot(title="omaha-table"))
            yield f"review_{name}", svg


def main() -> None:
    os.environ["TZ"] = "UTC"
    # Textual takes the colors of the terminal it is started from, and there may be none.
    os.environ |= {"COLORTERM": "truecolor", "TERM": "xterm-256color"}
    os.environ.pop("NO_COLOR", None)
    time.tzset()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, svg in drawn():
        path = FOLDER / f"{name}.svg"
        path.write_text(svg)
        print(path.relative_to(FOLDER.parents[1]), path.stat().st_size)


if __name__ == "__main__":
    main()
