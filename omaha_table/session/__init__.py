"""Everything that drives a table comes through here: the session, its words, its scripts."""

from omaha_table.session.session import Session

__all__ = ["Session"]
