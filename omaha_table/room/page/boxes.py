"""The end of a shift: which boxes are still at their tables, which wait to be counted, what each
held, who signed for it, and what explains a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from omaha_table.journal.faults import JournalFault
from omaha_table.office.decisions import OfficeRefused
from omaha_table.office.events import ThresholdSet
from omaha_table.review.index.counting import NO_BOX, obstacle, still_open
from omaha_table.review.index.drop import over_or_short, reconcile
from omaha_table.review.index.ledger import COUNTED_ELSEWHERE, not_recorded
from omaha_table.review.reports.count_text import (
    amounts,
    names,
    number,
    review_lines,
    steps,
    when,
)
from omaha_table.room.page.box_words import (
    FIELDS,
    Difference,
    fields_of,
    path_of,
    sheet_path,
    shift_sums,
    state_words,
)
from omaha_table.room.page.forms import amount, new_number, once, signature
from omaha_table.room.page.notices import notice
from omaha_table.room.page.office import by_shift, office_of
from omaha_table.room.page.rendering import page
from omaha_table.room.page.visits import visit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from omaha_table.money import Cents
    from omaha_table.office.state import Counted
    from omaha_table.review.index.box_openings import OpenedBox
    from omaha_table.room.page.office import BoxState, Office
    from omaha_table.room.page.signing import Signers
    from omaha_table.room.page.visits import Visit

_MOST_SUSPECTS = 20


class Boxes:
    def __init__(self, office: Office, signers: Signers) -> None:
        self._office, self._signers = office, signers

    def routes(self) -> list[Route]:
        return [
            Route("/boxes", self.list, methods=["GET"]),
            Route("/box", self.show, methods=["GET"]),
            Route("/box/check", self.check, methods=["POST"]),
            Route("/box/count", self.count, methods=["POST"]),
            Route("/box/explain", self.explain, methods=["POST"]),
            Route("/box/close", self.close, methods=["POST"]),
            Route("/threshold", self.threshold, methods=["POST"]),
        ]

    # Looking

    def list(self, request: Request) -> Response:
        return self._list(visit_of(request), request.query_params.get("day", ""))

    def _list(self, visit: Visit, day: str, said: str = "", status: int = 200) -> Response:
        ledger, days = self._office.refreshed(), self._office.days()
        chosen = day if day in days else (days[0] if days else "")
        states = [self._office.state_of(box) for box in self._office.opened_on(chosen)]
        lines = [
            (
                shift,
                [(one, path_of(one.opened), state_words(one)) for one in some],
                shift_sums(some),
            )
            for shift, some in by_shift(states)
        ]
        with self._office.writing:
            threshold = ledger.records.brief.threshold
        return page(
            "boxes.html", visit, status, shifts=lines, day=chosen, days=days[:31], said=said,
            threshold=threshold, fault=ledger.fault, form=new_number(),
            reading=self._office.reading,
        )  # fmt: skip

    def show(self, request: Request) -> Response:
        return self._show(visit_of(request), request.query_params)

    def _show(
        self,
        visit: Visit,
        given: Mapping[str, str],
        said: str = "",
        status: int = 200,
        typed: Difference | None = None,
    ) -> Response:
        """A box: its count, what is asked next, and what was recorded of it."""
        ledger = self._office.refreshed()
        box = self._box(given)
        if box is None:
            return notice(visit, 404, "There is no such box.", "/boxes")
        state = self._office.state_of(box)
        counted = state.counted
        with self._office.writing:
            own = counted is None or ledger.is_own(counted)
            done = steps(ledger, box.key)
            reviewed = [] if counted is None else review_lines(ledger, counted)
        shown = self._difference(state, counted) if counted is not None else None
        return page(
            "box.html", visit, status, box=box, state=state, key=fields_of(box), own=own,
            done=done, reviewed=reviewed, counted=counted, shown=shown, typed=typed,
            elsewhere="" if counted is None or own else office_of(counted),
            twice=state.offices > 1, has_jackpot=box.key.jackpot_box not in NO_BOX,
            count_number="" if counted is None else number(counted), said=said,
            fault=ledger.fault, form=new_number(), back=f"/boxes?day={box.day[:10]}",
            still_open=still_open(box.table, box.key) if box.is_open else "",
            given=visit.form, sheet=sheet_path(box.day[:10], box.key.shift),
        )  # fmt: skip

    def _difference(self, state: BoxState, counted: Counted) -> Difference:
        """By what the log says now."""
        event = counted.event
        return self._compare(state, event.counted, event.jackpot)

    def _compare(self, state: BoxState, counted: Cents, jackpot: Cents | None) -> Difference:
        sums = state.sums
        suspects = reconcile(self._office.hands_in(state.opened), counted).suspects
        more = "" if jackpot is None else over_or_short(jackpot - sums.jackpots)
        return Difference(
            counted, jackpot, over_or_short(counted - sums.due), more, suspects[:_MOST_SUSPECTS]
        )

    def _box(self, given: Mapping[str, str]) -> OpenedBox | None:
        wanted = {name: given.get(name, "") for name in FIELDS}
        for box in self._office.opened_on(wanted["day"][:10]):
            if fields_of(box) == wanted:
                return box
        return None

    # Counting

    def check(self, request: Request) -> Response:
        """The amounts before anybody signs: what is missing or over is said at once."""
        visit = visit_of(request)
        return self._answered(visit, lambda: self._checked(visit))

    def _checked(self, visit: Visit) -> Response:
        box = self._known(visit)
        counted, jackpot = self._typed(visit, box)
        # The reason is asked for with the signatures.
        self._may_count(box, jackpot, "" if not self._counts(box) else "asked for below")
        self._office.settle(box)
        state = self._office.state_of(box)
        return self._show(visit, visit.form, typed=self._compare(state, counted, jackpot))

    def count(self, request: Request) -> Response:
        visit = visit_of(request)

        def recorded() -> str:
            box = self._known(visit)
            counted, jackpot = self._typed(visit, box)
            reason = visit.form.get("reason", "")
            self._same_as_shown(visit, box)
            self._may_count(box, jackpot, reason)
            by = self._signers.sign_all("count", [signature(visit, "1"), signature(visit, "2")])
            self._office.settle(box)
            sums = self._office.state_of(box).sums
            self._office.ledger.count(
                box.table, box.day, box.key, (counted, jackpot), (sums.due, sums.jackpots), by,
                reason,
            )  # fmt: skip
            return path_of(box)

        return self._recorded(visit, recorded)

    def _typed(self, visit: Visit, box: OpenedBox) -> tuple[Cents, Cents | None]:
        counted = amount(visit, "amount", f"Box {box.key.box}")
        if box.key.jackpot_box in NO_BOX or not visit.form.get("jackpot_amount", "").strip():
            return counted, None
        return counted, amount(visit, "jackpot_amount", f"Jackpot box {box.key.jackpot_box}")

    def _counts(self, box: OpenedBox) -> int:
        with self._office.writing:
            return len(self._office.ledger.counts_of(box.key))

    def _same_as_shown(self, visit: Visit, box: OpenedBox) -> None:
        """Between the page and the signatures, somebody else may have counted the box."""
        self._office.refreshed()
        ledger = self._office.ledger
        before = ledger.count_of(box.key)
        if before is not None and str(self._counts(box)) != visit.form.get("seen", ""):
            raise OfficeRefused(
                "stale",
                f"This box was counted meanwhile: {amounts(before)}, by {names(before)}, "
                f"{when(before)}. Look at it before you count again.",
            )

    def _may_count(self, box: OpenedBox, jackpot: Cents | None, reason: str) -> None:
        ledger = self._office.ledger
        match obstacle(ledger, [box], box.key, jackpot, reason):
            case "fault":
                raise OfficeRefused("fault", ledger.fault)
            case "still_open":
                raise OfficeRefused("shift_open", still_open(box.table, box.key))
            case "no_jackpot_box":
                raise OfficeRefused("no_jackpot_box", "This shift has no jackpot box.")
            case "elsewhere":
                raise OfficeRefused("elsewhere", COUNTED_ELSEWHERE)
            case "counted_before":
                raise OfficeRefused("counted_before", "Say why the count is corrected.")
            case "not_counted":
                raise OfficeRefused("not_counted", "A first count has no reason.")

    # Reviewing a variance

    def explain(self, request: Request) -> Response:
        return self._review(visit_of(request), "explain")

    def close(self, request: Request) -> Response:
        return self._review(visit_of(request), "close")

    def _review(self, visit: Visit, act: str) -> Response:
        def recorded() -> str:
            box = self._known(visit)
            ledger = self._office.refreshed()
            counted = ledger.count_of(box.key)
            if counted is None or number(counted) != visit.form.get("count", ""):
                raise OfficeRefused("stale", "The count was corrected meanwhile. Look at it again.")
            [by] = self._signers.sign_all(act, [signature(visit)])
            write = ledger.explain if act == "explain" else ledger.close
            write(counted, visit.form.get("reason", ""), by)
            return path_of(box)

        return self._recorded(visit, recorded)

    def threshold(self, request: Request) -> Response:
        visit = visit_of(request)

        def recorded() -> str:
            cents = amount(visit, "amount", "Threshold")
            [by] = self._signers.sign_all("threshold", [signature(visit)])
            self._office.ledger.record(ThresholdSet(cents, by), by)
            return "/boxes"

        try:
            with self._office.writing:
                return once(visit, recorded)
        except OfficeRefused as refused:
            return self._list(visit, "", _said(refused), 409)
        except JournalFault as fault:
            return self._list(visit, "", not_recorded(fault), 503)

    # What all forms of a box share

    def _known(self, visit: Visit) -> OpenedBox:
        box = self._box(visit.form)
        if box is None:
            raise OfficeRefused("stale", "There is no such box any more.")
        return box

    def _recorded(self, visit: Visit, record: Callable[[], str]) -> Response:
        def answer() -> Response:
            with self._office.writing:
                return once(visit, record)

        return self._answered(visit, answer)

    def _answered(self, visit: Visit, answer: Callable[[], Response]) -> Response:
        """What the office refuses is said on the page of the box, and nothing is recorded."""
        try:
            return answer()
        except OfficeRefused as refused:
            return self._show(visit, visit.form, _said(refused), 409, self._again(visit))
        except JournalFault as fault:
            return notice(visit, 503, not_recorded(fault), "/boxes")

    def _again(self, visit: Visit) -> Difference | None:
        """What was typed, so that after a wrong PIN nothing else is typed again."""
        if "pin1" not in visit.form:
            return None
        try:
            box = self._known(visit)
            counted, jackpot = self._typed(visit, box)
        except OfficeRefused:
            return None
        return self._compare(self._office.state_of(box), counted, jackpot)


def _said(refused: OfficeRefused) -> str:
    return f"{refused.message} Nothing was recorded."
