"""Recordings for support: they replay to the same events and alarms, and no card is in them."""

from __future__ import annotations

import json
import random
import stat
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from omaha_drivers import events as e
from omaha_drivers.emulate import EmulatedAngelShoe, EmulatedShoe, EmulatedShuffler, Faults
from omaha_drivers.framing import line
from omaha_drivers.recording.file import LONGEST_LINE, RecordingError, read_recording
from omaha_drivers.recording.recorder import Recorder
from omaha_drivers.recording.replay import replay
from omaha_drivers.sealed import reveal
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp import Tdp
from omaha_drivers.tdp_codec import CARDS

from omaha_table.cli import omaha_table
from tests.console.scenes import Table
from tests.drivers.live import Host
from tests.drivers.trials import KEY

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_drivers.events import DeviceEvent, Report


class Recorded(Host):
    """A supervised device that is recorded; after the context, `again` is its replay."""

    def __init__(self, file: Path, port: Path, **settings: Any) -> None:
        given = {"serial": "", "adapter": "tdp", "kind": "shoe", **settings}
        self.file = file
        self.recorder = Recorder(file, DeviceSettings(name=given["kind"], port=str(port), **given))
        super().__init__(port, sink=self._both, contain=self.recorder.contain, **settings)

    def _both(self, report: Report) -> None:
        self.recorder.keep(report)
        self.keep(report)

    def __enter__(self) -> Recorded:
        super().__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self.recorder.close()

    @property
    def again(self) -> list[DeviceEvent]:
        found: list[DeviceEvent] = []
        self.status_again = replay(
            read_recording(self.file), lambda report: found.append(report.event)
        )
        return found

    @property
    def fed(self) -> bytes:
        return b"".join(entry.data for entry in read_recording(self.file).entries)


def outline(events: list[DeviceEvent]) -> list[str]:
    return [repr(event) for event in events]


def cards(events: list[DeviceEvent]) -> list[str]:
    drawn = [event.card for event in events if isinstance(event, e.CardDrawn)]
    return [reveal(card) for card in drawn if card is not None]


def test_a_faulty_shuffler_replays_to_the_same_events_and_alarms(tmp_path: Path) -> None:
    device = EmulatedShuffler(
        tmp_path / "shuffler", faults=Faults(["garbage", "bad_check", "repeat"], 5, 0.2)
    )
    with Recorded(tmp_path / "recording", tmp_path / "shuffler", kind="shuffler") as host:
        host.wait_link(e.Link.DOWN)
        device.start()
        host.wait_link(e.Link.LIVE)
        device.shuffle("red")
        device.take()
        device.shuffle("blue", 51)
        device.jam()
        host.wait(lambda: e.Jammed("EXIT") in host.events)
        device.unplug()
        host.wait_link(e.Link.DOWN)
        device.replug()
        host.wait_link(e.Link.LIVE)
        device.power_cycle()
        device.open_door(True)
        host.wait(lambda: e.DoorChanged(open=True) in host.events)
    device.stop()
    assert outline(host.again) == outline(host.events)
    assert alarms("shuffler", host.again) == alarms("shuffler", host.events)
    assert any("Jam" in text for text in alarms("shuffler", host.again))


def test_a_device_that_never_answers_replays_to_the_same_alarms(tmp_path: Path) -> None:
    device = EmulatedShuffler(tmp_path / "shuffler", faults=Faults(["stuck", "lose"], 5, 1.0))
    device.start()
    given = {"kind": "shuffler", "reopen_after": 0.2}
    with Recorded(tmp_path / "recording", tmp_path / "shuffler", **given) as host:
        host.wait(lambda: len(host.events) >= 2)
    device.stop()
    assert [event.link for event in host.events[:2] if isinstance(event, e.LinkChanged)] == [
        e.Link.OPENING, e.Link.OPENING
    ]  # fmt: skip
    assert outline(host.again) == outline(host.events)
    assert alarms("shuffler", host.again) == alarms("shuffler", host.events)


