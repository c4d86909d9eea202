"""Checks that a log can be trusted: chain, seals, receipts, links, then a replay of every hand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from omaha_table.journal.days import day_files, missing_offices, office_files
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.file_check import FileCheck
from omaha_table.journal.keys import read_json
from omaha_table.journal.table_check import DayEnd
from omaha_table.journal.verdict import Damage, JournalVerdict, Verdict
from omaha_table.journal.walk import Broken
from omaha_table.office.state import Brief

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.journal.anchors import Anchors


def verify(
    files: list[Path],
    progress: Callable[[int], None] = lambda rows: None,
    anchors: Anchors | None = None,
) -> Verdict:
    """Checks journals, oldest first; continues with the next file after a damaged one."""
    return _verify(files, progress, anchors)[0]


def verify_office(files: list[Path]) -> tuple[Verdict, Brief]:
    """Checks the office journals of a folder; also what the last sound seal in them keeps."""
    verdict, ends = _verify(files, lambda rows: None, None)
    offices = [end.office for end in ends.values() if end.office is not None]
    return verdict, offices[-1].sealed if offices else Brief()


def _verify(
    files: list[Path], progress: Callable[[int], None], anchors: Anchors | None
) -> tuple[Verdict, dict[str, DayEnd]]:
    verdict = Verdict()
    ends: dict[str, DayEnd] = {}
    checked: list[FileCheck] = []
    names = _names(files)
    for path in files:
        verdict.files += 1
        reader = FileCheck(path, verdict, anchors, names[path])
        checked.append(reader)
        try:
            reader.read(ends, progress)
            end = reader.end
        except Broken as broken:
            verdict.damage.append(Damage(reader.name, broken.event, broken.kind, broken.message))
            end = _end_in_receipt(path)._replace(office=reader.office)
        except JournalFault as fault:
            verdict.damage.append(Damage(reader.name, None, "unreadable", fault.message))
            end = _end_in_receipt(path)._replace(office=reader.office)
        if reader.line:
            ends[reader.line] = end
    for missing in () if anchors is None else anchors.unmet():
        verdict.damage.append(Damage("the journals", None, "anchor", missing))
    verdict.journals = _anchored(checked, {damage.file for damage in verdict.damage})
    return verdict, ends


def _names(files: list[Path]) -> dict[Path, str]:
    """What each is called: with its folder where several have one name, as offices of tables do."""
    often = Counter(path.name for path in files)
    return {
        path: path.name if often[path.name] == 1 else f"{path.parent.name}/{path.name}"
        for path in files
    }


def _anchored(checked: list[FileCheck], damaged: set[str]) -> list[JournalVerdict]:
    """Which journals are anchored: each names the end of the one before it, so that an anchor also
    holds for all earlier days; a first public key holds for all that is signed since."""
    found: dict[Path, JournalVerdict] = {}
    later: dict[str, str] = {}
    for file in reversed(checked):
        name, sound = file.name, file.name not in damaged
        by = later.get(file.line, "")
        point = file.anchor
        if not sound:
            later.pop(file.line, None)
            found[file.path] = JournalVerdict(name, sound=False)
            continue
        if by:
            found[file.path] = JournalVerdict(name, True, True, by)
        elif point is not None:
            last = point.event if point.event < file.seq else None
            found[file.path] = JournalVerdict(name, True, True, point.by, last)
        else:
            found[file.path] = JournalVerdict(name, True)
        later[file.line] = "" if file.begins else by or (point.by if point is not None else "")
    key: dict[str, str] = {}
    for file in checked:
        if file.begins:
            key[file.line] = file.first_key
        mine = found[file.path]
        if not mine.sound:
            key.pop(file.line, None)
        elif key.get(file.line) and not mine.anchored:
            last = file.last_seal if file.last_seal < file.seq else None
            found[file.path] = JournalVerdict(mine.file, True, True, key[file.line], last)
    return [found[file.path] for file in checked]


def _end_in_receipt(path: Path) -> DayEnd:
    """The end of a damaged day, for the day after it, as far as it is known."""
    try:
        receipt = read_json(path.with_suffix(".receipt"))
        return DayEnd(str(receipt["head"]), str(receipt["next_key"]))
    except (OSError, ValueError, KeyError, TypeError):
        return DayEnd("")


def files_in(target: Path) -> list[Path]:
    """The journals of a folder, or of its subfolders, one per table."""
    if not target.is_dir():
        return [target]
    inside = [folder for folder in sorted(target.iterdir()) if folder.is_dir()]
    return day_files(target) or [path for folder in inside for path in day_files(folder)]


def office_in(target: Path) -> list[Path]:
    """The office journals of a folder, missing ones too; of a file: none but itself.

    Where the tables have subfolders, each has an office of its own for its PINs, besides that of
    the folder with the counts.
    """
    if not target.is_dir():
        return []
    own = sorted([*office_files(target), *missing_offices(target)])
    if day_files(target):
        return own
    inside = [folder for folder in sorted(target.iterdir()) if folder.is_dir()]
    below = [[*office_files(folder), *missing_offices(folder)] for folder in inside]
    return own + [path for paths in below for path in sorted(paths)]
