"""One table: the felt as it is, live, and behind it hands, dealers, devices and the log."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import StreamingResponse
from starlette.routing import Route

from omaha_table.journal.reader import record_of
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.reading import hands_in
from omaha_table.review.reports.hand_report import incident
from omaha_table.room.page.notices import notice
from omaha_table.room.page.rendering import page
from omaha_table.room.page.sheet import show_report, with_standing
from omaha_table.room.page.tiles import tile_of
from omaha_table.room.page.visits import visit_of
from omaha_table.table.device_records import changes_of
from omaha_table.table.events import DealerIn, DealerOut

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from omaha_table.money import Cents
    from omaha_table.room.page.folding import TableNow
    from omaha_table.room.page.live import Live
    from omaha_table.room.page.office import Office
    from omaha_table.room.page.stream import Stream

LAST_HANDS = 12


class Down(NamedTuple):
    """A dealer's time at the table; microseconds. 0: it is not over."""

    dealer: str
    since_us: int
    until_us: int = 0
    hands: int = 0
    fees: Cents = 0
    jackpots: Cents = 0


class Tables:
    def __init__(
        self,
        live: Live,
        stream: Stream,
        office: Office,
        signed_in: Callable[[Request], Callable[[], bool]],
    ) -> None:
        self._live, self._stream, self._office = live, stream, office
        self._signed_in = signed_in

    def routes(self) -> list[Route]:
        return [
            Route("/table/{name}", self.show, methods=["GET"]),
            Route("/table/{name}/events", self.events, methods=["GET"]),
            Route("/hand", self.hand, methods=["GET"]),
        ]

    def show(self, request: Request) -> Response:
        visit, now = visit_of(request), self._live.table(request.path_params["name"])
        if now is None:
            return notice(visit, 404, "There is no such table.")
        wall = time.time()
        return page(
            "table.html", visit, now=now, tile=tile_of(now, wall, self._stream.section(now.name)),
            felt=self._stream.felt(now), hands=self._hands(now.name), downs=self._downs(now)[::-1],
            devices=devices_of(now), wall=round(wall, 3), source=now.source,
            reading=self._office.reading,
        )  # fmt: skip

    async def events(self, request: Request) -> Response:
        name = request.path_params["name"]
        return StreamingResponse(
            self._stream.view(self._signed_in(request), name), media_type="text/event-stream",
            headers={"x-accel-buffering": "no"},
        )  # fmt: skip

    def _hands(self, name: str) -> list[dict[str, object]]:
        with self._office.index() as index:
            found = parse_filter(f"table:{name}")
            return [dict(row) for row in index.page(found, 0, LAST_HANDS)]

    def _downs(self, now: TableNow) -> list[Down]:
        """Today's, from the table's own entries."""
        if not now.source.day:
            return []
        key = f"{now.name}/{now.source.day}"
        self._office.store.journals()
        rows = self._office.store.journal(key).open()
        try:
            found = [(row.at_us, record_of(row).event)
                     for row in rows.since(0, ("dealer_in", "dealer_out"))]  # fmt: skip
        finally:
            rows.close()
        downs, down = downs_of(found), now.state and now.state.down
        if downs and down and not downs[-1].until_us:
            downs[-1] = downs[-1]._replace(hands=down.hands, fees=down.fees, jackpots=down.jackpots)
        return downs

    def hand(self, request: Request) -> Response:
        """A hand's incident sheet."""
        visit, given = visit_of(request), request.query_params
        key, number = f"{given.get('table', '')}/{given.get('day', '')}", given.get("number", "")
        known = {one.key: one for one in self._office.store.journals()}
        if key in known and number.isdecimal() and len(number) < 10:
            for hand in hands_in(known[key]):
                if hand.number == int(number):
                    made = with_standing(incident(hand), self._office)
                    return show_report(visit, made, f"/table/{hand.table}")
        return notice(visit, 404, "There is no such hand.")


def downs_of(events: Sequence[tuple[int, object]]) -> list[Down]:
    """A dealer who is pushed out ends the down; so does the next one who comes."""
    found: list[Down] = []
    for at_us, event in events:
        if found and not found[-1].until_us:
            found[-1] = found[-1]._replace(until_us=at_us)
        if isinstance(event, DealerOut) and found:
            found[-1] = found[-1]._replace(
                hands=event.hands, fees=event.fees, jackpots=event.jackpots
            )
        elif isinstance(event, DealerIn):
            found.append(Down(event.dealer, at_us))
    return found


class DeviceLine(NamedTuple):
    name: str
    identity: str
    state: str
    meters: tuple[tuple[str, int], ...]


def devices_of(now: TableNow) -> list[DeviceLine]:
    """What the log knows of the devices, and their meters since the last service."""
    if now.state is None:
        return []
    made = []
    for name, record in now.state.device_records.items():
        who = record.answers_as or record.accepted
        words = "" if who is None else f"{who.vendor} {who.model}, {who.serial}, {who.firmware}"
        changed = "; ".join(changes_of(record))
        out = "out of use" if name in now.state.devices_out else ""
        meters = tuple(
            (meter.replace("_", " "), count)
            for meter, count in asdict(record.since_service).items()
            if count
        )
        made.append(DeviceLine(name, words, out or changed or "in order", meters))
    return made
