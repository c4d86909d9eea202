"""Plain questions on a terminal, one at a time, each with an explanation behind `?`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
from pydantic import ValidationError

from omaha_table.cli.lines import say
from omaha_table.rules.load import faults_of
from omaha_table.text import visible_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pydantic import BaseModel

T = TypeVar("T")


def ask(
    question: str,
    why: str,
    check: Callable[[str], T],
    default: str | None = None,
    *,
    hidden: bool = False,
    show_default: bool = True,
) -> T:
    """The answer, made of what was typed by `check`, which raises ValueError to ask again.

    ENTER alone takes the default, which is shown in brackets; without one it asks again.
    """
    text = f"{question} [{default}]" if default and show_default else question
    while True:
        try:
            given = click.prompt(
                visible_lines(text),
                default=default or "",
                show_default=False,
                hide_input=hidden,
                prompt_suffix=": ",
                # Click would ask again, without a word, where nothing was typed.
                value_proc=str,
            ).strip()
        except UnicodeDecodeError:
            click.echo("  That is not text in UTF-8. Type it again.")
            continue
        if given == "?":
            _explain(why)
            continue
        try:
            return check(given)
        except ValueError as error:
            _explain(f"{error}")


def choose(
    heading: str,
    question: str,
    why: str,
    options: Sequence[tuple[str, T]],
    other: Callable[[str], T] | None = None,
    default: int = 1,
) -> T:
    """One of a numbered list, or what `other` makes of anything else that was typed."""
    numbers = {str(number): value for number, (_, value) in enumerate(options, start=1)}

    def check(given: str) -> T:
        if given in numbers:
            return numbers[given]
        if other is None or given.isdecimal():
            raise ValueError(f"Type a number from 1 to {len(options)}.")
        return other(given)

    click.echo(f"\n{heading}")
    for number, (text, _) in enumerate(options, start=1):
        first, *rest = text.split("\n")
        say(f"  {number}  {first}")
        for line in rest:
            say(f"     {line}")
    return ask(question, why, check, str(default))


def confirm(question: str, why: str, *, default: bool) -> bool:
    answers = "Y/n" if default else "y/N"
    given = "y" if default else "n"
    return ask(f"{question}? [{answers}]", why, _yes_or_no, given, show_default=False)


def _yes_or_no(given: str) -> bool:
    answers = {"y": True, "yes": True, "n": False, "no": False}
    if given.lower() not in answers:
        raise ValueError("Type y or n.")
    return answers[given.lower()]


def _explain(text: str) -> None:
    for line in text.split("\n"):
        click.echo(click.wrap_text(visible_lines(line), 78, "  ", "  "))


# Checks of answers


def setting(section: type[BaseModel], name: str) -> Callable[[str], str]:
    """Takes what the table's file would take, and says what is wrong in the same words."""

    def check(given: str) -> str:
        data = {name: given}
        try:
            section.model_validate(data)
        except ValidationError as error:
            for fault in faults_of(error, data, section):
                if fault.key == name:
                    raise ValueError(f"{fault.problem}. Allowed: {fault.allowed}.") from None
        return given

    return check


def fits(section: type[BaseModel], name: str, given: str) -> bool:
    try:
        setting(section, name)(given)
    except ValueError:
        return False
    return True


def path_of(given: str) -> Path:
    if not given or not given.isprintable():
        raise ValueError("Type the name of a file or folder.")
    return Path(given).expanduser().absolute()


def check_writable(folder: Path) -> None:
    """That the folder can be written, or made; so it is known before the last question."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir():
        raise ValueError(f"{there} is not a folder.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise ValueError(f"The folder {there} cannot be written.")