def alarms(kind: str, events: list[DeviceEvent]) -> list[str]:
    """What the dealer's alarm line says after each event."""
    table = Table(devices=True)
    found = []
    for event in events:
        table.say(kind, event)
        found.append(table.console.view().alarm.text)
    return found


def test_a_faulty_shoe_replays_to_the_same_events(tmp_path: Path) -> None:
    device = EmulatedShoe(tmp_path / "shoe", faults=Faults(["repeat", "split", "lose"], 5, 0.1))
    device.start()
    with Recorded(tmp_path / "recording", tmp_path / "shoe") as host:
        host.wait_link(e.Link.LIVE)
        device.load(CARDS[:20])
        for _ in range(12):
            device.draw()
        device.draw_unreadable()
        device.put_back()
        device.open_lid(True)
        host.wait(lambda: e.DoorChanged(open=True) in host.events)
    device.stop()
    assert outline(host.again) == outline(host.events)


def test_a_recorded_challenge_is_answered_again_with_a_key_of_its_own(tmp_path: Path) -> None:
    device = EmulatedShoe(tmp_path / "shoe", key=KEY)
    device.start()
    with Recorded(tmp_path / "recording", tmp_path / "shoe", key=KEY, serial="SHOE-EMU-1") as host:
        host.wait_link(e.Link.LIVE)
        device.load(CARDS)
        for _ in range(52):
            device.draw()
        host.wait_drawn(52)
    device.stop()
    assert outline(host.again) == outline(host.events)
    assert host.status_again.trust is e.Trust.AUTHENTICATED
    text = host.file.read_text()
    assert KEY.hex() not in text
    assert read_recording(host.file).settings.key != KEY
    assert sorted(cards(host.again)) == sorted(CARDS), "another card for each"


def test_no_card_of_known_decks_can_be_found_in_a_recording(tmp_path: Path) -> None:
    """The same deck again and again: what a reader of the file would need to solve it."""
    chance, decks = random.Random(4), 12
    deck = chance.sample(CARDS, 52)
    device = EmulatedShoe(tmp_path / "shoe", faults=Faults(["bad_check", "repeat"], 5, 0.1))
    device.start()
    with Recorded(tmp_path / "recording", tmp_path / "shoe") as host:
        host.wait_link(e.Link.LIVE)
        for number in range(decks):
            device.load(deck)
            for _ in deck:
                device.draw()
            host.wait_drawn(52 * (number + 1))
    device.stop()
    assert cards(host.events) == deck * decks
    written = cards(host.again)
    by_deck = [written[at : at + 52] for at in range(0, len(written), 52)]
    assert all(sorted(one) == sorted(CARDS) for one in by_deck), "the same cards, exchanged"
    for place, card in enumerate(deck):
        shown = [one[place] for one in by_deck]
        assert len(set(shown)) > decks / 2, "each deck has its own permutation"
        assert shown.count(card) <= 5
    pieces = [piece for piece in host.fed.split(b"\r\n") if b"CRD" in piece]
    assert len(pieces) >= 52 * decks
    assert not [piece for piece in pieces if not piece.startswith(b"$")], "no damaged frame"


def test_the_damaged_card_frame_is_only_filler(tmp_path: Path) -> None:
    device = EmulatedAngelShoe(tmp_path / "shoe", faults=Faults(["bad_check", "garbage"], 5, 0.5))
    device.start()
    with Recorded(tmp_path / "recording", tmp_path / "shoe", adapter="angel_eye") as host:
        host.wait_link(e.Link.OPENING)  # Opening a port drops what came before.
        for _ in range(6):
            device.load(CARDS)
        host.wait_link(e.Link.LIVE)
        for _ in range(40):
            device.draw()
        device.load([])
        host.wait(lambda: host.supervisor.status.counters["bytes read"] > 500)
    device.stop()
    dropped = host.supervisor.status.counters["bytes dropped"]
    assert dropped > 100
    assert outline(host.again) == outline(host.events)
    assert host.fed.count(b"\0") >= dropped * 0.8, "what was no frame is zeros"


