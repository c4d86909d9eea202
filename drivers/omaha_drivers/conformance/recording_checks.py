"""What is asked of an adapter whose device can be recorded."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from omaha_drivers.conformance.checking import Check, require
from omaha_drivers.conformance.leaks import everything_said
from omaha_drivers.conformance.trial import Run
from omaha_drivers.emulate.faults import Faults
from omaha_drivers.events import CardDrawn, Identified, Link, LinkChanged
from omaha_drivers.recording.file import read_recording
from omaha_drivers.recording.masking import Recordable
from omaha_drivers.recording.recorder import Recorder
from omaha_drivers.recording.replay import replay

if TYPE_CHECKING:
    from omaha_drivers.adapter import Adapter
    from omaha_drivers.conformance.trial import Trial
    from omaha_drivers.events import DeviceEvent

_FAULTS: Final = ("garbage", "split", "bad_check", "repeat", "lose", "reorder")
_MOST_UNCHANGED: Final = 12
"""A random permutation of 52 cards leaves one of them in its place, on average."""


def _recordable(adapter: Adapter) -> bool:
    return isinstance(adapter, Recordable)


def _reads_cards(adapter: Adapter) -> bool:
    return _recordable(adapter) and adapter.kind == "shoe" and adapter.caps.reports_cards


class _RecordedRun(Run):
    """A run that is recorded, over a good line or a bad one."""

    def __init__(self, trial: Trial, path: Path, faults: Faults | None, decks: int) -> None:
        self.path = path
        self._recorder = Recorder(path, trial.settings, trial.adapter)
        super().__init__(trial, trial.settings, "", trial.model())
        self.adapter = cast("Adapter", self._recorder.contain(trial.settings, ""))
        self.start()
        if faults is not None:
            self.damage(faults)
        for deck in range(decks):
            if deck:
                self.begin()
            self.happen(1, trial.count)
            if faults is None:
                continue
            self.close()
            self.open()
        self.line = list
        self.run(5)
        self.close()
        self._recorder.close()

    def replayed(self) -> list[DeviceEvent]:
        found: list[DeviceEvent] = []
        recording = read_recording(self.path)
        replay(recording, lambda report: found.append(report.event), self.trial.adapter)
        return found


def _outline(events: list[DeviceEvent]) -> list[object]:
    """The events without the cards, and without what only a supervisor would make of a link."""
    found: list[object] = []
    for event in events:
        if isinstance(event, CardDrawn):
            card = event.card is not None
            found.append(("card", event.number, card, event.in_game, event.place))
        elif isinstance(event, LinkChanged):
            if event.link is not Link.LIVE:
                found.append(event.link)
        elif not isinstance(event, Identified):
            found.append(event)
    return found


def _same_events(trial: Trial) -> None:
    with tempfile.TemporaryDirectory() as folder, everything_said():
        for seed in range(3):
            faults = Faults(_FAULTS, seed, 0.15)
            run = _RecordedRun(trial, Path(folder) / f"{seed}", faults, 2)
            came, again = _outline(run.events), _outline(run.replayed())
            require(
                came == again, f"the replay of a bad line differs (seed {seed}, {len(came)} events)"
            )


def _no_card(trial: Trial) -> None:
    with tempfile.TemporaryDirectory() as folder, everything_said():
        run = _RecordedRun(trial, Path(folder) / "recording", None, 2)
        fed = b"".join(entry.data for entry in read_recording(run.path).entries)
        labels = [label for event in run.replayed() if (label := trial.label(event)) is not None]
    half = trial.count
    first, second = labels[:half], labels[half:]
    require(len(labels) == 2 * half, f"the replay has {len(labels)} of {2 * half} cards")
    for name, one, other in (
        ("the recording shows the cards", run.labels[:half], first),
        ("the recording shows the cards", run.labels[half:], second),
        ("two decks are masked alike", first, second),
    ):
        same = sum(a == b for a, b in zip(one, other, strict=True))
        require(same <= _MOST_UNCHANGED, f"{name}: {same} of {half} are the same")
    kept = sum(frame in fed for frame in run.frames)
    require(kept <= 4 * _MOST_UNCHANGED, f"{kept} messages are recorded as they were sent")


RECORDING_CHECKS: Final = (
    Check("a recording of a bad line replays to the same events", _same_events, _recordable),
    Check("no card in a recording, and another permutation for each deck", _no_card, _reads_cards),
)
