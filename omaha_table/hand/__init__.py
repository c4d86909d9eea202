"""One hand from posting to push: commands in, events out, the state folded from them."""

from omaha_table.hand.betting import misdeal_window_open
from omaha_table.hand.decisions import Decision, decide
from omaha_table.hand.fees import fee_per_player, unpaid
from omaha_table.hand.folding import apply
from omaha_table.hand.opening import post, start
from omaha_table.hand.refusal import Refused
from omaha_table.hand.state import HandState
from omaha_table.hand.steps import Choice, Step, step

__all__ = [
    "Choice",
    "Decision",
    "HandState",
    "Refused",
    "Step",
    "apply",
    "decide",
    "fee_per_player",
    "misdeal_window_open",
    "post",
    "start",
    "step",
    "unpaid",
]
