"""Generates pages of docs/ from the program; --check reports the ones that are out of date."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from omaha_table.floor import RULINGS
from omaha_table.hand.phases import COMMANDS, TRANSITIONS, Phase
from omaha_table.journal.codec import json_schema
from omaha_table.rules import load_profile, shipped_ids
from omaha_table.rules.posted_card import card
from omaha_table.rules.sources import with_titles
from omaha_table.session.vocabulary import WORDS

DOCS = Path(__file__).resolve().parents[1] / "docs"


def commands_page() -> str:
    usages = [word.usage.replace("|", r"\|") for word in WORDS]
    rows = "\n".join(f"| `{u}` | {w.meaning} |" for u, w in zip(usages, WORDS, strict=True))
    return f"""# Commands

The commands of a script (`omaha-table script`), one per line, and of the console's command line
after `:`. `#` starts a comment.

Seats are numbers, money is dollars (`24`, `82.50`), a card is a rank from `23456789TJQKA` and a
suit from `cdhs`. `N fold`, `N raise 24` … name the seat that acts; out of turn, they are refused.

| command | meaning |
|---|---|
{rows}
"""


def hand_page() -> str:
    arrows = "\n".join(
        f"    {start} --> {end}: {move}" for (start, move), end in TRANSITIONS.items()
    )
    rows = "\n".join(
        f"| {phase} | {', '.join(sorted(COMMANDS[phase])) or '–'} |" for phase in Phase
    )
    return f"""# The phases of a hand

Generated from the table in `omaha_table/hand/phases.py`. There is no other way from one phase to
another.

```mermaid
stateDiagram-v2
    [*] --> deal: blinds posted
{arrows}
    ended --> [*]
```

These are the commands of each phase. Anything else is refused. A card from the shoe for which no
slot is open is recorded as an irregularity.

| phase | commands |
|---|---|
{rows}
"""


def rulings_page() -> str:
    usages = [ruling.usage.replace("|", r"\|") for ruling in RULINGS]
    rows = "\n".join(f"| `{u}` | {r.title} |" for u, r in zip(usages, RULINGS, strict=True))
    return f"""# Rulings

A floor supervisor gives a ruling with `floor PIN RULING … "reason"`. Voiding a hand past the flop
and a large correction of the pot need two PINs. `floor ask RULING …` shows in one sentence what the
ruling would do now; `config/examples/rulings/` has a script for each. `backup` takes back entries
of a hand, including rulings on the hand; chips moved by a ruling outside the hand stay moved.

| ruling | does |
|---|---|
{rows}
"""


def rules_page() -> str:
    profiles = [load_profile(name) for name in shipped_ids()]
    names = "\n".join(f"| `{p.id}` | {p.profile.title} | {p.profile.version} |" for p in profiles)
    topics: dict[str, dict[tuple[str, str], list[str]]] = {}
    limits: dict[str, list[str]] = {}
    for profile in profiles:
        topic = ""
        for line in card(profile):
            topic = line.topic or topic
            if topic.startswith("Limit "):
                head = topic.removeprefix("Limit ") if line.topic else ""
                # Rules of different sources stand one below the other, each beside its own.
                apart = "<br>".join(rule.text for rule in line.rules)
                text = line.text if len(line.sources) == 1 else apart
                row = f"| {head} | {text} | {'<br>'.join(map(with_titles, line.sources))} |"
                limits.setdefault(profile.id, []).append(row)
            else:
                said = topics.setdefault(topic, {})
                for rule in line.rules:
                    said.setdefault((rule.text, rule.source), []).append(f"`{profile.id}`")
    rules = "\n\n".join(
        f"## {topic}\n\n| rule | profiles | source |\n|---|---|---|\n"
        + "\n".join(
            f"| {text} | {_some([*dict.fromkeys(by)], len(profiles))} | {with_titles(source)} |"
            for (text, source), by in sorted(said.items(), key=lambda row: _first(row[0][0], said))
        )
        for topic, said in topics.items()
    )
    stakes = "\n\n".join(
        f"### `{name}`\n\n| limit | | source |\n|---|---|---|\n" + "\n".join(rows)
        for name, rows in limits.items()
    )
    return f"""# Rules

The rules of the shipped profiles, one by one, with the document behind each. This page is generated
from `config/rules/`. `omaha-table rules show PROFILE` prints the rules of one profile as a card to
post at the table.

| profile | game | version |
|---|---|---|
{names}

{rules}

## Limits and fees

{stakes}
"""


def _first(text: str, said: dict[tuple[str, str], list[str]]) -> int:
    """Where a rule is said first: its other sources stand next to each other."""
    return [other for other, _ in said].index(text)


def _some(names: list[str], of: int) -> str:
    return "all" if len(names) == of else ", ".join(names)


PAGES = {
    "rules.md": rules_page,
    "rulings.md": rulings_page,
    "commands.md": commands_page,
    "hand.md": hand_page,
    "events.schema.json": lambda: json.dumps(json_schema(), indent=1, sort_keys=True) + "\n",
}


def main() -> int:
    stale = []
    for name, make in PAGES.items():
        path, text = DOCS / name, make()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    print(f"out of date: {', '.join(stale)}" if stale else "all pages are up to date")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
