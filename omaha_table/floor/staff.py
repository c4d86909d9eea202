"""The staff: who they are, what they may do, and their PINs.

A PIN is stored as an Argon2id hash with a pepper that is not in the staff file. The PIN alone
identifies a person, so no two people may have the same one.
"""

from __future__ import annotations

import hmac
import os
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import Final

from cryptography.hazmat.primitives.kdf.argon2 import Argon2id


class Role(StrEnum):
    DEALER = "dealer"
    FLOOR = "floor"
    SHIFT = "shift_manager"
    AUDITOR = "auditor"


MAY_RULE: Final = frozenset({Role.FLOOR, Role.SHIFT})
NEW_PIN: Final = range(6, 13)
LEAST_PIN: Final = 4
"""Digits of the shortest PIN there can be: the releases before took four."""
"""How many digits a new PIN has; those of 0.1.0 may have four."""


class StaffError(ValueError):
    """A change to the staff list that is not possible."""


@dataclass(frozen=True, slots=True)
class PinHash:
    salt: bytes
    digest: bytes
    memory_kib: int = 64 * 1024
    passes: int = 3

    @staticmethod
    def of(pin: str, pepper: bytes, memory_kib: int = 64 * 1024, passes: int = 3) -> PinHash:
        salt = os.urandom(16)
        return PinHash(salt, _derive(pin, pepper, salt, memory_kib, passes), memory_kib, passes)

    def matches(self, pin: str, pepper: bytes) -> bool:
        digest = _derive(pin, pepper, self.salt, self.memory_kib, self.passes)
        return hmac.compare_digest(digest, self.digest)

    def __repr__(self) -> str:
        return "<PIN>"


def easily_guessed(pin: str) -> bool:
    """Whether a PIN is a run or a repetition, such as 111111, 123321 or 471471."""
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(pin)}
    parts = (pin[:size] for size in range(1, len(pin) // 2 + 1) if len(pin) % size == 0)
    return steps <= {0, 1, 9} or any(part * (len(pin) // len(part)) == pin for part in parts)


def check_new_pin(pin: str) -> None:
    """Raises StaffError if nobody should have this PIN."""
    if not (pin.isascii() and pin.isdecimal() and len(pin) in NEW_PIN):
        raise StaffError(f"A new PIN has {NEW_PIN.start} to {NEW_PIN.stop - 1} digits.")
    if easily_guessed(pin):
        raise StaffError("That PIN is a run or a repetition, and easily guessed. Choose another.")


def _derive(pin: str, pepper: bytes, salt: bytes, memory_kib: int, passes: int) -> bytes:
    return Argon2id(
        salt=salt, length=32, iterations=passes, lanes=1, memory_cost=memory_kib, secret=pepper
    ).derive(pin.encode())


def pepper_id(pepper: bytes) -> str:
    """Names a pepper without helping anybody to guess it: it takes as long to try as a PIN does."""
    return _derive("pepper", pepper, b"which pepper is it", 64 * 1024, 3)[:8].hex()


@dataclass(frozen=True, slots=True)
class Person:
    id: str
    name: str
    role: Role
    pin: PinHash
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class Staff:
    """Everybody on the staff, with the pepper for their PINs."""

    people: tuple[Person, ...] = ()
    pepper: bytes = b""
    pepper_id: str = ""
    """Which pepper that is, if it came with a list of the room; empty: the folder's own."""

    def whose(self, pin: str) -> Person | None:
        """Whose PIN this is, disabled or not. Tries everybody's: the time gives nothing away."""
        found = None
        for person in self.people:
            if person.pin.matches(pin, self.pepper) and (found is None or found.disabled):
                found = person
        return found

    def identify(self, pin: str) -> Person | None:
        """Whose PIN this is, of those who are not disabled."""
        found = self.whose(pin)
        return None if found is None or found.disabled else found

    def get(self, person_id: str) -> Person:
        for person in self.people:
            if person.id == person_id:
                return person
        raise StaffError(f"Unknown staff id {person_id!r}.")

    def add(self, person_id: str, name: str, role: Role, pin: str) -> Staff:
        if any(person.id == person_id for person in self.people):
            raise StaffError(f"The staff id {person_id!r} is already in use.")
        self._check_pin(pin)
        person = Person(person_id, name, role, PinHash.of(pin, self.pepper))
        return replace(self, people=(*self.people, person))

    def disable(self, person_id: str) -> Staff:
        changed = self._with(replace(self.get(person_id), disabled=True))
        if self.has_shift_manager and not changed.has_shift_manager:
            raise StaffError(f"{person_id} is the only shift manager: add another one first.")
        return changed

    def enable(self, person_id: str) -> Staff:
        return self._with(replace(self.get(person_id), disabled=False))

    @property
    def has_shift_manager(self) -> bool:
        """Whether somebody may change this list."""
        return any(who.role is Role.SHIFT and not who.disabled for who in self.people)

    def change_pin(self, person_id: str, pin: str) -> Staff:
        self._check_pin(pin)
        return self._with(replace(self.get(person_id), pin=PinHash.of(pin, self.pepper)))

    def _with(self, changed: Person) -> Staff:
        people = tuple(changed if person.id == changed.id else person for person in self.people)
        return replace(self, people=people)

    def _check_pin(self, pin: str) -> None:
        check_new_pin(pin)
        # Of those who are disabled too: they may come back.
        if self.whose(pin) is not None:
            raise StaffError("This PIN cannot be used. Choose another.")
