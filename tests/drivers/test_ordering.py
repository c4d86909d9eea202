from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from omaha_drivers.ordering import (
    MAX_GAPS,
    MAX_HELD,
    MAX_JUMP,
    TRIES,
    MissingEvents,
    ResendRequest,
    Resequencer,
)


@given(st.integers(1, 150), st.integers(0, 2**32), st.floats(0, 0.6))
def test_whatever_is_lost_or_late_all_come_in_order_or_are_counted(
    count: int, seed: int, loss: float
) -> None:
    chance = random.Random(seed)
    order: Resequencer[int] = Resequencer(0)
    line = [number for number in range(1, count + 1) if chance.random() >= loss]
    line += chance.choices(range(1, count + 1), k=5)
    chance.shuffle(line)
    found: list[tuple[int, int | MissingEvents]] = []
    now = 0.0
    while line or order.due() is not None:
        for number in line:
            found += order.offer(number, number, now)
        line = []
        order.note_last(count)
        wanted = order.request_missing(now)
        if isinstance(wanted, ResendRequest):
            for first, last in wanted.ranges:
                line += [n for n in range(first, last + 1) if chance.random() >= loss]
        elif wanted is not None:
            found += wanted
        now += 0.05
    at = 0
    for number, event in found:
        at += event.count if isinstance(event, MissingEvents) else 1
        assert number == at
        assert isinstance(event, MissingEvents) or event == number
    assert at == count


def test_a_gap_is_asked_for_whole_and_at_once_and_then_given_up() -> None:
    order: Resequencer[str] = Resequencer(0)
    assert order.offer(5, "five", 0.0) == []
    assert order.request_missing(0.0) == ResendRequest(((1, 4),))
    assert order.request_missing(0.2) is None
    for turn in range(1, TRIES):
        assert order.request_missing(0.25 * turn) == ResendRequest(((1, 4),))
    assert order.request_missing(1.0) == [(4, MissingEvents(4, 4)), (5, "five")]
    assert order.due() is None


def test_progress_gives_the_gap_more_time() -> None:
    order: Resequencer[str] = Resequencer(0)
    order.note_last(3)
    for turn in range(TRIES):
        assert order.request_missing(0.25 * turn) == ResendRequest(((1, 3),))
    order.offer(2, "two", 0.9)
    assert order.request_missing(1.0) is None
    assert order.request_missing(1.15) == ResendRequest(((1, 1), (3, 3)))


def test_what_is_too_far_ahead_is_not_held_and_comes_again() -> None:
    order: Resequencer[str] = Resequencer(0)
    order.offer(MAX_HELD + 5, "far", 0.0)
    assert order.request_missing(0.0) == ResendRequest(((1, MAX_HELD + 5),))


def test_a_number_that_cannot_be_is_not_waited_for() -> None:
    order: Resequencer[str] = Resequencer(0)
    order.offer(MAX_JUMP + 100, "never", 0.0)
    assert order.request_missing(0.0) is None


def test_what_a_gap_has_grown_by_is_asked_for_as_often_before_it_is_given_up() -> None:
    order: Resequencer[str] = Resequencer(0)
    order.note_last(1)
    for turn in range(TRIES):
        assert order.request_missing(0.25 * turn) == ResendRequest(((1, 1),))
    order.note_last(3)
    assert order.request_missing(0.99) == ResendRequest(((2, 3),))
    assert order.request_missing(1.0) == [(1, MissingEvents(1, 1))]
    for turn in range(TRIES):
        assert order.request_missing(1.0 + 0.25 * turn) == ResendRequest(((2, 3),))
    assert order.request_missing(2.0) == [(3, MissingEvents(2, 3))]


def test_what_has_come_already_is_a_repeat_and_is_not_kept() -> None:
    order: Resequencer[str] = Resequencer(0)
    assert order.offer(1, "one", 0.0) == [(1, "one")]
    assert order.offer(3, "three", 0.0) == []
    assert order.offer(1, "again", 0.0) == order.offer(3, "again", 0.0) == []
    assert order.repeats == 2
    assert order.offer(2, "two", 0.0) == [(2, "two"), (3, "three")]


def test_many_gaps_are_asked_for_in_a_bounded_number_of_questions() -> None:
    order: Resequencer[int] = Resequencer(0)
    for number in range(2, 61, 2):
        order.offer(number, number, 0.0)
    asked = order.request_missing(0.0)
    assert isinstance(asked, ResendRequest)
    assert len(asked.ranges) == MAX_GAPS
    covered = {n for first, last in asked.ranges for n in range(first, last + 1)}
    assert covered >= set(range(1, 61, 2))


def test_only_what_was_asked_for_can_be_said_to_be_gone() -> None:
    order: Resequencer[str] = Resequencer(0)
    order.note_last(3)
    order.request_missing(0.0)
    order.note_last(10)
    assert order.requested(1, 10) == (1, 3)
    assert order.requested(4, 10) is None
