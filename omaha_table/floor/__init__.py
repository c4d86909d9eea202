"""The floor: rulings and remedies, and who may give them."""

from omaha_table.floor.authority import Give, Identity, NotAuthorized, check_pin, give, propose
from omaha_table.floor.rulings import BY_NAME, RULINGS, fitting
from omaha_table.floor.staff import Person, Role, Staff, StaffError

__all__ = [
    "BY_NAME",
    "RULINGS",
    "Give",
    "Identity",
    "NotAuthorized",
    "Person",
    "Role",
    "Staff",
    "StaffError",
    "check_pin",
    "fitting",
    "give",
    "propose",
]
