"""A renamed player's results stay with the person; counted and picked-up stacks are reported."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING

from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.moments import around_hands
from omaha_table.review.index.projection import Projection
from omaha_table.review.reports.render import as_markdown
from omaha_table.review.reports.summaries import summary
from tests.review.found import Wall, found, projected
from tests.review.nights import Night, read
from tests.review.report_parts import facts_of

if TYPE_CHECKING:
    from pathlib import Path


def names(path: Path, seat: int = 2) -> list[str]:
    return [hand.names.get(seat, "") for hand in read(path)]


def night(folder: Path) -> Night:
    return Night(folder, "ca_omaha_hilo").seat(4, 200_00)


def test_all_hands_of_a_person_have_the_last_name(tmp_path: Path) -> None:
    made = night(tmp_path)
    made.fold_out()
    made.say('rename 2 "Ben Ash"')
    made.fold_out()
    made.say("rename 2 Benjamin")
    path = made.close()
    assert names(path) == ["Benjamin", "Benjamin"]
    with closing(projected(path)) as projection:
        assert found(projection, "player:benjamin") == [2, 1]
        assert found(projection, "player:p2") == []
        assert found(projection, "player:p3") == [2, 1]


def test_the_name_follows_the_person_to_another_chair_and_nobody_else(tmp_path: Path) -> None:
    made = night(tmp_path)
    made.fold_out()
    made.say("move 2 7", "seat 2 Dora 100", "rename 7 Ben")
    made.fold_out()
    made.say("leave 7", "seat 7 Eve 100")
    made.fold_out()
    path = made.close()
    assert names(path, 2) == ["Ben", "Dora", "Dora"]
    assert names(path, 7) == ["", "Ben", "Eve"]


def test_a_name_that_was_taken_back_was_never_there(tmp_path: Path) -> None:
    made = night(tmp_path)
    made.fold_out()
    made.say("rename 2 Ben", "undo")
    made.fold_out()
    assert names(made.close()) == ["P2", "P2"]


def test_a_player_of_the_day_before_has_the_new_name_in_the_new_day(tmp_path: Path) -> None:
    wall = Wall(2026, 11, 14, 23, 0)
    made = Night(tmp_path, "ca_omaha_hilo", clock=wall.clock).seat(4, 200_00)
    made.fold_out()
    wall.at += 8 * 3600
    made.fold_out()
    made.say("rename 2 Ben")
    made.session.close()
    first, second = sorted(tmp_path.glob("*.journal"))
    assert names(first) == ["P2"]
    assert names(second) == ["Ben"]


def test_hands_that_were_read_before_are_found_under_the_new_name(tmp_path: Path) -> None:
    made = night(tmp_path)
    made.fold_out()
    [path] = tmp_path.glob("*.journal")
    with closing(Projection()) as projection:
        projection.refresh([path])
        assert found(projection, "player:p2") == [1]
        made.say("rename 2 Ben")
        projection.refresh([path])
        assert found(projection, "player:ben") == [1]
        made.say("undo")
        projection.refresh([path])
        assert found(projection, "player:p2") == [1]
        assert found(projection, "player:ben") == []
    made.session.close()


def test_exports_have_the_last_name(tmp_path: Path) -> None:
    made = night(tmp_path / "data")
    made.fold_out()
    made.say("rename 2 Ben")
    path = made.close()
    for form in ("phh", "json", "ohh"):
        out = tmp_path / form
        words = ["export", "--format", form, "--out", str(out), str(path)]
        assert CliRunner().invoke(omaha_table, words).exit_code == 0
        text = "".join(file.read_text(encoding="utf-8") for file in out.iterdir())
        assert "Ben" in text, form
        assert "P2" not in text, form


def test_a_report_counts_stacks_that_dealers_set_and_chips_that_were_picked_up(
    tmp_path: Path,
) -> None:
    """30 minutes away are too long; what was taken back was not done."""
    wall = Wall(2026, 11, 14, 20, 0)
    made = Night(tmp_path, "ca_omaha_hilo", clock=wall.clock).seat(4, 200_00)
    made.say("chips 3 150", "chips 4 20", "undo", "chips 1 untracked", "away 1", "away 3")
    made.fold_out()
    wall.at += 1800
    made.say("pickup 1", "pickup 3")
    made.fold_out()
    path = made.close()
    around = [(given.hand, given.moment) for given in around_hands(path)]
    report = summary("Day", read(path), around=around)
    assert facts_of(report)["Stacks counted"] == "2"
    assert facts_of(report)["Chips picked up"] == "2 seats, $150, 1 not tracked"
    counted = [(one["seat"], one["stack"], one["was"]) for one in report.data["stacks_counted"]]
    assert counted == [(3, 150_00, 200_00), (1, None, 200_00)]
    assert [(one["seat"], one["stack"]) for one in report.data["picked_up"]] == [
        (1, None), (3, 150_00),
    ]  # fmt: skip
    assert json.dumps(report.data)
    assert "Chips picked up" in as_markdown(report)
    with closing(projected(path)) as projection:
        lines = projection.incidents(parse_filter(""), 0, 20, by_time=True)
    kinds = [row["kind"] for row in lines]
    assert (kinds.count("adjusted"), kinds.count("picked_up")) == (3, 2)
