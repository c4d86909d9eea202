"""The questions of `omaha-table setup` about the table itself: rules, limit, devices, key."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click
from omaha_drivers import registry
from omaha_drivers.events import Link
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.transport import TransportError, check_port

from omaha_table.cli.asking import ask, choose, confirm, fits, path_of, setting
from omaha_table.cli.device_ladder import TRUST
from omaha_table.cli.devices import find_ports, who_answers
from omaha_table.cli.keyfiles import read_office_key
from omaha_table.cli.lines import say
from omaha_table.cli.table_text import TableAnswers
from omaha_table.rules import ProfileError, load_profile, shipped_ids
from omaha_table.rules.posted_card import limit_texts
from omaha_table.session.config import DeviceSection, TableSection

if TYPE_CHECKING:
    from omaha_drivers.settings import Kind

    from omaha_table.cli.devices import Port
    from omaha_table.rules import Limit, Profile


DEFAULT_ID: Final = "t1"


def ask_table(likely_id: str) -> TableAnswers:
    room = ask(
        "Name of the cardroom (ENTER for none)",
        "It is printed on the shift slip.",
        setting(TableSection, "room"),
        "",
    )
    id_ = ask(
        "Table id",
        "A short name for files: letters, digits and underscores. It names the log, so it must "
        "not change later.",
        setting(TableSection, "id"),
        likely_id if fits(TableSection, "id", likely_id) else DEFAULT_ID,
    )
    number = id_.lstrip("tT")
    title = ask(
        "Title of the table",
        "What the screen shows at the top left.",
        setting(TableSection, "title"),
        f"Table {number}" if number.isdecimal() else id_,
    )
    rules, profile = _ask_rules()
    limit = _ask_limit(profile)
    answers = TableAnswers(id_, title, room, rules, limit.id)
    answers = replace(answers, shuffler=_ask_device("shuffler", "the deck is shuffled by hand"))
    if answers.shuffler is None and "manual" not in profile.shuffle.allowed:
        click.echo("  These rules ask for a shuffling machine. The console cannot check one that")
        click.echo("  it is not connected to.")
    answers = replace(answers, shoe=_ask_device("shoe", "the dealer keys the cards that are shown"))
    return replace(answers, surveillance_key=_ask_key()) if answers.shoe else answers


def _ask_rules() -> tuple[str, Profile]:
    shipped = [(f"{load_profile(name).profile.title}  {name}", name) for name in shipped_ids()]
    name = choose(
        "Which rules?",
        "Number, or a rules file of your own",
        "The game and its rules. 'omaha-table rules show ca_big_o' prints them with their sources; "
        "docs/profiles.md says how to write your own.",
        shipped,
        _own_rules,
    )
    return name, load_profile(name)


def _own_rules(given: str) -> str:
    if not given.endswith(".toml"):
        raise ValueError("Type a number of the list, or a file that ends in .toml.")
    path = path_of(given)
    try:
        load_profile(str(path))
    except ProfileError as error:
        raise ValueError(str(error)) from None
    setting(TableSection, "rules")(str(path))
    return str(path)


def _ask_limit(profile: Profile) -> Limit:
    offered = []
    for limit in profile.limits:
        bets, blinds, *rest = limit_texts(limit)
        offered.append(("\n".join([f"{limit.id}: {bets}, {blinds}", *rest]), limit))
    return choose(
        "Which limit?",
        "Number",
        "What the table opens with. The floor can change it at the table; other limits and fees "
        "are settings of the rules.",
        offered,
    )


def _ask_device(kind: Kind, without: str) -> DeviceSettings | None:
    ports = [(_port_text(port), port.name) for port in find_ports()]
    port = choose(
        f"Which port is the {kind} on?",
        "Number, or a port",
        f"A {kind} is optional. The list has the serial ports of this machine as they are now. "
        "Another port can be typed: a path such as /dev/serial/by-id/usb-shoe, or an address such "
        "as socket://10.0.7.12:4001. A name under by-id stays the same when devices are plugged "
        "in in another order.",
        [(f"none: {without}", ""), *ports],
        _port,
    )
    if not port:
        return None
    settings = DeviceSettings(kind, kind, _ask_adapter(kind), port)
    click.echo(f"  Asking the {kind} …")
    [status] = who_answers([settings])
    if status.link is not Link.LIVE:
        why = "The port is open." if status.link is Link.OPENING else status.why
        say(f"  No answer yet: {why}")
        click.echo("  You can go on; the console shows an alarm until it answers.")
        return settings
    say(f"  It answers: {status.vendor} {status.model}, {TRUST[status.trust]}.")
    known = status.serial and fits(DeviceSection, "serial", status.serial)
    if known and confirm(
        f"Accept only this {kind}, serial number {status.serial}",
        "Messages of any other device on this port are then ignored.",
        default=True,
    ):
        return replace(settings, serial=status.serial)
    return settings


def _port_text(port: Port) -> str:
    return port.name if port.what in ("", "n/a") else f"{port.name}  {port.what}"


def _port(given: str) -> str:
    setting(DeviceSection, "port")(given)
    if not given.startswith("/") and "://" not in given:
        raise ValueError("Type a number of the list, a path that begins with /, or an address.")
    try:
        check_port(given)
    except TransportError as error:
        raise ValueError(str(error)) from None
    return given


def _ask_adapter(kind: Kind) -> str:
    fitting = [name for name in registry.names() if _fits_kind(name, kind)]
    if len(fitting) == 1:
        return fitting[0]
    fitting.sort(key=lambda name: name != "tdp")
    return choose(
        f"Which protocol does the {kind} speak?",
        "Number",
        "The maker's manual says it. tdp is this program's own, which emulated devices speak, too.",
        [(name, name) for name in fitting],
    )


def _fits_kind(adapter: str, kind: Kind) -> bool:
    try:
        registry.make(DeviceSettings(kind, kind, adapter, "/dev/null"))
    except Exception:
        # It is for the other kind, or it is an installed one that cannot be loaded.
        return False
    return True


def _ask_key() -> str:
    click.echo("\nThe surveillance office can seal the cards that the shoe reads, so that nobody")
    click.echo("else can. Without its public key the shoe only counts, and no card is kept.")
    return ask(
        "File with the office's public key (ENTER for none)",
        "'omaha-table keys new' makes the key pair, on another machine. Only the public key comes "
        "to the table. It can be added to the table's file later.",
        _public_key,
        "",
    )


def _public_key(given: str) -> str:
    if not given:
        return ""
    path = path_of(given)
    try:
        read_office_key(path)
    except click.UsageError as error:
        raise ValueError(error.message) from None
    return setting(TableSection, "surveillance_key")(str(path))
