"""Evenings at the table as text, run on the real session, for the tests of every room."""

from __future__ import annotations

import copy
import tomllib
from typing import TYPE_CHECKING, Any

from omaha_table.floor.files import demo_staff
from omaha_table.rules import Profile, examine, load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from omaha_table.shipped import config_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from omaha_table.floor import Staff

NO_FEE = [{"players": "2+", "fee": "0.00"}]


def shipped(profile_id: str) -> dict[str, Any]:
    return tomllib.loads(
        (config_dir() / "rules" / f"{profile_id}.toml").read_text(encoding="utf-8")
    )


def placed(profile_id: str) -> Profile:
    """A shipped profile whose button is placed, so that a script can open with `button N`."""
    profile = load_profile(profile_id)
    button = profile.button.model_copy(update={"initial": "placed"})
    return profile.model_copy(update={"button": button})


PLACED_BIG_O = placed("ca_big_o")
PLACED_HILO = placed("ca_omaha_hilo")


def draw_lines(button: int, seats: Iterable[int]) -> list[str]:
    """The draw for the button, a card to each seat in order: the ace gives its seat the button."""
    ranks = iter("23456789TJQK")
    return [f"draw {seat} {'A' if seat == button else next(ranks)}s" for seat in sorted(seats)]


def opening(profile: Profile, button: int, seats: Iterable[int]) -> list[str]:
    """How a game opens under these rules with the button at this seat: placed, or by a draw."""
    if profile.button.initial == "placed":
        return [f"button {button}"]
    return draw_lines(button, seats)


def profile_with(base: str = "ca_omaha_hilo", **changes: Any) -> Profile:
    """A shipped profile with sections changed; `limit` replaces its limits by one.

    The button is placed unless a test asks for the draw: `button={"initial": "high_card"}`.
    """
    data = copy.deepcopy(shipped(base))
    data["button"]["initial"] = "placed"
    limit = changes.pop("limit", None)
    for section, values in changes.items():
        data[section] = data.get(section, {}) | values
    if limit is not None:
        data["limits"] = [limit]
    data["sources"] = {}
    profile, faults = examine(data)
    assert profile is not None, faults
    return profile


def no_limit(blind: str = "1.00", **changes: Any) -> dict[str, Any]:
    """A no-limit game without fees, small and big blind alike."""
    return {
        "id": "test",
        "structure": "no_limit",
        "small_bet": blind,
        "small_blind": blind,
        "big_blind": blind,
        "fees": NO_FEE,
    } | changes


def run(
    script: str,
    rules: str | Profile = PLACED_BIG_O,
    limit: str | None = None,
    clock: Callable[[], float] | None = None,
    staff: Staff | None = None,
) -> list[dict[str, Any]]:
    """Everything a script answers, in order."""
    profile = load_profile(rules) if isinstance(rules, str) else rules
    chosen = profile.limits[0] if limit is None else profile.limit(limit)
    assert chosen is not None
    session = Session(profile, chosen, staff or demo_staff(), clock or (lambda: 1_800_000_000.0))
    return [
        answer
        for number, line in enumerate(script.splitlines(), start=1)
        for answer in run_line(session, number, line)
    ]


def of_type(answers: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [answer for answer in answers if answer["type"] == kind]


def hand_end(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """The one summary line of a script that plays one hand without a refusal."""
    assert not of_type(answers, "refused"), of_type(answers, "refused")
    [ended] = of_type(answers, "hand_ended")
    check_sums(ended)
    return ended


def check_sums(ended: dict[str, Any]) -> None:
    taken = ended["fee"] + ended["jackpot"]
    assert sum(ended["invested"].values()) == sum(ended["awards"].values()) + taken
    assert sum(pot["amount"] for pot in ended["pots"]) == sum(ended["awards"].values())
    for pot in ended["pots"]:
        assert sum(pot["high"].values()) + sum(pot["low"].values()) == pot["amount"]
        assert {*pot["high"], *pot["low"]} <= set(map(str, pot["eligible"]))


def codes(answers: list[dict[str, Any]]) -> list[str]:
    return [answer["code"] for answer in of_type(answers, "refused")]
