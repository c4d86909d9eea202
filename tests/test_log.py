from __future__ import annotations

import json
import logging
import re
from typing import TYPE_CHECKING

import pytest
import structlog

from omaha_table.cards import DECK, parse_cards
from omaha_table.log import set_up_log

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def log_file(tmp_path: Path) -> Iterator[Path]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers.clear()
    file = tmp_path / "console.log"
    set_up_log("info", file)
    yield file
    for handler in root.handlers[:]:
        root.removeHandler(handler)
        handler.close()
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def test_a_file_gets_json_and_the_terminal_words_and_stdout_nothing(
    log_file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    structlog.get_logger("omaha_table.session").warning("device lost", port="shoe", retries=3)
    entry = json.loads(log_file.read_text(encoding="utf-8"))
    assert (entry["event"], entry["port"], entry["retries"]) == ("device lost", "shoe", 3)
    assert entry["level"] == "warning"
    assert entry["timestamp"].endswith("Z")


def test_no_card_reaches_the_log_in_any_spelling(
    log_file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = structlog.get_logger("omaha_table.session")
    for card in DECK:
        spellings = [card.text, card.text.lower(), card.text.upper(), f"seat 4 holds {card.text}."]
        log.info("one", card=card, spellings=spellings, deep={"a": [(card,)], card.text: card})
        log.info("two", cards=f"{card.text}Kd", quoted=repr(card))
        try:
            raise ValueError(f"two of {card.text}")
        except ValueError:
            log.exception("three")
        logging.getLogger("serial").warning("read %s", card.text)
    written = log_file.read_text(encoding="utf-8") + "".join(capfd.readouterr())
    assert written.count("three") >= 52
    for card in DECK:
        assert not re.search(rf"\b{card.text}\b", written, re.IGNORECASE)
        assert f"{card.text}Kd" not in written


def test_lists_of_cards_are_blacked_out(log_file: Path) -> None:
    structlog.get_logger("omaha_table").info("board", cards=parse_cards("As Kd"))
    assert json.loads(log_file.read_text(encoding="utf-8"))["cards"] == ["▒▒", "▒▒"]
