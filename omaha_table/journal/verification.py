"""Checks that a log can be trusted: chain, seals, receipts, links, then a replay of every hand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from omaha_table.journal.days import day_files, missing_offices, office_files
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.file_check import FileCheck
from omaha_table.journal.verdict import Damage, JournalVerdict, Verdict
from omaha_table.journal.walk import Broken
from omaha_table.office.state import Brief

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from omaha_table.journal.anchors import Anchors
    from omaha_table.journal.crew import Crew
    from omaha_table.journal.table_check import DayEnd


def verify(
    files: list[Path],
    progress: Callable[[int], None] = lambda rows: None,
    anchors: Anchors | None = None,
    crew: Crew | None = None,
) -> Verdict:
    """Checks journals, oldest first; continues with the next file after a damaged one.

    `crew` are processes that check ahead. Raises CheckLost if one of them ends too early.
    """
    return _verify(files, progress, anchors, crew)[0]


def verify_office(files: list[Path]) -> tuple[Verdict, Brief]:
    """Checks the office journals of a folder; also what the last sound seal in them keeps."""
    verdict, ends = _verify(files, lambda rows: None, None)
    offices = [end.office for end in ends.values() if end.office is not None]
    return verdict, offices[-1].sealed if offices else Brief()


def _verify(
    files: list[Path],
    progress: Callable[[int], None],
    anchors: Anchors | None,
    crew: Crew | None = None,
) -> tuple[Verdict, dict[str, DayEnd]]:
    verdict, names = Verdict(), names_of(files)
    checks = [FileCheck(path, verdict, anchors, names[path]) for path in files]
    return verdict, run_checks(checks, verdict, progress, anchors, crew)


def run_checks(
    checks: Sequence[FileCheck],
    verdict: Verdict,
    progress: Callable[[int], None] = lambda rows: None,
    anchors: Anchors | None = None,
    crew: Crew | None = None,
) -> dict[str, DayEnd]:
    """Reads journals, oldest first, and adds what was found; how the last of each table ends."""
    ends: dict[str, DayEnd] = {}
    for number, check in enumerate(checks):
        verdict.files += 1
        if crew is not None:
            crew.go_ahead(checks, number)
        try:
            check.read(ends, progress)
            end = check.end
        except Broken as broken:
            verdict.damage.append(Damage(check.name, broken.event, broken.kind, broken.message))
            end = check.end_after_damage()
        except JournalFault as fault:
            verdict.damage.append(Damage(check.name, None, "unreadable", fault.message))
            end = check.end_after_damage()
        if check.line:
            ends[check.line] = end
    for missing in () if anchors is None else anchors.unmet():
        verdict.damage.append(Damage("the journals", None, "anchor", missing))
    verdict.journals = _anchored(checks, {damage.file for damage in verdict.damage})
    return ends


def names_of(files: Sequence[Path]) -> dict[Path, str]:
    """What each is called: with its folder where several have one name, as offices of tables do."""
    often = Counter(path.name for path in files)
    return {
        path: path.name if often[path.name] == 1 else f"{path.parent.name}/{path.name}"
        for path in files
    }


def _anchored(checked: Sequence[FileCheck], damaged: set[str]) -> list[JournalVerdict]:
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
            hand = None if last is None else point.hand
            found[file.path] = JournalVerdict(name, True, True, point.by, last, hand)
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
