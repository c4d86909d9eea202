"""What a kept report says, whatever it looks like: its facts and the rows of its tables.

A report may be laid out anew and say things in other words; its figures, times, cards, hashes and
the order of its rows are those of the release.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final, TypeAlias

from omaha_table.review.reports.wording import flags_text, ruling_title

Rows: TypeAlias = list[tuple[str, ...]]

_SUITS: Final = str.maketrans("♣♦♥♠", "cdhs")
_FACTS: Final = {
    "Day": "Gaming day",
    "Without a flop": "Hands without a flop",
    "Hands an hour": "Hands per hour",
    "Mean pot": "Average pot",
    "Fees given back": "Fees returned",
    "Worth a look for": "Look at",
}
_TABLES: Final = {
    "Fees by bracket": "Fees by number of hands dealt",
    "Refused (diary, not sealed)": "Refused entries",
}


@dataclass(slots=True)
class Said:
    title: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    tables: dict[str, Rows] = field(default_factory=dict)
    """By their titles, without the names of columns; charts are not among them."""

    @property
    def is_of_a_hand(self) -> bool:
        return self.title.startswith("Hand ")


def in_markdown(text: str) -> Said:
    said, section = Said(), ""
    for line in text.splitlines():
        if line.startswith("# "):
            said.title = line[2:]
        elif line.startswith("## "):
            section = line[3:]
        elif fact := re.fullmatch(r"- ([^:*]+): \*\*(.*)\*\*", line):
            said.facts[fact[1]] = fact[2]
        elif line.startswith("|"):
            cells = tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
            said.tables.setdefault(section, []).append(cells)
    for rows in said.tables.values():
        del rows[:2]
        if rows[0][0] == "none":
            rows.clear()
    return said


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said, self._section, self._text = Said(), "", ""
        self._name, self._cells = "", list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("h1", "h2", "dt", "dd", "td", "time", "i", "li"):
            self._text = ""
        if tag in ("table", "ol") or (tag, attrs) == ("p", [("class", "none")]):
            self.said.tables[self._section] = []
        if tag == "b" and self._text and not self._text.endswith(" "):
            self._text += " "

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        text = " ".join(self._text.translate(_SUITS).split())
        match tag:
            case "h1":
                self.said.title = text
            case "h2":
                self._section = text
            case "dt":
                self._name = text
            case "dd":
                self.said.facts[self._name] = text
            case "td" | "time" | "i":
                self._cells.append(text)
                self._text = ""
            case "span" if self._cells and len(self._cells) == 1:
                if self._text:
                    self._what = text
            case "tr" | "li" if self._cells:
                cells = self._cells
                if tag == "li":
                    cells = [cells[0], self._what, cells[1]]
                self.said.tables[self._section].append(tuple(cells))
                self._cells = []


def in_html(text: str) -> Said:
    page = _Page()
    page.feed(text)
    return page.said


def said_today(kept: Said) -> Said:
    """What a release said, in today's words."""
    facts: dict[str, str] = {}
    for name, value in kept.facts.items():
        match name:
            case "Waived":
                facts["Fee waived" if kept.is_of_a_hand else "Fees waived"] = value
            case "Restarts, clock moved":
                facts["Restarts"], facts["Clock changes"] = value.split(", ")
            case "Called off":
                facts[name] = _called_off(value)
            case "Worth a look for":
                facts["Look at"] = flags_text(value.split(", "))
            case _:
                facts[_FACTS.get(name, name)] = value
    tables = {}
    for title, rows in kept.tables.items():
        if title == "In the log":
            title = "In the journal" if kept.is_of_a_hand else "Journals"
        tables[_TABLES.get(title, title)] = [_row(title, row) for row in rows]
    return Said(kept.title, facts, tables)


def _called_off(value: str) -> str:
    misdealt, void = (int(part.split()[0]) for part in value.split(", "))
    parts = [(misdealt, "misdeal"), (void, "void hand")]
    made = [f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in parts if count]
    return ", ".join(made) or "none"


def _row(title: str, row: tuple[str, ...]) -> tuple[str, ...]:
    match title:
        case "Rulings":
            by = 1 if len(row) == 6 and row[1] != "-" and not row[1].isdecimal() else 2
            name, comma, after = row[by + 1].partition(", ")
            ruling = ruling_title(name.split()[0]) + comma + after
            return (*row[:by], row[by].replace("+", " and "), ruling, *row[by + 2 :])
        case "Hands to look at":
            return (*row[:-1], flags_text(row[-1].split(", ")))
        case "Dealers":
            return (row[0].replace("nobody pushed in", "no dealer signed in"), *row[1:])
        case "What happened":
            what = re.sub(r"! FLOOR (\S+) (\w+)", _floor, row[1]).replace(" ALIVE ", " LIVE ")
            what = re.sub(r"(\S+) into the pot, (seat \d+)", r"\2 adds \1 to the pot", what)
            what = re.sub(
                r"(\S+) out of the pot, (seat \d+)", r"\2 takes \1 back from the pot", what
            )
            return (row[0], what, row[2])
    return row


def _floor(found: re.Match[str]) -> str:
    return f"! FLOOR {found[1].replace('+', ' and ')}: {ruling_title(found[2])}"
