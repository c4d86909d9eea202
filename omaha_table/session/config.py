"""A table's configuration: rules, first players, folders, keys and devices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from omaha_drivers.settings import DeviceSettings
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from omaha_table.cards import quote
from omaha_table.files import FileError, group_id, read_bounded
from omaha_table.journal.days import TABLE_NAME
from omaha_table.money import Cents, parse_dollars
from omaha_table.rules.load import faults_of
from omaha_table.shipped import config_dir
from omaha_table.table.commands import SeatPlayer
from omaha_table.toml_files import read_toml

if TYPE_CHECKING:
    from omaha_table.journal.events import Record
    from omaha_table.session.session import Session


class ConfigError(Exception):
    """The table cannot be opened with this configuration; the message says why."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("text that can be shown, without control characters")
    return text


_Name = Annotated[str, StringConstraints(pattern=TABLE_NAME)]
_Text = Annotated[str, AfterValidator(_printable)]
"""What is typed at the table passes the same check."""
_Dollars = Annotated[Cents, BeforeValidator(lambda given: parse_dollars(str(given)))]


class TableSection(_Section):
    id: _Name
    title: _Text = Field("", max_length=40)
    rules: _Text
    """A shipped profile, or a file in the same folder."""
    limit: _Text | None = None
    deck_required: bool | None = None
    """Whether each hand needs a reported and cut deck; unset: only with a shuffler."""
    mirror: _Text = ""
    """A folder for the second copy of the journal."""
    surveillance_key: _Text = ""
    """The file with the surveillance office's public key; without it a shoe only counts cards."""
    group: _Text = ""
    """A group whose members may read journals, witness files and receipts; none: nobody else."""


class PlayerSection(_Section):
    seat: int = Field(ge=1, le=12)
    name: _Text = Field(min_length=1, max_length=24)
    stack: _Dollars | None = None


class DeviceSection(_Section):
    adapter: _Text
    """'tdp', 'angel_eye', or an installed adapter; 'manual' means no device."""
    port: _Text = ""
    speed: int | None = Field(None, ge=300, le=4_000_000)
    serial: _Text = Field("", max_length=32)
    key_file: _Text = ""
    identities: Literal["sealed", "count_only"] = "sealed"
    allow_commands: bool = False


class DevicesSection(_Section):
    shuffler: DeviceSection | None = None
    shoe: DeviceSection | None = None


class TableConfig(_Section):
    table: TableSection
    players: tuple[PlayerSection, ...] = ()
    devices: DevicesSection = DevicesSection()
    folder: Path = Path()
    """The folder of the file; other files are named relative to it."""

    @property
    def deck_required(self) -> bool:
        setting = self.table.deck_required
        return self._configured("shuffler") is not None if setting is None else setting

    @property
    def group(self) -> int | None:
        """The number of the reviewers' group; raises ConfigError if this machine has none."""
        try:
            return group_id(self.table.group)
        except FileError as error:
            raise ConfigError(f"table.group: {error}") from None

    def with_stacks(self, stacks: dict[int, Cents]) -> TableConfig:
        """The same table with other stacks for some players."""
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
        """The devices' settings for the drivers; raises ConfigError if a key file is missing."""
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
            key = read_bounded(self.beside(section.key_file), 32)
        except FileError:
            key = b""
        except OSError as error:
            raise ConfigError(
                f"The device key {quote(section.key_file)} cannot be read: {error.strerror}."
            ) from None
        if not 16 <= len(key) <= 32:
            raise ConfigError(
                f"{quote(section.key_file)} is not a device key: a key has 16 to 32 bytes."
            )
        return key


def load_table(path: Path) -> TableConfig:
    """The configuration in a TOML file; raises ConfigError with every fault."""
    try:
        data = read_toml(path)
    except OSError as error:
        raise ConfigError(f"{quote(path.name)} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise ConfigError(f"{quote(path.name)} is not a TOML file in UTF-8 ({error}).") from None
    if "folder" in data:
        raise ConfigError(f"{quote(path.name)}: folder: unknown setting.")
    try:
        made = TableConfig.model_validate(data | {"folder": path.parent})
    except ValidationError as error:
        faults = " ".join(map(str, faults_of(error, data, TableConfig)))
        raise ConfigError(f"{quote(path.name)}: {faults}") from None
    for kind in ("shuffler", "shoe"):
        section = getattr(made.devices, kind)
        if section is not None and section.adapter != "manual" and not section.port:
            raise ConfigError(f"{quote(path.name)}: devices.{kind}.port is missing.")
    seats = [player.seat for player in made.players]
    if len(set(seats)) != len(seats):
        raise ConfigError(f"{quote(path.name)}: two players have the same seat.")
    return made


def seat_players(session: Session, config: TableConfig) -> list[Record]:
    """Seats the configured players at a table where nobody has sat yet."""
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
