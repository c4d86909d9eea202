"""`omaha-table room enroll`: admits a table, an office journal, a reader or a witness."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from omaha_table.cli.lines import Problem, say
from omaha_table.cli.room_database import connected, database_option

if TYPE_CHECKING:
    from omaha_table.journal.room_list import Publisher
    from omaha_table.room.certificates import Authority
    from omaha_table.room.enrollment import Kind


@click.command()
@click.argument("name", metavar="[TABLE]", required=False)
@database_option
@click.option(
    "--out",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The bundle to write. Copy it to the table over a safe way, then delete it here.",
)
@click.option("--reader", metavar="NAME", help="A bundle that may read everything, write nothing.")
@click.option("--office", metavar="NAME", help="A bundle for an office journal.")
@click.option("--witness", metavar="NAME", help="A bundle for a witness: reads, and cosigns.")
@click.option(
    "--ca",
    "authority_folder",
    metavar="DIR",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="The authority that room init made: the bundle has a certificate, and insists on TLS.",
)
@click.option("--host", metavar="NAME", default="", help="How the server is reached from there.")
@click.option(
    "--witness-key",
    metavar="FILE",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="The public key of the witness, which the table will believe and no other.",
)
@click.option(
    "--lists-from",
    "office_folder",
    metavar="DIR",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="The office's data folder: the table takes the staff lists that it publishes.",
)
@click.option("--by", metavar="ID", default="", help="After an alarm: who answers for it.")
@click.option("--reason", default="", help="After an alarm: why.")
@click.option(
    "--staff",
    "staff_folder",
    metavar="DIR",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="After an alarm: the data folder with the staff list and office journal.",
)
def enroll(
    name: str | None,
    url: str,
    out: Path,
    reader: str | None,
    office: str | None,
    witness: str | None,
    authority_folder: Path | None,
    host: str,
    witness_key: Path | None,
    office_folder: Path | None,
    by: str,
    reason: str,
    staff_folder: Path | None,
) -> None:
    """Admits a table, an office journal, a reader or a witness, and writes its bundle.

    A new bundle replaces the one before it. After an alarm a shift manager signs with a PIN.

    \b
    Examples:
      omaha-table room enroll t7 --db postgresql://owner@db/room --out t7-room.toml
      omaha-table room enroll t7 --db postgresql://owner@db/room --out t7-room.toml --ca room-ca
    """
    from dataclasses import replace

    from omaha_table.room.bundle import write_bundle
    from omaha_table.room.enrollment import alarms_of
    from omaha_table.room.enrollment import enroll as admit

    all_kinds: tuple[tuple[Kind, str | None], ...] = (
        ("table", name), ("reader", reader), ("office", office), ("witness", witness),
    )  # fmt: skip
    given = [(kind, each) for kind, each in all_kinds if each]
    if len(given) != 1:
        raise click.UsageError("Name one table, or --reader, --office or --witness NAME.")
    kind, who = given[0]
    authority = None if authority_folder is None else _authority(authority_folder)
    lists = None if office_folder is None else _lists_of(office_folder)
    if office_folder is not None and kind != "table":
        raise click.UsageError("--lists-from is for a table: nobody else has a use for the pepper.")
    if out.exists():
        raise click.UsageError(f"{out} is already there: name a new file.")
    with connected(url) as open_room:
        alarms = alarms_of(open_room, who)
        signed_by = _signature(who, alarms, by, reason, staff_folder) if alarms else ""
        bundle = admit(
            open_room, who, kind,
            signed_by=signed_by, reason=reason, authority=authority, host=host,
        )  # fmt: skip
    if witness_key is not None:
        bundle = replace(bundle, witness_key=_public_key(witness_key))
    if lists is not None:
        bundle = replace(
            bundle, lists_key=lists.key, pepper=lists.pepper.hex(), pepper_id=lists.pepper_id
        )
    try:
        write_bundle(out, bundle)
    except OSError as error:
        raise Problem(f"{out} cannot be written: {error.strerror}. Enroll {who} again.") from None
    say(f"{who} is enrolled. {out} lets it in: copy it there, and delete it here.")


def _lists_of(folder: Path) -> Publisher:
    """What a table must know of the office: its key, and the pepper, which no room ever sees."""
    from omaha_table.cli.pins import said
    from omaha_table.journal.room_list import publisher_of

    with said():
        return publisher_of(folder)


def _authority(folder: Path) -> Authority:
    from omaha_table.room.certificates import CertificateError, read_authority

    try:
        return read_authority(folder)
    except CertificateError as error:
        raise Problem(str(error)) from None


def _signature(who: str, alarms: list[str], by: str, reason: str, folder: Path | None) -> str:
    """A shift manager answers for an alarm, with a PIN and a reason."""
    from omaha_table.cli.signing import refusals, sign
    from omaha_table.journal.office_book import open_office
    from omaha_table.journal.opening import writer_name
    from omaha_table.office.events import TableReadmitted

    if not by or folder is None or len(reason.strip()) < 3:
        raise click.UsageError(
            f"{who} is in alarm ({', '.join(alarms)}): a shift manager answers for it with --by "
            "ID, --staff DIR and --reason."
        )
    [signature] = sign(folder, "enroll_table", (by,))
    event = TableReadmitted(who, tuple(sorted(set(alarms))), reason.strip(), signature)
    with refusals(), open_office(folder, writer_name()) as book:
        book.record(event, actor=f"office:{signature.id}")
    return f"{signature.id} {signature.name}"


def _public_key(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
        if len(bytes.fromhex(text)) != 32:
            raise ValueError
    except (OSError, ValueError):
        raise click.UsageError(f"{path} is not the public key of a witness.") from None
    return text
