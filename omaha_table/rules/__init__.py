"""Rule profiles: the model, the files, the checks, and where each rule comes from."""

from omaha_table.rules.checks import Fault, most_hands
from omaha_table.rules.load import ProfileError, examine, load_profile, read_profile, shipped_ids
from omaha_table.rules.profile import Limit, Profile

__all__ = [
    "Fault",
    "Limit",
    "Profile",
    "ProfileError",
    "examine",
    "load_profile",
    "most_hands",
    "read_profile",
    "shipped_ids",
]
