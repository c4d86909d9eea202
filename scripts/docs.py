"""Generates pages of docs/ from the program; --check reports the ones that are out of date."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import get_args

import click

from omaha_table.cli import omaha_table
from omaha_table.floor import RULINGS
from omaha_table.floor.rulings import GROUPS
from omaha_table.floor.staff import Role
from omaha_table.hand.phases import COMMANDS, TRANSITIONS, Phase
from omaha_table.journal.codec import json_schema
from omaha_table.office.decisions import ACTS, Act
from omaha_table.rules import load_profile, shipped_ids
from omaha_table.rules.posted_card import card
from omaha_table.rules.sources import with_titles
from omaha_table.session.config import TableSection
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
    groups = "\n\n".join(
        f"## {first}0s: {name}\n\n| number | ruling | script |\n|---|---|---|\n"
        + "\n".join(
            f"| {r.number} | {r.meaning} | `{_in_table(r.usage)}` |"
            for r in RULINGS
            if r.number // 10 == first
        )
        for first, name in GROUPS.items()
        if any(r.number // 10 == first for r in RULINGS)
    )
    return f"""# Rulings

At the console a ruling has a number of two digits, which never changes: `/`, PIN, `ENTER`, number.
In a script it is `floor PIN RULING … "reason"`. Voiding a hand past the flop and a large correction
of the pot need two PINs. `floor ask RULING …` shows in one sentence what the ruling would do now;
`config/examples/rulings/` has a script for each. `backup` takes back entries of a hand, including
rulings on the hand; chips moved by a ruling outside the hand stay moved.

{groups}
"""


def _in_table(text: str) -> str:
    return text.replace("|", r"\|")


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


ROLES = {
    Role.DEALER: "dealer",
    Role.FLOOR: "floor supervisor",
    Role.SHIFT: "shift manager",
    Role.AUDITOR: "auditor",
}
SIGN_IN = {
    "number": "house number, of the staff list if there is one",
    "pin": "house number and PIN",
}
"""What the settings of `dealer_sign_in` ask for."""
AT_THE_CONSOLE = (
    "open a day, deal, report cards, call the floor",
    'open and close a shift (`[authority] shift = "dealer"`, the default)',
    "ask what a ruling would do (`floor ask`)",
)


SIGNED_FOR: dict[str, tuple[str, ...]] = {
    "console": ("ruling", "sign_in", "shift"),
    "script": ("ruling", "sign_in", "shift"),
    "review": ("count", "explain", "close", "note"),
    "report": ("count",),
    "office count": ("count",),
    "office explain": ("explain",),
    "office close": ("close",),
    "office threshold": ("threshold",),
    "staff init": ("first",),
    "staff add": ("staff",),
    "staff disable": ("staff",),
    "staff enable": ("staff",),
    "staff pin": ("own_pin", "staff"),
    "unseal": ("unseal",),
    "enroll": ("enroll", "enroll_office"),
    "staff follow": ("follow",),
    "room enroll": ("enroll_table",),
    "room serve": ("page", "count", "explain", "close", "threshold", "section"),
    "room staff publish": ("publish",),
}
"""What is signed for at a command; at all others nobody is asked for a PIN."""
WHEN = {
    "report": "with `--box`",
    "review": "looking needs nobody",
    "office threshold": "with an AMOUNT",
    "staff init": "where there is a list of 0.1.0; else nobody",
    "staff pin": "with the old PIN, or with `--by`",
    "enroll": "the second with `--office`",
    "staff follow": "where there is a list; else nobody",
    "room enroll": "after an alarm; else nobody",
}


def leaves(group: click.Group, *before: str) -> list[str]:
    """Every command of the program, as it is typed."""
    context, found = click.Context(group), []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if command.hidden:
            continue
        words = (*before, name)
        found += leaves(command, *words) if isinstance(command, click.Group) else [" ".join(words)]
    return found


def commands_by_role() -> list[tuple[str, ...]]:
    """Each command with what is signed for at it, and the roles that may."""
    every = leaves(omaha_table)
    unknown = SIGNED_FOR.keys() - set(every)
    assert not unknown, unknown
    rows = []
    for command in every:
        when = f" ({WHEN[command]})" if command in WHEN else ""
        signed = SIGNED_FOR.get(command, ())
        rows += [(f"`{command}`{when}", ACTS[act].title, _may(ACTS[act])) for act in signed]
        if not signed:
            rows.append((f"`{command}`", "nobody signs", " | ".join("yes" for _ in ROLES)))
    return rows


def roles_page() -> str:
    setting = TableSection.model_fields["dealer_sign_in"]
    sign_ins = [
        (
            f'sign in at the push (`dealer_sign_in = "{name}"`)',
            "yes | – | – | –",
            "1",
            SIGN_IN[name],
        )
        for name in get_args(setting.annotation)
    ]
    anybody = " | ".join("yes" for _ in ROLES)
    give = ACTS["ruling"]
    closing = next(ruling for ruling in RULINGS if ruling.name == "close")
    rows = [
        *((what, anybody, "1", "nobody signs") for what in AT_THE_CONSOLE),
        *sign_ins,
        (give.title, _may(give), "1", _signed(give)),
        (f"close the day (ruling `{closing.name}`)", _may(give), "1", _signed(give)),
        *(
            (f"ruling `{ruling.name}` {ruling.two_persons}", _may(give), "2", "each with a PIN")
            for ruling in RULINGS
            if ruling.two_persons
        ),
        *(
            (act.title, _may(act), _persons(act), _signed(act))
            for name, act in ACTS.items()
            if name != "ruling"
        ),
    ]
    rulings = [
        (f"`{ruling.name}`", ruling.title, _may(give), ruling.two_persons or "never")
        for ruling in RULINGS
    ]
    table, by_command, by_ruling = (
        "\n".join(f"| {' | '.join(row)} |" for row in each)
        for each in (rows, commands_by_role(), rulings)
    )
    return f"""# Who may do what

