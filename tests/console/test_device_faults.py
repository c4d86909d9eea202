"""The short form of `scripts/faults`: what the dealer reads when a device or its line fails."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scripts.campaigns.faults.campaign import Case, cases, run
from scripts.campaigns.faults.scene import Scene, Wrong

if TYPE_CHECKING:
    from pathlib import Path

CASES = {str(case): case for case in cases()}
QUICK = [
    case for case in CASES.values()
    if not case.fault.slow
    and (case.over == "pty" or "tcp" in case.fault.differs or case.fault.over == ("tcp",))
]  # fmt: skip
ON_A_TERMINAL = (
    "a wrong check in every fifth frame, tdp, tcp",
    "unplugged in mid-frame, angel_eye, pty",
    "the console killed in the deal, tdp, pty",
)


@pytest.mark.campaign
@pytest.mark.parametrize("case", QUICK, ids=str)
def test_the_dealer_reads_what_is_wrong(case: Case, tmp_path: Path) -> None:
    assert run(case, tmp_path, on_terminal=False).wrong == ""


@pytest.mark.campaign
@pytest.mark.parametrize("name", ON_A_TERMINAL)
def test_and_reads_it_on_a_terminal(name: str, tmp_path: Path) -> None:
    assert run(CASES[name], tmp_path, on_terminal=True).wrong == ""


def test_each_fault_is_told_apart_by_its_name() -> None:
    assert len(CASES) == sum(1 for _ in cases())
    assert {case.adapter for case in QUICK} == {"tdp", "angel_eye"}
    assert {case.over for case in CASES.values()} == {"pty", "tcp"}


# A console that is not right


def test_another_sentence_than_the_expected_one_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scripts.campaigns.faults.campaign.PATIENCE", 0.3)
    case = CASES["absent, tdp, pty"]
    other = replace(case, fault=replace(case.fault, sees="SHOE: everything is fine"))
    outcome = run(other, tmp_path, on_terminal=False)
    assert outcome.wrong == "not seen: SHOE: everything is fine"
    assert "No device at this port" in outcome.saw


def test_an_alarm_where_there_should_be_none_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scripts.campaigns.faults.campaign.PATIENCE", 0.3)
    case = CASES["unplugged in mid-frame, tdp, pty"]
    quiet = replace(case, fault=replace(case.fault, sees=""))
    assert run(quiet, tmp_path, on_terminal=False).wrong == "not seen: the cards out"


def test_a_log_that_does_not_say_it_is_found(tmp_path: Path) -> None:
    case = CASES["absent, tdp, pty"]
    noted = replace(case, fault=replace(case.fault, noted="stuck_card"))
    assert run(noted, tmp_path, on_terminal=False).wrong == "the log does not say stuck_card"


def test_a_face_down_card_on_a_screen_is_found(tmp_path: Path) -> None:
    scene = Scene(tmp_path, "shoe", "tdp", "pty")
    with scene:
        scene.begin(2)
        hidden = scene.deck[1]
        scene.drawn -= {hidden}
        scene.screens.append(f"seat 3 has {hidden}")
        with pytest.raises(Wrong, match="lies face down"):
            scene.check()