@pytest.mark.parametrize(
    "fields",
    ["EV,{s},00000001,1,WRN,{c} drawn", "EV,{s},00000001,1,XYZ,{c}", "EV,{s},{c}",
     "EV,{s},00000002,1,CRD,1,??,{c},G", "EV,{s},00000003,1,CRD,1,100,{c}",
     "EV,{s},00000004,1,CRD,2,??,100,{c}", "EV,{s},00000005,1,UNR,3,{c}", "OK,{c}",
     "HB,{s},00000001,{c},{c}", "ZZ,{c}", "EV,{s},00000006,1,{c}", "EV,{s},00000007,{c},FLT,{c}"],
)  # fmt: skip
def test_a_card_is_masked_wherever_a_talkative_device_names_it(fields: str) -> None:
    masking = Tdp(DeviceSettings("shoe", "shoe", "tdp", "")).masking()
    session = "A" * 16
    masking.device(line("HELO", "1", "SHOE", "V", "M", "S", "F", session, "00000000", "NONE"))
    for card in CARDS:
        sent = line(fields.format(s=session, c=card))
        kept = masking.device(sent)
        assert card.encode() not in kept
        assert len(kept) == len(sent)


def test_an_adapter_without_masking_is_not_recorded(tmp_path: Path) -> None:
    settings = DeviceSettings("shoe", "shoe", "tests.drivers.bad_adapters:CannotMask", "/dev/null")
    with pytest.raises(RecordingError, match="cannot take the cards out"):
        Recorder(tmp_path / "recording", settings)
    assert not (tmp_path / "recording").exists()


def test_a_recording_is_for_its_owner_and_replaces_no_file(tmp_path: Path) -> None:
    settings = DeviceSettings("shoe", "shoe", "tdp", "/dev/null")
    file = tmp_path / "recording"
    Recorder(file, settings).close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        Recorder(file, settings)
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="link"):
        Recorder(tmp_path / "link", settings)
    assert not (tmp_path / "elsewhere").exists()


FIRST = {
    "recording": 1, "made": "2026-03-01", "device": "shoe", "kind": "shoe", "adapter": "tdp",
    "speed": None, "line": {}, "options": {}, "serial": "", "key": "", "identities": "count_only",
}  # fmt: skip


def lines(*given: object) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in given)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\0\xff" * 99, b"[" * 60_000, b'"' + b"x" * LONGEST_LINE + b'"', lines(["opened"]),
        lines(FIRST | {"recording": 2}), lines(FIRST | {"kind": "roulette"}),
        lines(FIRST | {"key": "zz"}), lines(FIRST | {"key": "00" * 33}),
        lines(FIRST | {"speed": 10**9}), lines(FIRST | {"speed": True}),
        lines(FIRST | {"line": {"parity": "Q"}}), lines(FIRST | {"line": {"bits": [8]}}),
        lines(FIRST | {"line": {"more": 1}}), lines(FIRST | {"options": []}),
        lines(FIRST, "opened"), lines(FIRST, [0, "exploded"]), lines(FIRST, [-1, "opened"]),
        lines(FIRST, [True, "opened"]), lines(FIRST, [2, "opened"], [1, "ticked"]),
        lines(FIRST, [0, "fed", "0g"]), lines(FIRST, [0, "fed", 5]),
        lines(FIRST, [0, "link", "live", "no"]), lines(FIRST) + b'[1e999,"opened"]\n',
        lines(FIRST) + b'[NaN,"opened"]\n', lines(FIRST) + b"[" + b"9" * 5000 + b',"opened"]\n',
        lines(FIRST, [10**300, "opened"]),
    ],
)  # fmt: skip
def test_what_is_no_recording_is_refused_in_a_sentence(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "recording").write_bytes(content)
    with pytest.raises(RecordingError):
        read_recording(tmp_path / "recording")
    done = CliRunner().invoke(omaha_table, ["devices", "replay", str(tmp_path / "recording")])
    assert done.exit_code == 2
    assert "recording" in done.output


