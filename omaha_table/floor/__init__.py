"""The floor: rulings and remedies, and who may give them."""

from omaha_table.floor.authority import (
    Authority,
    By,
    Give,
    Identity,
    NotAuthorized,
    Numbered,
    Pin,
    SignIn,
    SignShift,
    check_dealer,
    check_pin,
    check_shift,
    give,
    identify,
    propose,
    with_numbers,
)
from omaha_table.floor.rulings import BY_NAME, RULINGS, fitting
from omaha_table.floor.staff import Person, Role, Staff, StaffError

__all__ = [
    "BY_NAME",
    "RULINGS",
    "Authority",
    "By",
    "Give",
    "Identity",
    "NotAuthorized",
    "Numbered",
    "Person",
    "Pin",
    "Role",
    "SignIn",
    "SignShift",
    "Staff",
    "StaffError",
    "check_dealer",
    "check_pin",
    "check_shift",
    "fitting",
    "give",
    "identify",
    "propose",
    "with_numbers",
]
