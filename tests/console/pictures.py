"""Pictures of the console for the docs: scenes of the real app, exported as SVG."""

from __future__ import annotations

import asyncio
import os
import re
import time
from pathlib import Path

from omaha_table.console.app import Console
from tests.console.scenes import SCENES

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN = {
    "idle": (80, 24),
    "draw": (80, 24),
    "pitch_from_the_shoe": (80, 24),
    "preflop": (80, 24),
    "raise_typed": (80, 24),
    "flop": (120, 40),
    "undo": (80, 24),
    "show": (80, 24),
    "push": (80, 24),
    "rulings": (80, 24),
    "jam": (80, 24),
    "log_full": (80, 24),
}


async def picture(name: str, size: tuple[int, int]) -> str:
    app = Console(SCENES[name]().front)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        svg = app.export_screenshot(title="omaha-table")
    # The font is whatever the reader has: nothing is fetched from anywhere.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"\n\s*\n+", "\n", svg)
    return re.sub(r"terminal-\d+", "terminal", svg.replace("Fira Code", "DejaVu Sans Mono"))


def main() -> None:
    os.environ["TZ"] = "UTC"
    time.tzset()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, size in SHOWN.items():
        path = FOLDER / f"{name}.svg"
        path.write_text(asyncio.run(picture(name, size)))
        print(path.relative_to(FOLDER.parents[1]), path.stat().st_size)


if __name__ == "__main__":
    main()