def test_bytes_of_a_recording_are_no_more_than_bytes_of_a_device(tmp_path: Path) -> None:
    """Whatever a file feeds, the driver takes it as from a line; what it says is printable."""
    chance = random.Random(7)
    entries: list[object] = [[0, "opened"], [0, "link", "opening", "\x1b[2J"]]
    for at in range(200):
        what = chance.choice(["fed", "sent"])
        entries.append([at, what, chance.randbytes(chance.randint(0, 300)).hex()])
        entries.append([at, chance.choice(["ticked", "closed", "opened"])])
    (tmp_path / "recording").write_bytes(lines(FIRST, *entries))
    done = CliRunner().invoke(omaha_table, ["devices", "replay", str(tmp_path / "recording")])
    assert done.exit_code == 0
    assert "\x1b" not in done.output


def test_a_file_does_not_decide_which_code_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "recording").write_bytes(lines(FIRST | {"adapter": "tests.drivers.bad_import:X"}))
    asked = ["devices", "replay", str(tmp_path / "recording")]
    done = CliRunner().invoke(omaha_table, asked)
    assert done.exit_code == 2
    assert "If you trust it: --adapter tests.drivers.bad_import:X" in " ".join(done.output.split())


def test_an_adapter_that_fails_on_a_recording_is_named_and_the_replay_goes_on(
    tmp_path: Path,
) -> None:
    fed = [[at, "fed", "00"] for at in range(3)]
    (tmp_path / "recording").write_bytes(lines(FIRST, [0, "opened"], *fed))
    for adapter, times in (("AlwaysFails", 3), ("CannotBeMade", 1)):
        name = f"tests.drivers.bad_adapters:{adapter}"
        asked = ["devices", "replay", str(tmp_path / "recording"), "--adapter", name]
        done = CliRunner().invoke(omaha_table, asked)
        assert done.exit_code == 0
        assert done.output.count("adapter failed, module tests.drivers.bad_adapters") == times
        assert "As Kd" not in done.output


def test_the_commands_record_a_device_and_replay_it(tmp_path: Path) -> None:
    device = EmulatedShoe(tmp_path / "shoe")
    device.start()
    file = tmp_path / "shoe.recording"
    (tmp_path / "t7.toml").write_text(
        '[table]\nid = "t7"\nrules = "ca_big_o"\n\n[devices.shoe]\n'
        f'adapter = "tdp"\nport = "{tmp_path / "shoe"}"\n'
    )
    device.load(CARDS)
    run = ["devices", "record", "shoe", str(file), "--table", str(tmp_path / "t7.toml")]
    done = CliRunner().invoke(omaha_table, [*run, "--seconds", "0.6"])
    assert done.exit_code == 0, done.output
    assert "without cards" in done.output
    again = CliRunner().invoke(omaha_table, ["devices", "replay", str(file)])
    assert again.exit_code == 0, again.output
    assert "identified, vendor EMU, model Shoe" in again.output
    for more, why in (
        ((), "already exists"),
        (("--speed", "9600"), "set up by the table's file alone"),
    ):
        refused = CliRunner().invoke(omaha_table, [*run, *more])
        assert refused.exit_code == 2
        assert why in " ".join(refused.output.split())
    device.stop()


def test_a_disk_that_is_full_ends_a_recording_in_a_sentence(tmp_path: Path) -> None:
    device = EmulatedShoe(tmp_path / "shoe", faults=Faults(["repeat"], 1, 1.0))
    device.start()
    record = f"{sys.executable} -m omaha_table devices record shoe recording --seconds 20"
    done = subprocess.run(
        ["sh", "-c", f"ulimit -f 1; exec {record}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    device.stop()
    assert done.returncode == 1
    assert "The recording cannot be written: file too large." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_device_that_is_not_there_leaves_a_recording_that_says_so(tmp_path: Path) -> None:
    file = tmp_path / "recording"
    run = ["devices", "record", str(tmp_path / "nothing"), str(file), "--seconds", "0.3"]
    assert CliRunner().invoke(omaha_table, run).exit_code == 4
    again = CliRunner().invoke(omaha_table, ["devices", "replay", str(file)])
    assert "link changed, link down, why No device at this port." in again.output
