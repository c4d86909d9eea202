"""Writes the pages of docs/ that are made from the program; --check says if one is out of date."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from omaha_table.floor import RULINGS
from omaha_table.hand.phases import COMMANDS, TRANSITIONS, Phase
from omaha_table.journal.codec import json_schema
from omaha_table.rules import load_profile, shipped_ids
from omaha_table.rules.posted_card import card
from omaha_table.session.vocabulary import WORDS

DOCS = Path(__file__).resolve().parents[1] / "docs"


def commands_page() -> str:
    usages = [word.usage.replace("|", r"\|") for word in WORDS]
    rows = "\n".join(f"| `{u}` | {w.meaning} |" for u, w in zip(usages, WORDS, strict=True))
    return f"""# Commands

What can be typed in a script (`omaha-table script`), one command a line, or at the console after
`:`; `#` starts a comment.
Seats are numbers, money is dollars (`24`, `82.50`), cards are a rank of `23456789TJQKA` and a suit
of `cdhs`. `N fold`, `N raise 24` … say whose action it is; it is refused as out of turn if it is
not that seat's turn.

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

Drawn from the table in `omaha_table/hand/phases.py`; there is no other way from one phase to
another.

```mermaid
stateDiagram-v2
    [*] --> deal: blinds posted
{arrows}
    ended --> [*]
```

What each phase takes; anything else is refused, and a card from the shoe that no slot waits for
is recorded as an irregularity.

| phase | commands |
|---|---|
{rows}
"""


def rulings_page() -> str:
    usages = [ruling.usage.replace("|", r"\|") for ruling in RULINGS]
    rows = "\n".join(f"| `{u}` | {r.title} |" for u, r in zip(usages, RULINGS, strict=True))
    return f"""# Rulings

What a floor supervisor can rule, as `floor PIN RULING … "reason"`; the void of a hand past the
flop and a large correction of the pot take two PINs. `floor ask RULING …` says in one sentence
what it would do now, `config/examples/rulings/` has a script for each. `backup` takes back entries
of a hand, rulings on the hand among them; chips moved by a ruling outside the hand stay moved.

| ruling | does |
|---|---|
{rows}
"""


def rules_page() -> str:
    profiles = [load_profile(name) for name in shipped_ids()]
    names = "\n".join(f"| `{p.id}` | {p.profile.title} | {p.profile.version} |" for p in profiles)
    topics: dict[str, dict[str, list[tuple[str, str]]]] = {}
    limits: dict[str, list[str]] = {}
    for profile in profiles:
        topic = ""
        for line in card(profile):
            topic = line.topic or topic
            if topic.startswith("Limit "):
                head = topic.removeprefix("Limit ") if line.topic else ""
                row = f"| {head} | {line.text} | {line.source} |"
                limits.setdefault(profile.id, []).append(row)
            else:
                said = topics.setdefault(topic, {})
                said.setdefault(line.text, []).append((f"`{profile.id}`", line.source))
    rules = "\n\n".join(
        f"## {topic}\n\n| rule | profiles | comes from |\n|---|---|---|\n"
        + "\n".join(
            f"| {text} | {_some([who for who, _ in by], len(profiles))} "
            f"| {'<br>'.join(dict.fromkeys(source for _, source in by))} |"
            for text, by in said.items()
        )
        for topic, said in topics.items()
    )
    stakes = "\n\n".join(
        f"### `{name}`\n\n| limit | | comes from |\n|---|---|---|\n" + "\n".join(rows)
        for name, rows in limits.items()
    )
    return f"""# Rules

What the shipped profiles say, rule by rule, with the document behind each; made from
`config/rules/`, where they are kept once. `omaha-table rules show PROFILE` prints one of them as a
card to be posted. A name such as `004_62e76539aeb21045` is that of a rule document as it was filed.

| profile | game | version |
|---|---|---|
{names}

{rules}

## Limits and fees

{stakes}
"""


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
