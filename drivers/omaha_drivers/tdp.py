"""TDP/1, the reference protocol of table devices: lines with a CRC, numbered events, sessions.

A device is believed once it has said who it is (HELO), is the configured one, and, where a key is
configured, has answered a challenge with it. A device that begins a new session or falls silent
is asked again.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from omaha_drivers import events as e
from omaha_drivers import tdp_codec as codec
from omaha_drivers.adapter import Actions, Caps, Placed, PortDefaults
from omaha_drivers.framing import LineFramer, line
from omaha_drivers.ordering import AHEAD, Ask, InOrder, Missing
from omaha_drivers.tdp_asking import AGAIN, Greeting, Refusal, Requests, Welcome
from omaha_drivers.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omaha_drivers.settings import DeviceSettings, Kind

SILENT_AFTER: Final = 3.0
POLL_AFTER: Final = 1.5
"""Quiet for so long, the device is asked for its state: one without a heartbeat answers that."""


class Tdp:
    """The adapter, for a shuffler as for a shoe."""

    name = "tdp"
    caps = Caps(
        session_id=True,
        resend=True,
        heartbeat=True,
        auth=True,
        sealed=True,
        commands=True,
        reports_count=True,
        reports_cards=True,
    )
    port_defaults = PortDefaults(speed=115200)

    def __init__(
        self,
        settings: DeviceSettings,
        place: str = "",
        nonce: Callable[[], str] = lambda: secrets.token_hex(8).upper(),
    ) -> None:
        self.kind: Kind = settings.kind
        self._settings = settings
        self._framer = LineFramer()
        self._greeting = Greeting(settings, nonce)
        self._requests = Requests()
        self._counts = dict.fromkeys(("frames", "not believed", "asked again", "lost"), 0)
        self._session, self._order = _read_place(place)
        self._ended: OrderedDict[str, int] = OrderedDict()
        """Where the sessions before this one ended."""
        self._link = e.Link.DOWN
        self._was_live = False
        self._said: e.Identified | None = None
        self._device_caps: Sequence[str] = ()
        self._heard = 0.0
        self._polled = 0.0
        self._behind = 0
        self._out: list[Placed] = []
        self._send = bytearray()

    def opened(self, now: float) -> Actions:
        self.closed(now)
        self._link = e.Link.OPENING
        self._send += self._greeting.begin(now)
        return self._done(now)

    def closed(self, now: float) -> Actions:
        self._framer.reset()
        self._greeting.stop()
        self._requests.clear()
        self._link = e.Link.DOWN
        self._was_live = False
        return self._done(now)

    def feed(self, data: bytes, now: float) -> Actions:
        for body in self._framer.feed(data):
            self._counts["frames"] += 1
            self._message(body.decode("ascii").split(","), now)
        return self._done(now)

    def tick(self, now: float) -> Actions:
        if self._link is e.Link.LIVE and now >= self._heard + SILENT_AFTER:
            self._change(e.Link.SILENT, "The device has not been heard for three seconds.")
            self._send += self._greeting.begin(now)
        send, refusal = self._greeting.tick(now)
        self._send += send
        self._judge(refusal, now)
        if self._link is e.Link.LIVE:
            if now >= max(self._heard, self._polled) + POLL_AFTER:
                self._poll(now)
            again, given_up = self._requests.tick(now)
            self._send += again
            for sentence in given_up:
                self._tell(e.NeedsCare(sentence))
        return self._done(now)

    def command(self, verb: str, now: float) -> Actions:
        words = verb.split()
        legal = all(word.isalnum() and word.isascii() and len(word) <= 16 for word in words)
        if words == ["STAT"]:
            self._send += line("STAT")
        elif not legal or not words or words[0] not in codec.VERBS[self.kind]:
            self._tell(e.NeedsCare("unknown command"))
        elif not self._settings.allow_commands:
            self._tell(e.NeedsCare(f"{words[0]} not sent: commands are off"))
        elif self._link is not e.Link.LIVE:
            self._tell(e.NeedsCare(f"{words[0]} not sent: not live"))
        elif self._requests.full:
            self._tell(e.NeedsCare(f"{words[0]} not sent: too many"))
        else:
            self._send += self._requests.send(words, now)
        return self._done(now)

    def counters(self) -> dict[str, int]:
        return self._counts | {
            "repeats": self._order.repeats if self._order else 0,
            "bad frames": self._framer.bad,
            "bytes dropped": self._framer.dropped,
        }

    # What the device says

    def _message(self, fields: list[str], now: float) -> None:
        kind = fields[0]
        if kind == "HELO":
            self._hello(fields[1:], now)
        elif kind == "AUTH":
            self._judge(self._greeting.proof(fields[1:]), now)
        elif self._link not in (e.Link.LIVE, e.Link.SILENT):
            return
        elif kind in ("OK", "NO"):
            refused = self._requests.answered(fields)
            if refused is not None:
                self._tell(e.NeedsCare(refused))
        elif kind in ("HB", "ST", "EV", "RE", "GONE") and len(fields) >= 3:
            if fields[1] != self._session:
                self._send += self._greeting.begin(now)
            elif not self._signed(fields):
                self._counts["not believed"] += 1
            else:
                self._change(e.Link.LIVE, "The device is heard again.")
                if not self._of_session(fields, now):
                    self._counts["not believed"] += 1

    def _hello(self, fields: Sequence[str], now: float) -> None:
        late = self._was_live and len(fields) > 6 and fields[6] in self._ended
        if not late:
            send, judged = self._greeting.hello(fields, now)
            self._send += send
            self._judge(judged, now)

    def _signed(self, fields: list[str]) -> bool:
        """Takes the signature off, where the device has said that it signs; whether it may pass.

        Without the key nothing can be checked, and the cards are only counted.
        """
        if "SIGN" not in self._device_caps:
            return True
        signature, key = fields.pop(), self._settings.key
        return not key or codec.same(signature, codec.signature(key, fields))

    def _of_session(self, fields: list[str], now: float) -> bool:
        if len(fields) < 3:
            return False
        kind, first, order = fields[0], codec.hexed(fields[2], 8), self._order
        if first is None or order is None:
            return False
        if kind in ("HB", "ST"):
            self._last_is(first)
        elif kind == "GONE":
            last = codec.hexed(fields[3], 8) if len(fields) > 3 else None
            if last is None or (gone := order.asked(first, last)) is None:
                return False
            self._deliver(order.give_up(gone[1]))
        else:
            event = self._event(fields) if len(fields) >= 5 else None
            if event is None:
                return False
            if first >= order.next + AHEAD and now >= self._polled + AGAIN:
                self._poll(now)
            self._deliver(order.offer(first, event, now))
        self._heard = now
        return True

    def _event(self, fields: list[str]) -> e.DeviceEvent | None:
        """None: forged, and as if it had not come."""
        session, number, _, code, *args = fields[1:]
        if code != "CRD" or self.kind != "shoe":
            return codec.read_event(self.kind, code, args)
        try:
            drawn, text, _, mode = args
            count, in_game = codec.number(drawn), mode == "G"
        except ValueError:
            return e.EventsLost(1)
        key = self._settings.key
        if "SEAL" not in self._device_caps:
            card = codec.plain_card(text)
        elif not key:
            return e.CardDrawn(count, None, in_game)
        elif codec.checked_card(key, session, number, text, drawn, mode):
            card = codec.open_card(key, session, number, text)
        else:
            return None
        if card is None:
            return e.CardUnreadable(count)
        count_only = self._settings.identities == "count_only"
        return e.CardDrawn(count, None if count_only else card, in_game)

    def _last_is(self, last: int) -> None:
        """A number behind what has come may be late; again and again, the device restarted."""
        order = self._order
        if order is None or last >= order.next - 1:
            self._behind = 0
            if order is not None:
                order.exists(last)
            return
        self._behind += 1
        if self._behind >= 3:
            self._behind = 0
            self._order = InOrder(last)
            self._tell(e.Restarted())
            self._tell(e.EventsLost(None))

    def _judge(self, judged: Welcome | Refusal | None, now: float) -> None:
        if isinstance(judged, Refusal):
            self._said = None
            self._change(e.Link.WRONG, judged.why)
        elif judged is not None:
            self._go_live(judged, now)

    def _go_live(self, welcome: Welcome, now: float) -> None:
        hello = welcome.hello
        self._heard, self._was_live = now, True
        self._device_caps = hello.caps.split("+")
        said = e.Identified(
            printable(hello.vendor),
            printable(hello.model),
            printable(hello.serial),
            printable(hello.firmware),
            welcome.trust,
        )
        if said != self._said:
            self._said = said
            self._tell(said)
        if self._order is None:
            self._session, self._order = hello.session, InOrder(hello.last)
        elif hello.session != self._session:
            self._ended[self._session] = self._order.next
            if len(self._ended) > 16:
                self._ended.popitem(last=False)
            known = self._ended.pop(hello.session, 1)
            self._session, self._order = hello.session, InOrder(known - 1)
            self._behind = 0
            self._tell(e.Restarted())
        self._last_is(hello.last)
        self._change(e.Link.LIVE, "The device is live.")

    # What comes of it

    def _poll(self, now: float) -> None:
        self._polled = now
        self._send += line("STAT")

    def _deliver(self, found: Sequence[tuple[int, e.DeviceEvent | Missing]]) -> None:
        for number, event in found:
            if isinstance(event, Missing):
                self._counts["lost"] += event.count
                event = e.EventsLost(event.count)
            self._out.append(Placed(event, f"{self._session}:{number:08X}"))

    def _tell(self, event: e.DeviceEvent) -> None:
        place = "" if self._order is None else f"{self._session}:{self._order.next - 1:08X}"
        self._out.append(Placed(event, place))

    def _change(self, link: e.Link, why: str) -> None:
        if link is not self._link:
            self._link = link
            self._tell(e.LinkChanged(link, why))

    def _done(self, now: float) -> Actions:
        order = self._order
        while self._link is e.Link.LIVE and order is not None:
            wanted = order.ask(now)
            if wanted is None:
                break
            if isinstance(wanted, Ask):
                self._counts["asked again"] += len(wanted.ranges)
                for first, last in wanted.ranges:
                    self._send += line("RSND", self._session, f"{first:08X}", f"{last:08X}")
                break
            self._deliver(wanted)
        actions = Actions(tuple(self._out), bytes(self._send), self._deadline())
        self._out.clear()
        self._send.clear()
        return actions

    def _deadline(self) -> float | None:
        wanted = [self._greeting.due]
        if self._link is e.Link.LIVE:
            wanted += [self._heard + SILENT_AFTER, max(self._heard, self._polled) + POLL_AFTER]
            wanted += [self._requests.due, self._order.due() if self._order else None]
        return min((due for due in wanted if due is not None), default=None)


def _read_place(place: str) -> tuple[str, InOrder[e.DeviceEvent] | None]:
    session, _, number = place.partition(":")
    last = codec.hexed(number, 8)
    return ("", None) if last is None else (session, InOrder(last))
