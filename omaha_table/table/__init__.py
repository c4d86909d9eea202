"""The table between hands, and the hand it runs: the one `decide` and `apply` of the program."""

from omaha_table.table.apply import apply, open_table
from omaha_table.table.decide import decide
from omaha_table.table.state import SeatAtTable, TableState

__all__ = ["SeatAtTable", "TableState", "apply", "decide", "open_table"]
