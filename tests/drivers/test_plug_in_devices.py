"""Two devices that were added with the guide alone: on real ptys, through the supervisor."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from omaha_drivers import events as e
from omaha_drivers.adapter import Actions, Emitted
from omaha_drivers.conformance import CHECKS, Check, Trial, try_one
from omaha_drivers.contained import AdapterFailedError, ContainedAdapter
from omaha_drivers.emulate import Faults
from omaha_drivers.emulate.host import PtyHost
from omaha_drivers.registry import UnknownAdapterError, make
from omaha_drivers.sealed import Sealed, reveal
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp import Tdp
from omaha_drivers.tdp_codec import CARDS

from omaha_table.session.config import load_table
from tests.drivers.live import Host
from tests.drivers.plug_ins.polled_shuffler import PolledModel, PolledTrial
from tests.drivers.plug_ins.rfid_table import ANTENNAS, OPTIONS, TAGS, RfidModel, RfidTrial

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RFID = "tests.drivers.plug_ins.rfid_table:RfidTable"
SHUFFLER = "tests.drivers.plug_ins.polled_shuffler:PolledShuffler"


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
@pytest.mark.parametrize("trial", [RfidTrial, PolledTrial], ids=lambda one: one.__name__)
def test_they_conform(trial: type[Trial], check: Check) -> None:
    outcome = try_one(trial(), check)
    assert outcome.result != "failed", outcome.why


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[RfidModel, PtyHost]]:
    model = RfidModel()
    faults = Faults(["lose", "split"], seed=3, rate=0.3)
    host = PtyHost(tmp_path / "table", model, 57600, faults)
    host.start()
    yield model, host
    host.stop()


def test_antennas_say_where_each_card_is_once(
    table: tuple[RfidModel, PtyHost], tmp_path: Path
) -> None:
    model, device = table
    dealt = [("S1", "As"), ("S2", "Kd"), ("S1", "7c"), ("S9", "2h"), ("B", "Tc"), ("M", "3s")]
    with Host(tmp_path / "table", adapter=RFID, options=OPTIONS) as host:
        host.wait_link(e.Link.OPENING)
        for antenna, card in dealt:
            device.do(lambda a=antenna, c=card: model.lay(c, a))  # type: ignore[misc]
        host.wait_drawn(len(dealt))
        device.do(lambda: model.lay("As", "M"))  # The fold of seat 1 is no new card.
        device.do(lambda: model.lay("Kd", "S9"))
        host.wait(lambda: e.DeviceWarning("a card was moved") in host.events)
    found = {
        (reveal(event.card), event.place)
        for event in host.events
        if isinstance(event, e.CardDrawn) and event.card
    }
    assert found == {("As", 1), ("Kd", 2), ("7c", 1), ("2h", 9), ("Tc", "board"), ("3s", "muck")}
    assert not any(f"'{card}'" in repr(host.reports) + repr(host.settings) for _, card in dealt)


def test_a_table_file_names_antennas_and_tags(tmp_path: Path) -> None:
    cards = "".join(f'{tag} = "{card}"\n' for tag, card in TAGS.items())
    antennas = "".join(f'{name} = "{where}"\n' for name, where in ANTENNAS.items())
    (tmp_path / "t7.toml").write_text(
        '[table]\nid = "t7"\nrules = "ca_big_o"\n\n[devices.shoe]\n'
        f'adapter = "{RFID}"\nport = "/dev/null"\n\n'
        f"[devices.shoe.options.antennas]\n{antennas}\n[devices.shoe.options.cards]\n{cards}"
    )
    [found] = load_table(tmp_path / "t7.toml").device_settings()
    assert make(found).caps.places
    assert "As" not in repr(found)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"cards": {"E004": "1x"}}, "cards: each is a rank"),
        ({"antennas": {"S1": "13"}}, "antennas: each is at a seat"),
        ({"antenna": {}}, "antenna: unknown option. Did you mean antennas?"),
    ],
)
def test_options_that_cannot_be_used_are_a_sentence(options: dict[str, object], why: str) -> None:
    settings = DeviceSettings("shoe", "shoe", RFID, "", options=options)
    with pytest.raises(UnknownAdapterError, match=why):
        make(settings)


def test_a_polled_shuffler_makes_a_deck_and_counts_a_short_one(tmp_path: Path) -> None:
    model = PolledModel()
    faults = Faults(["lose", "bad_check", "garbage"], seed=3, rate=0.2)
    device = PtyHost(tmp_path / "shuffler", model, 19200, faults)
    device.start()
    given = {"adapter": SHUFFLER, "serial": "PS-1", "options": {"poll_seconds": 0.02}}
    with Host(tmp_path / "shuffler", kind="shuffler", **given) as host:  # type: ignore[arg-type]
        host.wait_link(e.Link.LIVE)
        device.do(lambda: model.shuffle("blue"))
        device.do(model.take)
        device.do(lambda: model.shuffle("red", 51))
        host.wait(lambda: any(isinstance(x, e.DeckVerified) and not x.ok for x in host.events))
        assert host.supervisor.status.trust is e.Trust.PINNED
        device.unplug()
        host.wait_link(e.Link.DOWN)
        device.do(lambda: model.report(b"J"))
        device.replug()
        host.wait(lambda: e.Jammed("exit") in host.events)
    device.stop()
    said = [x for x in host.events if not isinstance(x, e.LinkChanged | e.Identified)]
    assert said == [
        e.DeckIn("blue"), e.ShuffleStarted(1), e.DeckVerified(1, 52, True, "ok"),
        e.ShuffleComplete(1, 52), e.DeckTaken(1), e.DeckIn("red"), e.ShuffleStarted(2),
        e.DeckVerified(2, 51, False, "short"), e.Jammed("exit"),
    ]  # fmt: skip


def test_a_shuffler_that_stops_answering_is_silent_and_comes_back(tmp_path: Path) -> None:
    model = PolledModel()
    device = PtyHost(tmp_path / "shuffler", model, 19200, Faults(["silence"], every=0.3))
    device.start()
    options = {"poll_seconds": 0.05, "silent_after": 0.3}
    with Host(
        tmp_path / "shuffler", kind="shuffler", adapter=SHUFFLER, options=options
    ) as host:  # fmt: skip
        host.wait_link(e.Link.SILENT)
        host.wait_link(e.Link.LIVE)
    device.stop()


class Misplaced(Tdp):
    def opened(self, now: float) -> Actions:
        drawn = e.CardDrawn(1, Sealed(CARDS[0]), in_game=True, place=13)
        return Actions((Emitted(drawn),))


def test_a_place_that_is_none_is_a_failure_of_the_adapter() -> None:
    adapter = ContainedAdapter(DeviceSettings("shoe", "shoe", f"{__name__}:Misplaced", ""))
    with pytest.raises(AdapterFailedError, match="InvalidActionsError"):
        adapter.opened(time.monotonic())
