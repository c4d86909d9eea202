"""What a reviewer records, question by question: notes, tags, counts, reviews of variances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from omaha_table.office.decisions import LONGEST, OfficeRefused
from omaha_table.office.state import CountKey
from omaha_table.review.index.box_openings import lies_open
from omaha_table.review.index.counting import still_open
from omaha_table.review.index.ledger import SEEN
from omaha_table.review.reports.count_text import amounts, person, variance_words
from omaha_table.review.screens.dialogs import Money, Text
from omaha_table.review.screens.signing import sign

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.office.events import Signature
    from omaha_table.review.index.projection import BoxKey
    from omaha_table.review.screens.app import Review

PHRASES: Final = (
    "pull the tape",
    "nothing wrong",
    "fee looks wrong",
    "pot looks wrong",
    "dealer error",
    "ruling is right",
    "discuss the ruling",
    "device: tell service",
    "ask the floor",
)
LOOK: Final = "look"
"""The tag of a hand that somebody should look at."""
_CORRECTED: Final = ("typed wrong", "counted again", "more chips were found", "the wrong box")
_EXPLAINED: Final = (
    "fee not taken", "fee taken twice", "fee given back in chips", "chips found at the table",
    "no cause found",
)  # fmt: skip
_CLOSED: Final = ("explanation accepted", "seen on camera", "no cause found, reported")
_NOTHING: Final = {
    "": "There is no variance above the threshold, so nothing to review.",
    "closed": "This variance is closed. A correction of the count opens a new review.",
}


async def write_note(review: Review, about: str, title: str) -> None:
    review.desk.check_may_record()
    note = await review.ask(Text(f"Note on {title}", PHRASES, letters=1))
    by = await _signed_in(review)
    await review.work(lambda: review.desk.ledger.note(about, note, by), "Writing.")
    review.say("The note is written.")
    review.refreshed()


async def set_tag(
    review: Review, about: str, tag: str, then: Callable[[], None] | None = None
) -> None:
    """Sets a tag, or takes it off; `then` happens once it is recorded."""
    desk = review.desk
    desk.check_may_record()
    by = await _signed_in(review)
    await review.work(lambda: desk.ledger.tag(about, tag, by), "Writing.")
    if tag == SEEN:
        desk.mark_seen()
    else:
        review.say(f"Tagged: {tag}." if tag in desk.ledger.tags_of(about) else "The tag is off.")
    review.refreshed()
    if then is not None:
        then()


async def _signed_in(review: Review) -> Signature:
    """Notes and tags are signed once, at the first one."""
    if review.desk.signed_in is None:
        [review.desk.signed_in] = await sign(review, "note", "Who writes notes and tags?")
    return review.desk.signed_in


def count_key(key: BoxKey) -> CountKey:
    return CountKey(key.log, key.shift, key.box, key.jackpot_box)


async def count_box(review: Review, key: BoxKey) -> None:
    """Asks for the count, the jackpot's count, why it is counted again, and two signatures."""
    desk = review.desk
    desk.check_may_record()
    if lies_open(desk.store.journal(key.file), key.table, count_key(key)):
        raise OfficeRefused(
            "shift_open",
            still_open(key.table, count_key(key)),
        )
    desk.check_may_count(count_key(key))
    where = f"{key.table} {key.day}"
    [counted] = await review.ask(Money(f"{where}: how much was in box {key.box or '-'}?"))
    jackpot = None
    if key.jackpot_box not in ("", "none"):
        asked = f"{where}: how much was in jackpot box {key.jackpot_box}?"
        [jackpot] = await review.ask(Money(asked, optional=True))
    before, why = desk.ledger.count_of(count_key(key)), ""
    if before is not None:
        asked = f"It was counted as {amounts(before)}. Why is it corrected?"
        why = await review.ask(Text(asked, _CORRECTED, letters=3))
    by = await sign(review, "count", "who counted?")
    drop = desk.projection.box_sums(key)
    found = await review.work(
        lambda: desk.ledger.count(
            key.table, key.day, count_key(key), (counted or 0, jackpot),
            (drop.due, drop.jackpots), by, why,
        ),
        "Writing.",
    )  # fmt: skip
    review.say(
        f"Counted {amounts(found)}: {variance_words(found)}. "
        f"Signed by {' and '.join(map(person, by))}."
    )
    review.refreshed()


def review_step(review: Review, key: BoxKey) -> Literal["", "open", "explained", "closed"]:
    """How far the review of a variance is; empty where there is nothing to review."""
    counted = review.desk.ledger.count_of(count_key(key))
    if counted is None or not counted.needs_review:
        return ""
    return review.desk.ledger.review_of(counted).status


async def review_box(review: Review, key: BoxKey) -> None:
    """Explains the variance of a box or, once it is explained, closes it."""
    ledger, step = review.desk.ledger, review_step(review, key)
    counted = ledger.count_of(count_key(key))
    if counted is None:
        raise OfficeRefused("not_counted", "The box has not been counted: + enters the count.")
    if step not in ("open", "explained"):
        raise OfficeRefused("no_review", _NOTHING[step])
    review.desk.check_may_record()
    if step == "open":
        asked = f"{variance_words(counted)}: why?"
        usual: tuple[str, ...] = _EXPLAINED
        act, who, write, said = "explain", "Who explains it?", ledger.explain, "Explained"
    else:
        asked, usual = f"{variance_words(counted)}: what came of it?", _CLOSED
        act, who, write, said = "close", "Who closes it?", ledger.close, "Closed"
    why = await review.ask(Text(asked, usual, letters=3))
    [by] = await sign(review, act, who)
    await review.work(lambda: write(counted, why[:LONGEST], by), "Writing.")
    after = " A shift manager who did not explain it closes it." if step == "open" else ""
    review.say(f"{said}, signed by {person(by)}.{after}")
    review.refreshed()
