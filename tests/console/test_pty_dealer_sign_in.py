"""A dealer signs in with a PIN on a real terminal, with a staff list that takes seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.floor.files import nobody_yet
from omaha_table.floor.staff import Person, PinHash, Role
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.verification import files_in
from omaha_table.table.events import AuthorityRefused, DealerIn
from tests.console.terminal import Terminal, table_file
from tests.staff_files import save_staff

if TYPE_CHECKING:
    from pathlib import Path


def test_the_push_asks_for_the_pin_and_loses_no_key(tmp_path: Path) -> None:
    data = tmp_path / "data"
    staff = nobody_yet(data)
    people = tuple(
        Person(f"D{number}", f"Dealer {number}", Role.DEALER, PinHash.of(pin, staff.pepper))
        for number, pin in ((112, "700112"), (113, "700113"), (114, "482155"))
    )
    save_staff(data, type(staff)(people, staff.pepper))
    table = table_file(tmp_path, 'dealer_sign_in = "pin"')
    with Terminal(["console", "--table", str(table), "--data", str(data)]) as terminal:
        terminal.wait("BUTTON DRAW")
        terminal.press("/", "+")
        terminal.wait("house number")
        terminal.press(*"114", "enter")
        terminal.wait("D114: type your PIN")
        terminal.press(*"700113", "enter", gap=0.05)
        terminal.wait("Wrong PIN: 4 tries left", 60)
        terminal.press(*"482155", "enter", gap=0.05)
        terminal.wait("D114 is in, PIN checked", 60)
        terminal.press("/")
        terminal.wait("MENU, HELP")
        terminal.press("*", "9")
        assert terminal.end() == 0
        assert b"482155" not in terminal.raw
    [journal] = files_in(data)
    with Reader(journal) as reader:
        events = [record_of(row).event for row in reader.since()]
    [wrong] = [event for event in events if isinstance(event, AuthorityRefused)]
    assert (wrong.why, wrong.dealer, wrong.by) == ("wrong_pin", "D114", ())
    assert [e for e in events if isinstance(e, DealerIn)] == [DealerIn("D114", "pin")]
