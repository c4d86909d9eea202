"""The code that is made wrong, in groups, and the tests that must notice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
WORKED = ("tests/hand/test_worked_betting.py", "tests/hand/test_worked_hands.py")
PLAYED = ("tests/hand/test_play.py", "tests/hand/test_showdown_readings.py")
RULED = tuple(
    f"tests/floor/test_{what}.py"
    for what in (
        *("dead_hands", "misdeals", "corrections", "finished_hands"),
        *("wrong_cards", "out_of_turn", "rulings"),
    )
)
PLACES = tuple(
    f"tests/table/test_{what}.py"
    for what in (
        *("between_hands", "blinds_and_button", "opening_draw", "kills"),
        *("edges_of_places", "edges_of_kills", "absent_killers"),
    )
)
RANDOM = ("tests/hand/test_machine.py", "tests/table/test_evenings.py")
REST = ("tests/hand/test_audit.py", "tests/floor/test_examples.py")
EDGES = tuple(
    f"tests/hand/test_edges_of_{what}.py" for what in ("betting", "showdowns", "posts_and_fees")
)


@dataclass(frozen=True, slots=True)
class Target:
    """A module, or functions of one and lines about a word, and its tests."""

    source: str
    tests: tuple[tuple[str, ...], ...]
    """In rounds, the telling and the quick first: the next is run if the last has passed."""
    only: tuple[str, ...] = ()
    about: str = ""
    group: str = "money"

    @property
    def module(self) -> str:
        return self.source.removesuffix(".py").replace("/", ".")

    @property
    def name(self) -> str:
        """As it is asked for: hand.pots."""
        return self.module.removeprefix("omaha_table.")


def _rounds(*rounds: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The rounds without what was in an earlier one."""
    kept: list[tuple[str, ...]] = []
    for files in rounds:
        before = {file for earlier in kept for file in earlier}
        kept.append(tuple(file for file in files if file not in before))
    return tuple(files for files in kept if files)


def _target(name: str, *tests: str, only: tuple[str, ...] = (), about: str = "") -> Target:
    rounds = _rounds(tests, (*WORKED, *PLAYED, *EDGES), (*PLACES, *RULED, *REST, *RANDOM))
    return Target(f"omaha_table/{name}.py", rounds, only, about)


def _all_of(folder: str, *without: str) -> tuple[str, ...]:
    """Every file of tests in a folder, so that a new one counts, but for some by topic."""
    files = sorted((ROOT / folder).rglob("test_*.py"))
    named = (file.relative_to(ROOT).as_posix() for file in files if file.stem[5:] not in without)
    return tuple(named)


def _file_of(group: str, topic: str) -> str:
    """The file of tests of a topic, in whatever folder of its group it is."""
    [file] = (ROOT / "tests" / group).rglob(f"test_{topic}.py")
    return file.relative_to(ROOT).as_posix()


def _in_group(group: str, rest: tuple[str, ...], tests: dict[str, tuple[str, ...]]) -> list[Target]:
    """The modules of a group: first the files that are about each, then the rest."""
    return [
        Target(
            f"omaha_table/{name}.py",
            _rounds(tuple(_file_of(group, topic) for topic in topics), rest),
            group=group,
        )
        for name, topics in tests.items()
    ]


MONEY = (
    _target(
        "hand/pots",
        *("tests/hand/test_pots.py", "tests/hand/test_edges_of_pots.py", "tests/hand/test_fees.py"),
    ),
    _target(
        "hand/split",
        *("tests/hand/test_split.py", "tests/hand/test_edges_of_pots.py"),
        "tests/hand/test_rule_examples.py",
    ),
    _target("hand/betting", *WORKED, EDGES[0]),
    _target("hand/actions", *PLAYED, EDGES[0]),
    _target("hand/showdown", *PLAYED, EDGES[1]),
    _target("hand/opening", *WORKED, "tests/hand/test_short_posts.py"),
    _target("hand/fees", "tests/hand/test_fees.py", "tests/hand/test_fees_by_player.py"),
    _target("hand/decisions", EDGES[2], only=("completed", "with_consequences")),
    _target(
        "hand/state",
        *EDGES,
        only=("of", "bet", "able", "contenders", "pot_total", "pots"),
    ),
    _target("rules/profile", "tests/hand/test_pots.py", only=("covers", "bracket")),
    _target("table/positions", *PLACES),
    _target(
        "table/folding",
        *(*PLACES, *RULED),
        only=("_transfer", "_move", "_without_seat", "_end_hand"),
        about="kill",
    ),
    _target("table/decisions", *PLACES, about="kill"),
)

JOURNAL = _in_group(
    "journal",
    # The others start programs, mount file systems, or come to the same at greater length.
    _all_of("tests/journal", "crash", "full_disk", "enroll", "kills_in_the_deal"),
    {
        "journal/chain": ("chain", "damage"),
        "journal/keys": ("keys", "journal"),
        "journal/sealed": ("vault", "sealed"),
        "journal/sealed_deal": ("vault", "sealed"),
        "journal/days": ("day_names", "journal"),
        "journal/mirror": ("mirror",),
        "journal/codec": ("codec", "journal"),
        "journal/snapshot": ("codec", "journal"),
        "journal/writer": ("journal", "opening", "disk_room", "recovery"),
        "journal/store": ("store", "disk_room", "journal"),
        "journal/reader": ("store", "damage"),
        "journal/walk": ("verify", "opening"),
        "journal/replay": ("recovery", "journal"),
        "journal/opening": ("opening", "journal"),
        "journal/verification": ("verify", "damage"),
    },
)
FLOOR = _in_group(
    "floor",
    _all_of("tests/floor"),
    {
        "floor/authority": ("authority", "rulings"),
        "floor/staff": ("authority",),
        "floor/rulings": ("rulings", "examples"),
        "floor/spec": ("rulings", "fitting"),
        "floor/params": ("rulings", "examples"),
        "floor/at_table": ("rulings", "fitting"),
        "floor/in_hand": ("rulings", "fitting"),
        "floor/remedies": ("rulings", "examples"),
    },
)
REVIEW = _in_group(
    "review",
    # The arithmetic of a review is not in what is exported, imported and drawn.
    _all_of(
        "tests/review",
        *("phh", "ohh", "importing", "export", "night", "rulings"),
        *("pages", "scenes", "hands", "replay", "review_command", "in_a_browser"),
        *("damaged", "bad_journals", "table_files"),
    ),
    {
        "review/index/drop": ("corrected_hands", "report"),
        "review/screens/box_sheets": ("e29", "boxes"),
        "review/index/ledger": ("report", "boxes"),
        "review/screens/statistics": ("e29", "scenes"),
        "review/reports/pace": ("report",),
        "review/screens/unusual": ("unusual",),
        "review/index/filters": ("projection",),
    },
)
TARGETS = (*MONEY, *JOURNAL, *FLOOR, *REVIEW)
