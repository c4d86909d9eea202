"""The code that counts money, and the tests that must notice when it counts otherwise."""

from __future__ import annotations

from dataclasses import dataclass

WORKED = ("tests/hand/test_worked_betting.py", "tests/hand/test_worked_hands.py")
PLAYED = ("tests/hand/test_play.py", "tests/hand/test_review_findings.py")
RULED = (
    "tests/floor/test_third_reading.py",
    "tests/floor/test_review_findings.py",
    "tests/floor/test_rulings.py",
)
PLACES = (
    "tests/table/test_between_hands.py",
    "tests/table/test_edges_of_places.py",
    "tests/table/test_edges_of_kills.py",
)
RANDOM = ("tests/hand/test_machine.py", "tests/table/test_evenings.py")
REST = ("tests/hand/test_audit.py", "tests/floor/test_examples.py")
EDGES = tuple(
    f"tests/hand/test_edges_of_{what}.py" for what in ("betting", "showdowns", "posts_and_fees")
)
SLOW = (
    "tests/hand/test_review_findings.py::test_a_full_disk_and_closed_streams_are_said_in_a_sentence",
    "tests/hand/test_review_findings.py::test_a_name_that_is_no_file_name_is_an_answer",
)
"""They start programs of their own, in which nothing is changed."""


@dataclass(frozen=True, slots=True)
class Target:
    """A module, or functions of one and lines about a word, and its tests."""

    source: str
    tests: tuple[tuple[str, ...], ...]
    """In rounds, the telling and the quick first: the next is run if the last has passed."""
    only: tuple[str, ...] = ()
    about: str = ""
    slow: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        return self.source.removesuffix(".py").replace("/", ".")

    @property
    def name(self) -> str:
        """As it is asked for: hand.pots."""
        return self.module.removeprefix("omaha_table.")


def _target(name: str, *tests: str, only: tuple[str, ...] = (), about: str = "") -> Target:
    rounds: list[tuple[str, ...]] = []
    for files in (tests, (*WORKED, *PLAYED, *EDGES), (*PLACES, *RULED, *REST, *RANDOM)):
        before = [file for earlier in rounds for file in earlier]
        rounds.append(tuple(file for file in files if file not in before))
    later = tuple(files for files in rounds if files)
    return Target(f"omaha_table/{name}.py", later, only, about, SLOW)


TARGETS = (
    _target("hand/pots", "tests/hand/test_pots.py", "tests/hand/test_edges_of_pots.py"),
    _target("hand/split", "tests/hand/test_split.py", "tests/hand/test_edges_of_pots.py"),
    _target("hand/betting", *WORKED, EDGES[0]),
    _target("hand/actions", *PLAYED, EDGES[0]),
    _target("hand/showdown", *PLAYED, EDGES[1]),
    _target("hand/opening", *WORKED),
    _target("hand/decide", EDGES[2], only=("with_consequences",)),
    _target(
        "hand/state",
        *EDGES,
        only=("of", "bet", "able", "contenders", "pot_total", "pots"),
    ),
    _target("rules/profile", "tests/hand/test_pots.py", only=("covers", "bracket")),
    _target("table/positions", *PLACES),
    _target(
        "table/apply",
        *(*PLACES, *RULED),
        only=("_transfer", "_move", "_without_seat", "_end_hand"),
        about="kill",
    ),
    _target("table/decide", *PLACES, about="kill"),
)
