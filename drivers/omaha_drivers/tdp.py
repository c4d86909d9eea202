"""TDP/1, the reference protocol of table devices: lines with a CRC, numbered events, sessions.

A device is trusted once it has identified itself (HELO), is the configured one and, if a key is
configured, has answered a challenge with it. If it starts a new session or falls silent, the host
asks it to identify itself again.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from omaha_drivers import events as e
from omaha_drivers import tdp_codec as codec
from omaha_drivers.adapter import Actions, Caps, Emitted, PortDefaults
from omaha_drivers.framing import LineFramer, line
from omaha_drivers.ordering import MAX_HELD, MissingEvents, ResendRequest, Resequencer
from omaha_drivers.tdp_requests import RETRY_SECONDS, Handshake, Refusal, Requests, Welcome
from omaha_drivers.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omaha_drivers.recording.masking import Masking
    from omaha_drivers.settings import DeviceSettings, Kind

SILENT_AFTER: Final = 3.0
POLL_AFTER: Final = 1.5
"""After this much silence the host asks for the state, which even a device without a heartbeat
answers."""


class Tdp:
    """The adapter for shufflers and shoes."""

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
        resume_token: str = "",
        nonce: Callable[[], str] = lambda: secrets.token_hex(8).upper(),
    ) -> None:
        self.kind: Kind = settings.kind
        self._settings = settings
        self._framer = LineFramer()
        self._nonce = nonce
        self._handshake = Handshake(settings, lambda: self._nonce())
        self._requests = Requests()
        self._counts = dict.fromkeys(("frames", "rejected", "resend requests", "lost"), 0)
        self._session, self._order = _parse_token(resume_token)
        self._ended: OrderedDict[str, int] = OrderedDict()
        """The next event number of each earlier session."""
        self._link = e.Link.DOWN
        self._was_live = False
        self._looks = False
        """Whether the next heartbeat says what state the device was found in."""
        self._found: codec.State = "ok"
        self._identity: e.Identified | None = None
        self._device_caps: Sequence[str] = ()
        self._last_message = 0.0
        self._polled = 0.0
        self._behind = 0
        self._late = 0
        """Events up to this number happened before the link was made."""
        self._out: list[Emitted] = []
        self._send = bytearray()

    def opened(self, now: float) -> Actions:
        self.closed(now)
        self._link = e.Link.OPENING
        self._send += self._handshake.begin(now)
        return self._flush(now)

    def closed(self, now: float) -> Actions:
        self._framer.reset()
        self._handshake.stop()
        self._requests.clear()
        self._link = e.Link.DOWN
        self._was_live = False
        return self._flush(now)

    def feed(self, data: bytes, now: float) -> Actions:
        for body in self._framer.feed(data):
            self._counts["frames"] += 1
            self._message(body.decode("ascii").split(","), now)
        return self._flush(now)

    def tick(self, now: float) -> Actions:
        if self._link is e.Link.LIVE and now >= self._last_message + SILENT_AFTER:
            self._change(e.Link.SILENT, "No message from the device for three seconds.")
            self._send += self._handshake.begin(now)
        send, refusal = self._handshake.tick(now)
        self._send += send
        self._decide_trust(refusal, now)
        if self._link is e.Link.LIVE:
            if now >= max(self._last_message, self._polled) + POLL_AFTER:
                self._poll(now)
            again, given_up = self._requests.tick(now)
            self._send += again
            for warning in given_up:
                self._emit(e.DeviceWarning(warning))
        return self._flush(now)

    def command(self, verb: str, now: float) -> Actions:
        words = verb.split()
        legal = all(word.isalnum() and word.isascii() and len(word) <= 16 for word in words)
        if words == ["STAT"]:
            self._send += line("STAT")
        elif not legal or not words or words[0] not in codec.VERBS[self.kind]:
            self._emit(e.DeviceWarning("unknown command"))
        elif not self._settings.allow_commands:
            self._emit(e.DeviceWarning(f"{words[0]} not sent: commands are disabled"))
        elif self._link is not e.Link.LIVE:
            self._emit(e.DeviceWarning(f"{words[0]} not sent: the device is not connected"))
        elif self._requests.full:
            self._emit(e.DeviceWarning(f"{words[0]} not sent: too many commands are pending"))
        else:
            self._send += self._requests.send(words, now)
        return self._flush(now)

    def masking(self) -> Masking:
        from omaha_drivers.tdp_masking import TdpMasking

        return TdpMasking(self._settings)

    def replaying(self, sent: bytes) -> None:
        """The recorded answers belong to the challenges of then."""
        from omaha_drivers.tdp_masking import asked_before

        again, chance = iter(asked_before(sent)), self._nonce
        self._nonce = lambda: next(again, None) or chance()

    def counters(self) -> dict[str, int]:
        return self._counts | {
            "repeats": self._order.repeats if self._order else 0,
            "bad frames": self._framer.bad,
            "bytes dropped": self._framer.dropped,
        }

    # Messages from the device

    def _message(self, fields: list[str], now: float) -> None:
        kind = fields[0]
        if kind == "HELO":
            self._hello(fields[1:], now)
        elif kind == "AUTH":
            self._decide_trust(self._handshake.proof(fields[1:]), now)
        elif self._link not in (e.Link.LIVE, e.Link.SILENT):
            return
        elif kind in ("OK", "NO"):
            refused = self._requests.answered(fields)
            if refused is not None:
                self._emit(e.DeviceWarning(refused))
        elif kind in ("HB", "ST", "EV", "RE", "GONE") and len(fields) >= 3:
            if fields[1] != self._session:
                self._send += self._handshake.begin(now)
            elif not self._check_signature(fields):
                self._counts["rejected"] += 1
            else:
                self._change(e.Link.LIVE, "The device is sending again.")
                if not self._session_message(fields, now):
                    self._counts["rejected"] += 1

    def _hello(self, fields: Sequence[str], now: float) -> None:
        late = self._was_live and len(fields) > 6 and fields[6] in self._ended
        if not late:
            send, judged = self._handshake.hello(fields, now)
            self._send += send
            self._decide_trust(judged, now)

    def _check_signature(self, fields: list[str]) -> bool:
        """Removes the signature if the device signs; returns whether the message is acceptable.

        Without the key nothing can be checked, and cards are only counted.
        """
        if "SIGN" not in self._device_caps:
            return True
        signature, key = fields.pop(), self._settings.key
        return not key or codec.same_digest(signature, codec.signature(key, fields))

    def _session_message(self, fields: list[str], now: float) -> bool:
        if len(fields) < 3:
            return False
        kind, first, order = fields[0], codec.parse_hex(fields[2], 8), self._order
        if first is None or order is None:
            return False
        if kind in ("HB", "ST"):
            self._note_last(first)
            self._note_state(fields)
        elif kind == "GONE":
            last = codec.parse_hex(fields[3], 8) if len(fields) > 3 else None
            if last is None or (gone := order.requested(first, last)) is None:
                return False
            self._deliver(order.give_up(gone[1]))
        else:
            event = self._event(fields) if len(fields) >= 5 else None
            if event is None:
                return False
            if first >= order.next + MAX_HELD and now >= self._polled + RETRY_SECONDS:
                self._poll(now)
            self._deliver(order.offer(first, event, now))
        self._last_message = now
        return True

    def _event(self, fields: list[str]) -> e.DeviceEvent | None:
        """None: forged; the message is treated as if it had not arrived."""
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

    def _note_last(self, last: int) -> None:
        """A number behind what has arrived may be a late message; three in a row mean a restart."""
        order = self._order
        if order is None or last >= order.next - 1:
            self._behind = 0
            if order is not None:
                order.note_last(last)
            return
        self._behind += 1
        if self._behind >= 3:
            self._behind = 0
            self._order = Resequencer(last)
            self._emit(e.Restarted())
            self._emit(e.EventsLost(None))

    def _note_state(self, fields: Sequence[str]) -> None:
        """What begins later has an event of its own."""
        state = codec.STATES.get(fields[3], "ok") if len(fields) > 3 else "ok"
        if state != self._found and (self._looks or self._found != "ok"):
            self._found = state
            self._emit(e.StateFound(state))
        self._looks = False

    def _decide_trust(self, judged: Welcome | Refusal | None, now: float) -> None:
        if isinstance(judged, Refusal):
            self._identity = None
            self._change(e.Link.WRONG, judged.why)
        elif judged is not None:
            self._go_live(judged, now)

    def _go_live(self, welcome: Welcome, now: float) -> None:
        hello = welcome.hello
        self._last_message, self._was_live = now, True
        self._looks = True
        self._device_caps = hello.caps.split("+")
        identity = e.Identified(
            printable(hello.vendor),
            printable(hello.model),
            printable(hello.serial),
            printable(hello.firmware),
            welcome.trust,
        )
        if identity != self._identity:
            self._identity = identity
            self._emit(identity)
        if self._order is None:
            self._session, self._order = hello.session, Resequencer(hello.last)
        elif hello.session != self._session:
            self._ended[self._session] = self._order.next
            if len(self._ended) > 16:
                self._ended.popitem(last=False)
            known = self._ended.pop(hello.session, 1)
            self._session, self._order = hello.session, Resequencer(known - 1)
            self._behind = 0
            self._emit(e.Restarted())
        self._note_last(hello.last)
        self._late = hello.last
        self._change(e.Link.LIVE, "The device is connected.")

    # Events and requests

    def _poll(self, now: float) -> None:
        self._polled = now
        self._send += line("STAT")

    def _deliver(self, found: Sequence[tuple[int, e.DeviceEvent | MissingEvents]]) -> None:
        for number, event in found:
            if isinstance(event, MissingEvents):
                self._counts["lost"] += event.count
                event = e.EventsLost(event.count)
            token = f"{self._session}:{number:08X}"
            self._out.append(Emitted(event, token, late=number <= self._late))

    def _emit(self, event: e.DeviceEvent) -> None:
        token = "" if self._order is None else f"{self._session}:{self._order.next - 1:08X}"
        self._out.append(Emitted(event, token))

    def _change(self, link: e.Link, why: str) -> None:
        if link is not self._link:
            self._link = link
            self._emit(e.LinkChanged(link, why))

    def _flush(self, now: float) -> Actions:
        order = self._order
        while order is not None and order.next <= order.top and self._link is e.Link.LIVE:
            wanted = order.request_missing(now)
            if wanted is None:
                break
            if isinstance(wanted, ResendRequest):
                self._counts["resend requests"] += len(wanted.ranges)
                for first, last in wanted.ranges:
                    self._send += line("RSND", self._session, f"{first:08X}", f"{last:08X}")
                break
            self._deliver(wanted)
        actions = Actions(tuple(self._out), bytes(self._send), self._deadline())
        self._out.clear()
        self._send.clear()
        return actions

    def _deadline(self) -> float | None:
        """Written out: it is worked out after every message."""
        soonest = self._handshake.due
        if self._link is not e.Link.LIVE:
            return soonest
        last, polled = self._last_message, self._polled
        poll = (last if last > polled else polled) + POLL_AFTER
        silent = last + SILENT_AFTER
        wanted = poll if poll < silent else silent
        for due in (soonest, self._requests.due, self._order.due() if self._order else None):
            if due is not None and due < wanted:
                wanted = due
        return wanted


def _parse_token(token: str) -> tuple[str, Resequencer[e.DeviceEvent] | None]:
    session, _, number = token.partition(":")
    last = codec.parse_hex(number, 8)
    return ("", None) if last is None else (session, Resequencer(last))
