"""Calling the floor: `/` and then ENTER, with no PIN typed. The table goes on meanwhile."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import do
from omaha_table.dealer.event_text import minutes
from omaha_table.table import commands as table

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt

_CALL: Final = do(table.CallFloor())
_CALLED: Final = "The floor is called. Press / and then - to end the call."


def call_key(model: Model, strip: Strip) -> None:
    """Where nobody but the floor can help: one key calls it."""
    if model.state.floor_call is None:
        strip.add("ENTER", "CALL THE FLOOR", _CALL, strong=True)
    else:
        strip.when_pressed("ENTER", _CALLED)


def call_keys(model: Model, strip: Strip) -> None:
    """While no PIN is typed: call the floor, or end the call.

    Neither key leaves the dialog, so that pressing it once too often does nothing at the table.
    """
    if model.state.floor_call is None:
        strip.add("ENTER", "CALL THE FLOOR", _CALL, strong=True)
        strip.when_pressed("-", "The floor is not called.")
    else:
        strip.add("-", "END THE CALL", do(table.EndFloorCall()))
        strip.when_pressed("ENTER", "The floor is called. Press . to go on, - to end the call.")


def called_prompt(model: Model, strip: Strip) -> Prompt:
    """What stands in large letters until somebody goes on."""
    call = model.state.floor_call
    assert call is not None
    at = time.strftime("%H:%M", time.localtime(call.at))
    if call.arrived:
        came = f"{call.arrived} came after {minutes(call.waited)}."
        detail = f"{came}  PIN for a ruling; - if none is needed; . goes on dealing."
        return strip.prompt("FLOOR", "FLOOR IS HERE", detail)
    detail = f"Called at {at}.  Supervisor: type your PIN.  . goes on; the call stands."
    waiting = minutes(max(int(model.wall) - call.at, 0))
    return strip.prompt("FLOOR", "FLOOR CALLED", detail, waiting, "WAITING")
