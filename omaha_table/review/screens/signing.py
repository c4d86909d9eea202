"""Who signs in the review: a staff number, then that person's PIN, which is never shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.office.decisions import ACTS, OfficeRefused, check_signatures
from omaha_table.office.events import Signature
from omaha_table.review.screens.dialogs import Secret, StaffNumber

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.floor.staff import Person
    from omaha_table.review.screens.app import Review

_ORDER: Final = ("First", "Second", "Third")


async def sign(review: Review, act: str, title: str) -> tuple[Signature, ...]:
    """Asks one person after the other, as many as the act takes; leaving at any time ends it."""
    rule, ledger = ACTS[act], review.desk.ledger
    people = [
        person for person in ledger.staff.people
        if not person.disabled and person.role in rule.roles
    ]  # fmt: skip
    if len(people) < rule.persons:
        raise OfficeRefused(
            "nobody",
            f"There are not enough people on the staff list to {rule.title}. "
            "'omaha-table staff add' adds somebody.",
        )
    signed: tuple[Signature, ...] = ()
    slip = ""
    while len(signed) < rule.persons:
        asked = f"{_ORDER[len(signed)]} signature: {title}" if rule.persons > 1 else title
        person = await review.ask(StaffNumber(asked, people, slip))
        together = (*signed, Signature(person.id, person.name, person.role.value))
        try:
            if len(together) == rule.persons:
                check_signatures(act, together)
        except OfficeRefused as refused:
            review.bell()
            slip = refused.message
            continue
        signed, slip = (*signed, await _pin(review, act, person)), ""
    return signed


async def _pin(review: Review, act: str, person: Person) -> Signature:
    """Until the PIN is right, or the dialog is left."""
    slip = ""
    while True:
        pin = await review.ask(Secret(f"PIN of {person.id} {person.name}", slip))
        try:
            return await review.work(_check(review, act, pin, person), "Checking the PIN.")
        except OfficeRefused as refused:
            review.bell()
            slip = refused.message


def _check(review: Review, act: str, pin: str, person: Person) -> Callable[[], Signature]:
    return lambda: review.desk.ledger.sign(act, pin, person.id)
