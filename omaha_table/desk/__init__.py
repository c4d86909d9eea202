"""Everything that drives a table comes through here: the desk, its words, its scripts."""

from omaha_table.desk.desk import Desk

__all__ = ["Desk"]
