"""What is put on trial: an adapter, a model of its device, and what the model was made to send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from omaha_drivers import registry
from omaha_drivers.conformance.bench import Bench
from omaha_drivers.events import CardDrawn, EventsLost, Restarted
from omaha_drivers.sealed import reveal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from omaha_drivers.adapter import Adapter
    from omaha_drivers.conformance.bench import Line
    from omaha_drivers.emulate.faults import Faults
    from omaha_drivers.emulate.host import Model
    from omaha_drivers.events import DeviceEvent
    from omaha_drivers.settings import DeviceSettings


class Trial:
    """A subclass says what is tried. The kit compares what `happen` says was sent with `label`."""

    settings: DeviceSettings
    count = 51
    """How many events a run has; each has another label."""

    def adapter(self, settings: DeviceSettings, resume_token: str) -> Adapter:
        return registry.make(settings, resume_token)

    def model(self) -> Model:
        raise NotImplementedError

    def begin(self, model: Any) -> None:
        """Brings a model to where it can report: a deck is loaded."""

    def happen(self, model: Any, number: int) -> str:
        """Makes the model report its event of this number, from 1, and returns what it sent."""
        raise NotImplementedError

    def label(self, event: DeviceEvent) -> str | None:
        """What an event says was sent; None for other events. A card: 'As', or 'As at 3'."""
        if not isinstance(event, CardDrawn):
            return None
        if event.card is None:
            return str(event.number)
        place = "" if event.place is None else f" at {event.place}"
        return reveal(event.card) + place


class Run(Bench):
    """A bench that knows which events the model has sent, and by which frames."""

    def __init__(self, trial: Trial, settings: DeviceSettings, token: str, model: Any) -> None:
        super().__init__(trial.adapter(settings, token), model)
        self.trial = trial
        self.labels: list[str] = []
        self.frames: set[bytes] = set()
        self.answers: list[bytes] = []
        """Frames that the model sent because the host asked."""

    def _hear(self, sent: bytes) -> None:
        before = len(self.model.out)
        super()._hear(sent)
        self.answers += self.model.out[before:]

    def start(self, line: Line = list) -> Run:
        """A device that is live and has been heard, from here on over `line`."""
        self.open()
        self.begin()
        self.run(0.1)
        self.line = line
        return self

    def begin(self) -> None:
        self.trial.begin(self.model)

    def happen_once(self, number: int) -> None:
        before = len(self.model.out)
        self.labels.append(self.trial.happen(self.model, number))
        self.frames.update(self.model.out[before:])

    def happen(self, first: int, last: int) -> None:
        for number in range(first, last + 1):
            self.happen_once(number)
            self.run(0.05)

    def damage(self, faults: Faults) -> None:
        """Lets faults strike each frame, of whatever kind the frames are."""
        faults.events = self.frames
        self.line = faults.pieces


def account(
    sent: Sequence[str], events: Iterable[DeviceEvent], trial: Trial, *, numbered: bool = True
) -> str:
    """What is wrong with events that should report what was sent; empty if nothing is.

    Each comes once and in order. What is missing must have been reported as lost at that place,
    unless the protocol has no numbers by which anybody could know. Right after a loss an earlier
    event may come late or once more: somebody checks the cards then.
    """
    position, excused = 0, False
    seen: set[str] = set()
    for event in events:
        if isinstance(event, EventsLost | Restarted):
            excused = True
        label = trial.label(event)
        if label is None:
            continue
        if label not in sent:
            return f"it reported {label!r}, which was never sent"
        if label in seen and not (numbered and excused):
            return f"it reported {label!r} twice"
        seen.add(label)
        if not numbered:
            continue
        at = sent.index(label)
        if at < position and not excused:
            return f"it reported {label!r} after {sent[position - 1]!r}, which was sent later"
        if at > position and not excused:
            return f"{at - position} before {label!r} are missing, and it did not say so"
        position, excused = max(position, at + 1), False
    if numbered and position < len(sent) and not excused:
        return f"the last {len(sent) - position} are missing, and it did not say so"
    return ""
