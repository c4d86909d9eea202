"""The floor: rulings and remedies, and who may give them."""

from omaha_table.floor.authority import Give, give, identify, read
from omaha_table.floor.rulings import BY_NAME, RULINGS
from omaha_table.floor.staff import Person, Role, Staff, StaffError

__all__ = [
    "BY_NAME",
    "RULINGS",
    "Give",
    "Person",
    "Role",
    "Staff",
    "StaffError",
    "give",
    "identify",
    "read",
]
