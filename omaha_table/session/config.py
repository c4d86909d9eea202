"""A table's configuration: rules, first players, folders, keys and devices."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from omaha_drivers import registry
from omaha_drivers.registry import MANUAL
from omaha_drivers.settings import DeviceSettings, LineSettings, Parity
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)

from omaha_table.cards import quote
from omaha_table.files import FileError, group_id
from omaha_table.floor import Authority
from omaha_table.journal.days import TABLE_NAME
from omaha_table.money import Cents, parse_dollars
from omaha_table.rules.load import faults_of
from omaha_table.session.device_status import UNREAD_PER_100
from omaha_table.session.equipment import Missing, find_device
from omaha_table.shipped import config_dir
from omaha_table.table.commands import SeatPlayer
from omaha_table.table.seating import is_untouched
from omaha_table.table.state import same_name
from omaha_table.toml_files import read_toml

if TYPE_CHECKING:
    from omaha_drivers.settings import Kind

    from omaha_table.journal.events import Record
    from omaha_table.session.session import Session


_KINDS: Final[tuple[Kind, ...]] = ("shuffler", "shoe")


class ConfigError(Exception):
    """The table cannot be opened with this configuration; the message says why."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("text that can be shown, without control characters")
    return text


def _file_name(text: str) -> str:
    if not re.fullmatch(TABLE_NAME, text):
        raise ValueError("1 to 32 letters, digits or underscores")
    return text


def _stop_bits(count: float) -> float:
    if count not in (1, 1.5, 2):
        raise ValueError("1, 1.5 or 2")
    return count


_Name = Annotated[str, AfterValidator(_file_name)]
_Text = Annotated[str, AfterValidator(_printable)]
"""What is typed at the table passes the same check."""
_StopBits = Annotated[float, AfterValidator(_stop_bits)]
_Dollars = Annotated[Cents, BeforeValidator(lambda given: parse_dollars(str(given)))]


class TableSection(_Section):
    id: _Name
    title: _Text = Field("", max_length=40)
    room: _Text = Field("", max_length=40)
    """The name of the cardroom, for the slip."""
    rules: _Text
    """A shipped profile, or a file in the same folder."""
    limit: _Text | None = None
    deck_required: bool | None = None
    """Whether each hand needs a reported and cut deck; unset: only with a shuffler."""
    mirror: _Text = ""
    """A folder for the second copy of the journal."""
    surveillance_key: _Text = ""
    """The file with the surveillance office's public key; without it a shoe only counts cards."""
    dealer_sign_in: Literal["number", "pin"] = "number"
    """What a dealer on the staff list types at the push: the house number, or the PIN as well."""
    group: _Text = ""
    """A group whose members may read journals, witness files and receipts; none: nobody else."""


class AuthoritySection(_Section):
    shift: Literal["dealer", "floor", "shift_manager"] = "dealer"
    """Who opens and closes a shift; above the dealer, with a PIN."""
    day: Literal["floor", "shift_manager"] = "floor"
    """Whose PIN closes the table, and with it the day."""


class PlayerSection(_Section):
    seat: int = Field(ge=1, le=12)
    name: _Text = Field(min_length=1, max_length=24)
    stack: _Dollars | None = None


class DeviceSection(_Section):
    adapter: _Text
    """'tdp', 'angel_eye', an installed adapter or 'module:Class'; 'manual' means no device."""
    port: _Text = ""
    speed: int | None = Field(None, ge=300, le=4_000_000)
    parity: Literal["none", "even", "odd", "mark", "space"] | None = None
    data_bits: Literal[5, 6, 7, 8] | None = None
    stop_bits: _StopBits | None = None
    flow_control: Literal["none", "rts_cts", "dsr_dtr", "xon_xoff"] | None = None
    rs485: bool | None = None
    dtr: bool | None = None
    """Whether DTR is on while the port is open; some devices restart when it changes."""
    rts: bool | None = None
    reopen_after: float = Field(10.0, ge=0, le=3600)
    """Seconds without an answer until the port is opened again; 0: never."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Settings of the adapter, by its own names."""
    serial: _Text = Field("", max_length=32)
    key_file: _Text = ""
    identities: Literal["sealed", "count_only"] = "sealed"
    reports_backs: bool = True
    """Whether the shuffler reports the color of a deck's backs."""
    reports_cycles: bool = True
    """Whether the shuffler numbers its cycles."""
    allow_commands: bool = False
    unread_per_100: float = Field(UNREAD_PER_100, ge=0, le=1000)
    """Cards that a shoe may leave unread in a hundred decks before its service is due."""

    @property
    def line(self) -> LineSettings:
        parity: Parity | None = None
        if self.parity is not None:
            parity = _PARITIES[self.parity]
        return LineSettings(
            parity=parity,
            bits=self.data_bits,
            stop_bits=self.stop_bits,
            flow=self.flow_control,
            rs485=self.rs485,
            dtr=self.dtr,
            rts=self.rts,
        )


