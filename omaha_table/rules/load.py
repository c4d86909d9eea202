"""Reads a rule profile from a shipped id or a file, and lists everything that is wrong with it."""

from __future__ import annotations

import copy
import difflib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from omaha_table.cards import quote
from omaha_table.rules.checks import Fault, check_profile, model_in, settings_of
from omaha_table.rules.profile import Profile
from omaha_table.shipped import config_dir
from omaha_table.toml_files import TomlError, read_toml

if TYPE_CHECKING:
    from pydantic import BaseModel


MOST_FAULTS: Final = 100
"""Named at once; a file with more of them is no profile that somebody is writing."""


class ProfileError(Exception):
    """A profile that cannot be used, with every fault found in it."""

    def __init__(self, where: str, faults: list[Fault]) -> None:
        self.where = where
        self.faults = faults
        super().__init__(f"{where}: " + " ".join(map(str, faults)))


def shipped_ids() -> list[str]:
    return sorted(path.stem for path in (config_dir() / "rules").glob("*.toml"))


@lru_cache(maxsize=64)
def load_profile(reference: str) -> Profile:
    """The profile with a shipped id, or the one in a file."""
    if reference in shipped_ids():
        return read_profile(config_dir() / "rules" / f"{reference}.toml")
    path = Path(reference)
    if path.suffix == ".toml":
        return read_profile(path)
    raise ProfileError(
        quote(reference),
        [
            Fault(
                "rules",
                f"{quote(reference)} is not a rule profile",
                f"{', '.join(shipped_ids())}, or a file that ends in .toml",
            )
        ],
    )


def read_profile(path: Path) -> Profile:
    """The profile in a file; raises ProfileError with all faults at once."""
    try:
        data = read_toml(path)
    except (OSError, ValueError) as error:
        if isinstance(error, TomlError):
            raise ProfileError(
                quote(str(path)), [Fault("file", f"is not TOML ({error})", "a TOML file in UTF-8")]
            ) from None
        why = error.strerror if isinstance(error, OSError) else "not a file name"
        raise ProfileError(
            quote(str(path)),
            [Fault("file", f"cannot be read ({why})", "a readable TOML file")],
        ) from None
    profile, faults = examine(data)
    if profile is None:
        raise ProfileError(quote(path.name), [fault for fault in faults if not fault.warning])
    return profile


_STAND_INS: Final[dict[str, Any]] = {
    "id": "unnamed",
    "title": "unnamed",
    "hole_cards": 4,
    "split": "high",
    "max": 2,
    "structure": "no_limit",
    "kind": "half",
    "players": "2+",
    "fee": "0.00",
    "profile": {},
    "game": {},
    "seats": {},
    "limits": [{}],
    "fees": [{}],
    "shuffle": "manual",
} | dict.fromkeys(("small_bet", "big_bet", "small_blind", "big_blind", "blind"), "1.00")
"""For required settings that are missing or cannot be read, so that the others can be checked."""


def examine(data: dict[str, Any]) -> tuple[Profile | None, list[Fault]]:
    """The profile in the data, if it can be used, and all its faults at once."""
    faults: dict[str, Fault] = {}
    data = copy.deepcopy(data)
    while True:
        try:
            profile = Profile.model_validate(data)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                key = _key(data, detail["loc"])
                new = not any(key.startswith(known) for known in faults)
                if new and len(faults) < MOST_FAULTS:
                    faults[key] = _fault(key, detail, Profile)
                _put_stand_in(data, detail["loc"], missing=detail["type"] == "missing")
        else:
            found = [*faults.values(), *check_profile(profile, faults)]
            usable = all(fault.warning for fault in found)
            return profile if usable else None, found


def _put_stand_in(data: Any, loc: tuple[int | str, ...], *, missing: bool) -> None:
    """Puts a stand-in for a missing setting, or takes out one that cannot be read."""
    *path, last = loc
    at = data
    for step in path:
        at = at[step]
    if missing:
        at[last] = copy.deepcopy(_STAND_INS[str(last)])
    elif isinstance(last, int):
        at[last] = _STAND_INS["shuffle"] if path == ["shuffle", "allowed"] else {}
    else:
        del at[last]


def faults_of(error: ValidationError, data: dict[str, Any], model: type[BaseModel]) -> list[Fault]:
    """What is wrong with the data of any of our TOML files, in words."""
    return [
        _fault(_key(data, detail["loc"]), detail, model)
        for detail in error.errors(include_url=False)[:MOST_FAULTS]
    ]


def _fault(key: str, detail: Any, model: type[BaseModel]) -> Fault:
    loc, kind = detail["loc"], detail["type"]
    if kind == "missing":
        return Fault(key, "is missing", "it must be given")
    if kind == "extra_forbidden":
        known = _known_keys(loc[:-1], model)
        nearest = difflib.get_close_matches(str(loc[-1]), known, n=1, cutoff=0.0)
        return Fault(
            key,
            "there is no such setting",
            f"the nearest is {nearest[0]}; the settings here are {', '.join(known)}",
        )
    value = detail["input"]
    shown = quote(value if isinstance(value, str) else str(value))
    context = detail.get("ctx", {})
    if kind == "literal_error":
        return Fault(key, f"{shown} is not possible", str(context["expected"]))
    if kind == "value_error":
        return Fault(key, f"{shown} is not possible", str(context["error"]))
    if kind in _LIMITS:
        return Fault(key, f"{shown} is not possible", _LIMITS[kind].format(**context))
    message = str(detail["msg"]).removeprefix("Input should be ").removeprefix("a valid ")
    return Fault(key, f"{shown} is not possible", message)


_LIMITS: Final = {
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "too_short": "a list of at least {min_length}",
    "string_too_short": "at least {min_length} characters",
    "string_too_long": "at most {max_length} characters",
}
"""What is allowed where a value is out of bounds, in our words and not in those of pydantic."""


def _key(data: dict[str, Any], loc: tuple[int | str, ...]) -> str:
    """The place of a setting as a reader of the file would name it: limits[4-8].fees[0].fee."""
    key = ""
    at: Any = data
    for step in loc:
        try:
            at = at[step]
        except (KeyError, IndexError, TypeError):
            at = None
        if isinstance(step, int):
            name = at.get("id", step) if isinstance(at, dict) else step
            key += f"[{name}]"
        else:
            key += f".{step}" if key else step
    return key


def _known_keys(loc: tuple[int | str, ...], model: Any) -> list[str]:
    """The settings of the section at a place in a file."""
    for step in loc:
        if isinstance(step, str):
            model = model_in(settings_of(model)[step].annotation)
    return sorted(settings_of(model))