This page is generated from the tables that the program decides by. A role is checked where an entry
is decided, never by a screen alone, and `verify` checks it again for the office journal.

| | {" | ".join(ROLES.values())} | persons | signed |
|---|---|---|---|---|---|---|
{table}

The table's file says how dealers sign in (`dealer_sign_in`, by default `{setting.default}`), and
the rules say what is a large correction (`two_persons_above`). `[authority]` there says who opens
and closes a shift (`shift`: the dealer, the floor with a PIN, or the shift manager alone) and who
closes the day (`day`: the floor, or the shift manager alone).

To close a variance it takes somebody else than the one who explained it. Each PIN that is not
accepted is an entry of the office journal and counts towards a lock-out, whatever it was typed for
([how](journal.md#the-office-journal)).

## Every command

Whoever may run the program in a folder may run these. What is signed for takes the PINs of the
table above.

| command of `omaha-table` | signed for | {" | ".join(ROLES.values())} |
|---|---|---|---|---|---|
{by_command}

Of the [commands at a table](commands.md), `floor` gives a ruling, `down` signs in, and `shift`
opens and closes a shift, each as above. All others are for whoever is at the console.

## Every ruling

| ruling | does | {" | ".join(ROLES.values())} | two persons |
|---|---|---|---|---|---|---|
{by_ruling}

[rulings.md](rulings.md) says what each is for.
"""


def _may(act: Act) -> str:
    marks = []
    for role in ROLES:
        if role not in act.roles:
            marks.append("–")
        elif act.among and role not in act.among:
            marks.append("with another")
        else:
            marks.append("yes")
    return " | ".join(marks)


def _persons(act: Act) -> str:
    if act.persons == 1:
        return "1"
    among = " or ".join(name for role, name in ROLES.items() if role in act.among)
    return f"{act.persons}, one of them a {among}"


def _signed(act: Act) -> str:
    if act.once:
        return "PIN once a session"
    return "PIN" if act.persons == 1 else "each with a PIN"


PAGES = {
    "rules.md": rules_page,
    "roles.md": roles_page,
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