_PARITIES: Final[dict[str, Parity]] = {
    "none": "N", "even": "E", "odd": "O", "mark": "M", "space": "S"
}  # fmt: skip


class DevicesSection(_Section):
    shuffler: DeviceSection | None = None
    shoe: DeviceSection | None = None


class RoomSection(_Section):
    bundle: _Text = Field(min_length=1)
    """The file that `room enroll` wrote: where the room is, and this table's secret."""


class TableConfig(_Section):
    table: TableSection
    players: tuple[PlayerSection, ...] = ()
    devices: DevicesSection = DevicesSection()
    authority: AuthoritySection = AuthoritySection()
    room: RoomSection | None = None
    """Where every event is copied to, as it is written."""
    folder: Path = Path()
    """The folder of the file; other files are named relative to it."""

    @property
    def deck_required(self) -> bool:
        setting = self.table.deck_required
        return self.has("shuffler") if setting is None else setting

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
    def second_copy(self) -> Path | None:
        """The folder of the second copy, if it is there.

        Nobody makes it here: where its disk is not mounted, the copy would be lost with the log.
        """
        folder = self.beside(self.table.mirror)
        return folder if self.table.mirror and folder.is_dir() else None

    @property
    def signs(self) -> Authority:
        return Authority(self.authority.shift, self.authority.day)

    @property
    def rules(self) -> str:
        name = self.table.rules
        return str(self.beside(name)) if name.endswith(".toml") else name

    def device_settings(self) -> list[DeviceSettings]:
        """The devices' settings for the drivers; raises ConfigError if one cannot be used."""
        found = self.find_devices()
        for one in found:
            if isinstance(one, Missing):
                raise ConfigError(one.detail)
            try:
                registry.make(one)
            except registry.UnknownAdapterError as error:
                raise ConfigError(str(error)) from None
        return [one for one in found if isinstance(one, DeviceSettings)]

    def find_devices(self) -> list[DeviceSettings | Missing]:
        """The configured devices; of those that cannot be used, what they lack.

        Each call reads the keys again: whoever opens a table calls it once.
        """
        found: list[DeviceSettings | Missing] = []
        for kind in _KINDS:
            section = self._configured(kind)
            if section is not None:
                key_file = self.beside(section.key_file) if section.key_file else None
                found.append(find_device(kind, section, key_file))
        return found

    @property
    def unread_per_100(self) -> float:
        """From how many unread cards on the shoe's service is due."""
        shoe = self._configured("shoe")
        return UNREAD_PER_100 if shoe is None else shoe.unread_per_100

    def has(self, kind: Kind) -> bool:
        """Whether the file asks for this device."""
        return self._configured(kind) is not None

    def _configured(self, kind: Kind) -> DeviceSection | None:
        section = self.devices.shuffler if kind == "shuffler" else self.devices.shoe
        return None if section is None or section.adapter == MANUAL else section


def load_table(path: Path) -> TableConfig:
    """The configuration in a TOML file; raises ConfigError with every fault."""
    try:
        data = read_toml(path)
    except OSError as error:
        hint = " 'omaha-table setup' writes one." if isinstance(error, FileNotFoundError) else ""
        raise ConfigError(f"{quote(path.name)} cannot be read: {error.strerror}.{hint}") from None
    except ValueError as error:
        raise ConfigError(f"{quote(path.name)} is not a TOML file in UTF-8 ({error}).") from None
    if "folder" in data:
        raise ConfigError(f"{quote(path.name)}: folder: unknown setting.")
    try:
        made = TableConfig.model_validate(data | {"folder": path.parent})
    except ValidationError as error:
        faults = " ".join(map(str, faults_of(error, data, TableConfig)))
        raise ConfigError(f"{quote(path.name)}: {faults}") from None
    seats: dict[int, str] = {}
    for player in made.players:
        twin = next((seat for seat, name in seats.items() if same_name(name, player.name)), None)
        if twin is not None and player.seat not in seats:
            raise ConfigError(
                f"{quote(path.name)}: two players have the same name, {player.name}: "
                f"seats {twin} and {player.seat}."
            )
        if player.seat in seats:
            both = f"{seats[player.seat]} and {player.name}"
            raise ConfigError(
                f"{quote(path.name)}: two players have the same seat, seat {player.seat}: {both}."
            )
        seats[player.seat] = player.name
    return made


def seat_players(session: Session, config: TableConfig) -> list[Record]:
    """Seats the configured players at a table where nobody has sat yet.

    Where the table was closed with players at it, the dealer says who is seated.
    """
    records: list[Record] = []
    players = tuple(SeatPlayer(one.seat, one.name, one.stack) for one in config.players)
    session.players_of_file = players
    if not is_untouched(session.state) or session.reopening is not None:
        return records
    for player in players:
        done = session.do(player)
        if done.refusal is not None:
            raise ConfigError(f"Seat {player.seat}: {done.refusal.message}")
        records += done.records
    return records


def demo_table() -> TableConfig:
    return load_table(config_dir() / "tables" / "demo.toml")
