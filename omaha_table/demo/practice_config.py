"""The table of a practice: the demo's players in any game, with stacks that fit its stakes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from omaha_table.demo.situations import open_game
from omaha_table.hand.commands import Deal, PayFee
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.config import demo_table
from omaha_table.table.commands import SeatPlayer, StartHand

if TYPE_CHECKING:
    from omaha_drivers.settings import Kind

    from omaha_table.demo.situations import Situation
    from omaha_table.money import Cents
    from omaha_table.rules import Limit, Profile
    from omaha_table.session.config import TableConfig

_DEMO_BET: Final[Cents] = 800
"""The big bet of the limit that the demo's stacks are made for."""
_LEAST_PLAYERS: Final = 6
"""A short all-in has somebody before it and somebody after it."""
_DEEP: Final = 30
"""Big bets that everybody has in a situation, so that nobody else is all in."""


class MisfitError(Exception):
    """The practice cannot be dealt; the message says why."""


def practice_table(rules: str, limit_id: str | None, situation: Situation | None) -> TableConfig:
    """The demo's players under other rules. Raises ProfileError and MisfitError."""
    profile = load_profile(rules)
    limit = profile.limits[0] if limit_id is None else profile.limit(limit_id)
    if limit is None:
        known = ", ".join(limit.id for limit in profile.limits)
        raise MisfitError(f"{profile.id} has no limit {limit_id!r}; it has {known}.")
    name = str(Path(rules).resolve()) if rules.endswith(".toml") else rules
    demo = demo_table()
    section = demo.table.model_copy(update={"rules": name, "limit": limit.id})
    players = demo.players[: profile.seats.max]
    table = demo.model_copy(update={"table": section, "players": players})
    table = table.with_stacks(_stacks(table, limit, deep=situation is not None))
    if situation is None:
        return table
    misfit = situation.misfit(profile, limit)
    if not misfit and len(players) < _LEAST_PLAYERS:
        misfit = f"it needs {_LEAST_PLAYERS} players"
    if misfit:
        raise MisfitError(f"{situation.name!r} does not fit {profile.id}: {misfit}.")
    return table.with_stacks(_short_stack(situation, table, profile, limit))


def machines(table: TableConfig, *, shoe: bool) -> tuple[Kind, ...]:
    """What stands at the table: no shuffler where the rules have cards shuffled by hand."""
    shuffler = "machine" in load_profile(table.rules).shuffle.allowed
    return (*(("shuffler",) if shuffler else ()), *(("shoe",) if shoe else ()))


def _stacks(table: TableConfig, limit: Limit, *, deep: bool) -> dict[int, Cents]:
    bet = limit.big_bet if limit.structure == "limit" else None
    bet = bet or 2 * limit.small_bet
    if deep:
        return {player.seat: _DEEP * bet for player in table.players}
    times = max(-(-bet // _DEMO_BET), 1)
    return {player.seat: times * (player.stack or 0) for player in table.players}


def _short_stack(
    situation: Situation, table: TableConfig, profile: Profile, limit: Limit
) -> dict[int, Cents]:
    """Found out by dealing the beginning of the hand in memory."""
    if situation.short is None:
        return {}
    session = Session(profile, limit)
    for player in table.players:
        session.do(SeatPlayer(player.seat, player.name, player.stack))
    open_game(session)
    for command in (StartHand(), PayFee(), Deal()):
        session.do(command)
    hand = session.state.hand
    assert hand is not None, "the first hand has begun"
    stack = situation.short(session)
    return {hand.setup.dealt[stack.place]: stack.cents}
