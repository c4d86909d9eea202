from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from omaha_table.hand.frozen import replace
from omaha_table.journal.replay import table_before
from scripts.campaigns.crash import Tally, campaign, strace_works
from scripts.campaigns.powerloss import Cuts, explore

if TYPE_CHECKING:
    from omaha_table.journal.writer import JournalWriter
    from omaha_table.table import TableState

pytestmark = pytest.mark.campaign


def test_kills_lose_nothing_and_change_nothing() -> None:
    tally = campaign(60, seed=7, most=12)
    assert tally.kills >= 12
    assert tally.acknowledged > 200
    assert tally.wrong() == []


def test_the_campaign_finds_a_writer_that_acknowledges_before_it_commits() -> None:
    tally = campaign(60, seed=7, most=8, program=("tests.journal.planted_writer", "early"))
    assert tally.lost or tally.mismatches or tally.refused or tally.unopened
    assert tally.wrong()


def test_the_campaign_finds_a_recovery_that_forgets_the_last_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forgetful(journal: JournalWriter) -> TableState:
        return replace(table_before(journal.rows, journal.seq), seq=journal.seq)

    monkeypatch.setattr("omaha_table.session.session.read_back", forgetful)
    tally = campaign(60, seed=7, most=4)
    assert tally.mismatches
    assert f"replay mismatches: {tally.mismatches}" in tally.wrong()


def test_the_campaign_finds_a_writer_that_ends_by_itself() -> None:
    """Nobody can lose what was never acknowledged: that must not pass for nothing lost."""
    tally = campaign(60, seed=7, most=2, program=("tests.journal.planted_writer", "dead"))
    assert (tally.lost, tally.mismatches, tally.unsound) == (0, 0, 0)
    assert tally.wrong() == ["writers that ended by themselves: 2", "nothing was compared"]


def test_campaigns_that_compared_nothing_do_not_pass() -> None:
    assert "nothing was compared" in Tally(kills=5, too_early=5).wrong()
    assert "kills after which nothing was verified: 5" in Tally(kills=5).wrong()
    assert len(Cuts(cuts=50).wrong()) == 2


needs_strace = pytest.mark.skipif(
    shutil.which("strace") is None or not strace_works(),
    reason="there is no strace here that may trace",
)


@needs_strace
def test_a_power_cut_at_any_moment_leaves_a_sound_log_with_every_acknowledged_event() -> None:
    tally = Cuts()
    assert set(explore(150, seed=3, tally=tally)) == {""}
    assert (tally.cuts, tally.wrong()) == (150, [])


@needs_strace
def test_the_exploration_of_power_cuts_finds_a_disk_that_lies() -> None:
    assert len([found for found in explore(60, seed=3, lying=True) if found]) > 10


@needs_strace
def test_the_exploration_of_power_cuts_finds_a_journal_that_is_not_synchronized() -> None:
    tally = Cuts()
    for _ in explore(
        40, seed=3, program=("tests.journal.planted_writer", "unsynchronized"), tally=tally
    ):
        pass
    assert tally.compared > 20
    assert len(tally.failures) > 10
    assert tally.wrong() == [f"not recovered or lost: {len(tally.failures)}"]
