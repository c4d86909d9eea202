"""The README is true: what it shows can be done."""

from __future__ import annotations

import re
from pathlib import Path

from omaha_table.session.config import load_table

ROOT = Path(__file__).parents[2]


def test_the_table_in_the_readme_can_be_opened(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text()
    [block] = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    path = tmp_path / "t7.toml"
    path.write_text(block)
    table = load_table(path)
    assert [device.name for device in table.device_settings()] == ["shuffler", "shoe"]
    assert table.deck_required


def test_every_picture_and_page_of_the_readme_is_there() -> None:
    text = (ROOT / "README.md").read_text()
    for target in re.findall(r"\]\(((?:docs|config)/[^)#]+)\)", text):
        assert (ROOT / target).exists(), target
