"""`omaha-table enroll`: a supervisor starts a new segment after a damaged journal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from omaha_table import __version__
from omaha_table.cli.lines import Problem, say, table_name, use_folder
from omaha_table.cli.pins import (
    OWN_LIST,
    not_recorded,
    pin_check,
    signed_by,
    staff_folder,
    staff_of,
)
from omaha_table.cli.script import choose
from omaha_table.files import group_id
from omaha_table.floor.files import (
    NEW_FILE,
    STAFF_FILE,
    is_named,
    list_content,
    sha256,
)
from omaha_table.floor.files import staff_of as list_of
from omaha_table.floor.staff import Staff, StaffError
from omaha_table.journal.chain import START
from omaha_table.journal.days import day_files, next_segment, office_files
from omaha_table.journal.events import DayOpened, Event, Record, SegmentEnrolled
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.office_book import is_waiting, open_office, open_segment
from omaha_table.journal.opening import key_is_missing, writer_name
from omaha_table.journal.pins import PinCheck
from omaha_table.journal.staff_list import load_staff
from omaha_table.journal.verdict import Damage
from omaha_table.journal.verification import files_in, verify, verify_office
from omaha_table.journal.writer import JournalWriter
from omaha_table.office.decisions import OfficeRefused
from omaha_table.office.events import OFFICE, TableEnrolled
from omaha_table.process import protect_memory
from omaha_table.table.events import TableOpened

if TYPE_CHECKING:
    from omaha_table.office.events import Signature
    from omaha_table.rules.profile import Limit, Profile


@click.command()
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder with the damaged journal.",
)
@click.option(
    "--table",
    callback=table_name,
    default="table",
    metavar="NAME",
    show_default=True,
    help="The table's id.",
)
@click.option(
    "--rules",
    default="ca_big_o",
    metavar="ID|FILE",
    show_default=True,
    help="The rules to continue with.",
)
@click.option(
    "--limit",
    "limit_id",
    metavar="ID",
    help="The limit to continue with; default: the first of the rules.",
)
@click.option(
    "--group",
    default="",
    metavar="NAME",
    help="A group whose members may read the journal; without it, nobody else can.",
)
@click.option(
    "--staff",
    "staff_dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the staff list, if --data has none.",
)
@click.option("--by", default="", metavar="ID", help="Who signs; without it the PIN alone says so.")
@click.option("--office", is_flag=True, help="Go on after a damaged office journal, not a table's.")
@click.option("--reason", required=True, help="What is wrong with the journal.")
def enroll(
    data: Path,
    table: str,
    rules: str,
    limit_id: str | None,
    group: str,
    staff_dir: Path | None,
    by: str,
    office: bool,
    reason: str,
) -> None:
    """Starts a new journal file, which names the damaged one. Asks for a supervisor's PIN.

    Nothing is repaired: the damaged files stay as they are, for the investigation. The office
    journal goes on by a shift manager's PIN.

    \b
    Examples:
      omaha-table enroll --data /srv/table7 --table t7 --reason "power loss, tail missing"
      omaha-table enroll --data /srv/table7 --office --by S1 --reason "a page cannot be read"
    """
    protect_memory()
    if len(reason.strip()) < 3:
        raise click.UsageError("Give a reason of at least three letters.")
    try:
        if office:
            _enroll_office(data, staff_dir or data, by, reason)
        else:
            people = staff_folder(data, staff_dir)
            _enroll_table(data, table, people, by, group, reason, choose(rules, limit_id))
    except OfficeRefused as refused:
        raise Problem(refused.message) from None


def _enroll_table(
    data: Path,
    table: str,
    people: Path,
    by: str,
    group: str,
    reason: str,
    chosen: tuple[Profile, Limit],
) -> None:
    broken = day_files(data, table)
    if not broken:
        raise click.UsageError(f"No journal of table {table} in {data}.")
    damage = _damage(broken[-1], table)
    day = next_segment(broken[-1].stem.removeprefix(f"{table}-"))
    person = signed_by(pin_check(people), "enroll", by, "Supervisor's PIN: ")
    use_folder(data, group)
    event = _entry(table, f"{table}-{day}.journal", broken[-1], damage, reason, person)
    try:
        with open_office(data, writer_name()) as book:
            book.record(event, actor=f"office:{person.id}")
    except JournalFault as fault:
        raise not_recorded(fault) from None
    _begin(data, table, day, broken[-1], group, chosen, _segment(event))
    _say_done(event)


def _damage(path: Path, table: str) -> Damage:
    """Why a table cannot go on with its last journal; raises UsageError if it can."""
    verdict = verify(files_in(path))
    if not verdict.sound:
        return verdict.damage[0]
    if key_is_missing(path, table):
        return Damage(path.name, None, "key", "it is a copy without the keys of the table")
    raise click.UsageError(f"{path.name} is sound: a new segment is not needed.")


def _begin(
    data: Path,
    table: str,
    day: str,
    broken: Path,
    group: str,
    chosen: tuple[Profile, Limit],
    enrolled: SegmentEnrolled,
) -> None:
    profile, limit = chosen
    old = _put_keys_aside(data, table, broken.stem)
    try:
        try:
            journal = JournalWriter(data, table, day, holder=writer_name(), group=group_id(group))
        except JournalFault:
            for key, kept in old.items():
                kept.replace(key)
            raise
        opened = TableOpened(
            profile.id, profile.profile.version, limit.id, False, profile.as_data()
        )
        events: tuple[Event, ...] = (
            DayOpened(table, day, START.hex(), journal.public_key, __version__),
            opened,
            enrolled,
        )
        records = [Record(seq, None, event) for seq, event in enumerate(events, start=1)]
        journal.append(records, f"floor:{'+'.join(enrolled.by)}")
        journal.close()
    except JournalFault as fault:
        raise Problem.of(fault) from None


def _enroll_office(data: Path, people: Path, by: str, reason: str) -> None:
    """Failures to sign are entries too: they go to the new segment, which takes nothing else until
    it is enrolled."""
    files = office_files(data)
    begun = files[-1] if len(files) > 1 and _is_begun(files[-1]) else None
    files = [path for path in files if path != begun]
    if not files:
        raise click.UsageError(f"No office journal in {data}.")
    broken = files[-1]
    verdict, carried = verify_office(files)
    damage = next((found for found in verdict.damage if found.file == broken.name), None)
    if damage is None:
        raise click.UsageError(f"{broken.name} is sound: a new segment is not needed.")
    own_list = people.resolve() == data.resolve()
    if not own_list and (carried.staff or (data / STAFF_FILE).exists()):
        raise click.UsageError(OWN_LIST.format(data))
    if damage.kind == "staff" or (own_list and not is_named(data, carried.staff)):
        raise click.UsageError(
            "The staff list is not the one that was last signed for: put that one back first."
        )
    staff = _own_staff(data, carried.staff) if own_list else staff_of(people)
    if not staff.people:
        raise click.UsageError(f"There is no staff list in {people}: see 'omaha-table staff'.")
    use_folder(data, keep_group=True)
    day = next_segment(broken.stem.removeprefix(f"{OFFICE}-"))
    if begun is None:
        _put_keys_aside(data, OFFICE, broken.stem)
    try:
        with open_segment(data, writer_name(), day, carried):
            pass
        renew = (lambda: staff) if own_list else (lambda: load_staff(people))
        check = PinCheck(people, staff, writer_name(), enrolling=own_list, renew=renew)
        person = signed_by(check, "enroll_office", by, "Shift manager's PIN: ")
        event = _entry(OFFICE, f"{OFFICE}-{day}.journal", broken, damage, reason, person)
        with open_segment(data, writer_name(), day, carried) as book:
            book.enroll(_segment(event), event, f"office:{person.id}")
    except JournalFault as fault:
        raise not_recorded(fault) from None
    _say_done(event)


def _own_staff(data: Path, named: str) -> Staff:
    """The list beside the damaged journal, which is as it was last signed for."""
    try:
        for name in (STAFF_FILE, NEW_FILE):
            content = list_content(data, name)
            if content is not None and named in ("", sha256(content)):
                return list_of(data, content)
    except StaffError as error:
        raise click.UsageError(str(error)) from None
    return Staff()


def _is_begun(path: Path) -> bool:
    """Whether an enrollment was begun with this journal, and not finished."""
    try:
        return is_waiting(path)
    except JournalFault:
        return path.stat().st_size == 0


def _entry(
    table: str, log: str, broken: Path, damage: Damage, reason: str, person: Signature
) -> TableEnrolled:
    return TableEnrolled(table, log, broken.name, damage.message, reason, person)


def _segment(event: TableEnrolled) -> SegmentEnrolled:
    return SegmentEnrolled(event.broken, event.why_broken, event.reason, (event.by.id,))


def _put_keys_aside(data: Path, table: str, broken: str) -> dict[Path, Path]:
    """They are evidence, and the new segment has keys of its own."""
    moved = {}
    for key in (data / f"{table}.key", data / f"{table}.next"):
        kept = key.with_name(f"{key.name}.{broken}")
        if kept.exists():
            # An attempt that was cut short has kept the true one; this one has sealed nothing.
            key.unlink(missing_ok=True)
        elif key.exists():
            key.replace(kept)
            moved[key] = kept
    return moved


def _say_done(event: TableEnrolled) -> None:
    say(f"{event.broken} stays as it is ({event.why_broken.rstrip('.')}).")
    what = "continues the year" if event.table == OFFICE else "continues the day"
    say(f"{event.log} {what}, enrolled by {event.by.id}.")
