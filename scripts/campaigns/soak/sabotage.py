"""Houses that are not right, to see that a soak finds them out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from omaha_table.dealer.console import Console
from omaha_table.dealer.screen.app import Rows
from omaha_table.dealer.table_view import Alarm
from omaha_table.hand import showdown, split
from omaha_table.hand.commands import DealCard
from omaha_table.hand.frozen import replace
from omaha_table.journal.replay import table_before
from omaha_table.journal.schema import SEAL, STREET_SEAL
from omaha_table.journal.store import Store
from omaha_table.session import Session
from omaha_table.session.commands import DealSealedCard
from tests.session.inside import face_down
from tests.table.planted import box_forgets_a_dollar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omaha_table.journal.chain import Row
    from omaha_table.journal.writer import JournalWriter
    from omaha_table.table import TableState


def sabotage(how: str) -> None:
    {
        "split": _split,
        "leak": _leak,
        "forget": _forget,
        "drop": lambda: box_forgets_a_dollar(_replace),
        "twice": _twice,
        "place": _place,
        "freeze": _freeze,
        "blank": _blank,
    }[how]()


def _replace(owner: object, name: str, wrong: Callable[..., object]) -> None:
    setattr(owner, name, wrong)


def _split() -> None:
    """The low half gets a dollar of the high half."""
    right = split.split_pot

    def wrong(*given: Any) -> Any:
        high, low = right(*given)
        if low and high:
            first, second = next(iter(high)), next(iter(low))
            high[first] -= 100
            low[second] += 100
        return high, low

    _replace(showdown, "split_pot", wrong)


def _leak() -> None:
    """A face-down card in the line of alarms."""
    right = Console.view

    def wrong(console: Console) -> Any:
        held = face_down(console.session)
        if not held:
            return right(console)
        return replace(right(console), alarm=Alarm("info", f"next {held[-1].text} "))

    _replace(Console, "view", wrong)


def _forget() -> None:
    """Writes are acknowledged and not made durable: only every eighth command is committed."""
    right = Store.append
    count = [0]
    waiting: list[Row] = []

    def wrong(store: Store, rows: Sequence[Row], places: Sequence[tuple[str, str]] = ()) -> None:
        count[0] += 1
        waiting.extend(rows)
        if count[0] % 8 == 0 or any(row.kind in (SEAL, STREET_SEAL) for row in rows):
            right(store, waiting, places)
            waiting.clear()

    _replace(Store, "append", wrong)


def _twice() -> None:
    """Every tenth card of the shoe is counted twice."""
    right = Session.do
    count = [0]

    def wrong(session: Session, command: Any, *given: Any, **named: Any) -> Any:
        done = right(session, command, *given, **named)
        if isinstance(command, DealCard | DealSealedCard) and done.refusal is None:
            count[0] += 1
            if count[0] % 10 == 0:
                right(session, DealCard())
        return done

    _replace(Session, "do", wrong)


def _place() -> None:
    """A restart forgets the last event that happened."""

    def wrong(journal: JournalWriter) -> TableState:
        return replace(table_before(journal.rows, journal.seq), seq=journal.seq)

    _replace(import_module("omaha_table.session.session"), "read_back", wrong)


def _freeze() -> None:
    """The screen is painted thirty times and then no more."""
    right = Rows.paint
    count = [0]

    def wrong(rows: Rows) -> None:
        count[0] += 1
        if count[0] <= 30:
            right(rows)

    _replace(Rows, "paint", wrong)


def _blank() -> None:
    """The board is not drawn."""
    right = Console.view

    def wrong(console: Console) -> Any:
        view = right(console)
        return replace(view, felt=replace(view.felt, board=()))

    _replace(Console, "view", wrong)
