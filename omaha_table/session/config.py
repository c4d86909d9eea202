"""A table's configuration: its rules, players to begin with, folders, keys and devices."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from omaha_drivers.settings import DeviceSettings
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from omaha_table.cards import quote
from omaha_table.money import Cents, parse_dollars
from omaha_table.rules.load import faults_of
from omaha_table.shipped import config_dir
from omaha_table.table.commands import SeatPlayer

if TYPE_CHECKING:
    from omaha_table.journal.events import Record
    from omaha_table.session.session import Session


class ConfigError(Exception):
    """A table that cannot be opened as it is configured; the message says why."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


_Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_]{1,32}$")]
_Dollars = Annotated[Cents, BeforeValidator(lambda given: parse_dollars(str(given)))]


class Table(_Section):
    id: _Name
    title: str = Field("", max_length=40)
    rules: str
    """A shipped profile, or a file beside this one."""
    limit: str | None = None
    deck_required: bool | None = None
    """Whether each hand needs a deck reported and cut; unset: yes with a shuffler."""
    mirror: str = ""
    """A folder for the second copy of the journal."""
    surveillance_key: str = ""
    """The office's public key, a file; without it a shoe only counts."""


class Player(_Section):
    seat: int = Field(ge=1, le=12)
    name: str = Field(min_length=1, max_length=24)
    stack: _Dollars | None = None


class DeviceSection(_Section):
    adapter: str
    """'tdp', 'angel_eye', or another that is installed; 'manual' is no device."""
    port: str = ""
    speed: int | None = Field(None, ge=300, le=4_000_000)
    serial: str = Field("", max_length=32)
    key_file: str = ""
    identities: Literal["sealed", "count_only"] = "sealed"
    allow_commands: bool = False


class Devices(_Section):
    shuffler: DeviceSection | None = None
    shoe: DeviceSection | None = None


class TableConfig(_Section):
    table: Table
    players: tuple[Player, ...] = ()
    devices: Devices = Devices()
    folder: Path = Path()
    """Where the file lies; its other files are named from there."""

    @property
    def deck_required(self) -> bool:
        asked = self.table.deck_required
        return self._configured("shuffler") is not None if asked is None else asked

    def with_stacks(self, stacks: dict[int, Cents]) -> TableConfig:
        """The same table with other chips in front of some players."""
        players = tuple(
            player.model_copy(update={"stack": stacks.get(player.seat, player.stack)})
            for player in self.players
        )
        return self.model_copy(update={"players": players})

    def beside(self, name: str) -> Path:
        return self.folder / Path(name).expanduser()

    @property
    def rules(self) -> str:
        name = self.table.rules
        return str(self.beside(name)) if name.endswith(".toml") else name

    def device_settings(self) -> list[DeviceSettings]:
        """The devices as the drivers take them; raises ConfigError for a key that is not there."""
        found = []
        for kind in ("shuffler", "shoe"):
            section = self._configured(kind)
            if section is not None:
                found.append(
                    DeviceSettings(
                        name=kind,
                        kind=kind,
                        adapter=section.adapter,
                        port=section.port,
                        speed=section.speed,
                        serial=section.serial,
                        key=self._key(section),
                        identities=section.identities,
                        allow_commands=section.allow_commands,
                    )
                )
        return found

    def _configured(self, kind: Literal["shuffler", "shoe"]) -> DeviceSection | None:
        section = self.devices.shuffler if kind == "shuffler" else self.devices.shoe
        return None if section is None or section.adapter == "manual" else section

    def _key(self, section: DeviceSection) -> bytes:
        if not section.key_file:
            return b""
        try:
            key = self.beside(section.key_file).read_bytes()
        except OSError as error:
            raise ConfigError(
                f"The device key {quote(section.key_file)} cannot be read: {error.strerror}."
            ) from None
        if not 16 <= len(key) <= 32:
            raise ConfigError(
                f"{quote(section.key_file)} holds no device key: it must be 16 to 32 bytes."
            )
        return key


def load_table(path: Path) -> TableConfig:
    """The table in a TOML file; raises ConfigError with every fault."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{quote(path.name)} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{quote(path.name)} is not TOML in UTF-8 ({error}).") from None
    if "folder" in data:
        raise ConfigError(f"{quote(path.name)}: folder: there is no such setting.")
    try:
        made = TableConfig.model_validate(data | {"folder": path.parent})
    except ValidationError as error:
        faults = " ".join(map(str, faults_of(error, data, TableConfig)))
        raise ConfigError(f"{quote(path.name)}: {faults}") from None
    for kind in ("shuffler", "shoe"):
        section = getattr(made.devices, kind)
        if section is not None and section.adapter != "manual" and not section.port:
            raise ConfigError(f"{quote(path.name)}: devices.{kind}.port: it must be given.")
    seats = [player.seat for player in made.players]
    if len(set(seats)) != len(seats):
        raise ConfigError(f"{quote(path.name)}: two players have one seat.")
    return made


def seat_players(session: Session, config: TableConfig) -> list[Record]:
    """The players to begin with, at a table where nobody has sat yet."""
    records: list[Record] = []
    if session.state.seats or session.state.hands:
        return records
    for player in config.players:
        done = session.do(SeatPlayer(player.seat, player.name, player.stack))
        if done.refusal is not None:
            raise ConfigError(f"Seat {player.seat}: {done.refusal.message}")
        records += done.records
    return records


def demo_table() -> TableConfig:
    return load_table(config_dir() / "tables" / "demo.toml")
