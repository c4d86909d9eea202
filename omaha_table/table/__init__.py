"""The table between hands, and the hand it runs: the one `decide` and `apply` of the program."""

from omaha_table.table.decisions import decide
from omaha_table.table.folding import apply, open_table
from omaha_table.table.state import SeatAtTable, TableState

__all__ = ["SeatAtTable", "TableState", "apply", "decide", "open_table"]
