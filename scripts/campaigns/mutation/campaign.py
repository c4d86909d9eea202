"""What must not be wrong, made wrong in one small way at a time: what `scripts/mutation` runs.

Every change is put to the tests in a process of its own. One that no test notices has survived:
a test is missing, or the change is no change at all. Those of the second kind are in
accepted.toml, each with the reason; any other survivor is a fault.
"""

from __future__ import annotations

import argparse
import functools
import random
import resource
import sys
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.campaigns.mutation.operators import changes
from scripts.campaigns.mutation.targets import TARGETS
from scripts.campaigns.mutation.trial import prepare, survives

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.campaigns.mutation.operators import Change
    from scripts.campaigns.mutation.targets import Target

ACCEPTED = Path(__file__).with_name("accepted.toml")
Key = tuple[str, str, str, str]


@dataclass
class Score:
    """What became of the changes to one target."""

    killed: int = 0
    accepted: int = 0
    survivors: list[Change] = field(default_factory=list)

    @property
    def tried(self) -> int:
        return self.killed + self.accepted + len(self.survivors)


def key(target: Target, change: Change) -> Key:
    return target.name, change.text, change.was, change.now


def read_accepted(path: Path) -> set[Key]:
    """The changes that are known to be none, by their text: they outlive edits elsewhere."""
    if not path.exists():
        return set()
    known: set[Key] = set()
    for name, entries in tomllib.loads(path.read_text(encoding="utf-8")).items():
        for entry in entries:
            if not entry["why"]:
                raise ValueError(f"no reason is given for {entry['line']}")
            known |= {(name, entry["line"], was, now) for was, now in entry["changes"]}
    return known


class Campaign:
    def __init__(self, targets: Sequence[Target], accepted: set[Key], *, tell: bool) -> None:
        self._accepted, self._tell = accepted, tell
        self._show = sys.stderr.isatty()
        self._limits: dict[str, int] = {}
        self._sampled = False
        self.scores = {target.name: Score() for target in targets}
        self.trials = [
            (target, number, change)
            for target in targets
            for number, change in enumerate(_changes(target))
        ]

    def sample(self, count: int, seed: int) -> None:
        """Keeps to so many changes that are not accepted, the same for the same seed.

        Every group has an equal share: a small one would seldom be met among all changes.
        """
        self._sampled = True
        groups: dict[str, list[tuple[Target, int, Change]]] = {}
        for trial in self.trials:
            if key(trial[0], trial[2]) not in self._accepted:
                groups.setdefault(trial[0].group, []).append(trial)
        dice = random.Random(seed)
        chosen: list[tuple[Target, int, Change]] = []
        for left, open_ones in zip(range(len(groups), 0, -1), groups.values(), strict=True):
            share = (count - len(chosen)) // left
            chosen += dice.sample(open_ones, min(share, len(open_ones)))
        self.trials = sorted(chosen, key=lambda t: (list(self.scores).index(t[0].name), t[1]))

    def run(self) -> None:
        for done, (target, number, change) in enumerate(self.trials):
            score = self.scores[target.name]
            if key(target, change) in self._accepted:
                score.accepted += 1
            elif survives(target, number, self._limit(target)):
                score.survivors.append(change)
                if self._tell:
                    print(f"{target.source}:{change.line}: {change.text}")
                    print(f"    {change.was}  ->  {change.now}", flush=True)
            else:
                score.killed += 1
            if self._show:
                left = sum(len(score.survivors) for score in self.scores.values())
                said = f"{done + 1:,} of {len(self.trials):,}, {target.name}, {left} survived"
                print(f"\r{said:60}", end="", file=sys.stderr, flush=True)
        if self._show:
            print(file=sys.stderr)

    def _limit(self, target: Target) -> int:
        """Seconds of work after which a trial hangs, from one without a change, which must pass.

        A sample is for where the tests are run anyway.
        """
        if self._sampled:
            return 60
        if target.name not in self._limits:
            began = _work()
            if not survives(target, None, 600):
                raise SystemExit(f"the tests of {target.name} fail as it is")
            self._limits[target.name] = 10 + round(3 * (_work() - began))
        return self._limits[target.name]


def _work() -> float:
    """Seconds of processor time that the trials have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@functools.cache
def _changes(target: Target) -> list[Change]:
    return changes(Path(target.source).read_text(encoding="utf-8"), target.only, target.about)[1]


def unused(targets: Sequence[Target], accepted: set[Key]) -> list[Key]:
    """What is accepted and is no change to these targets any more."""
    names = {target.name for target in targets}
    found = {key(target, change) for target in targets for change in _changes(target)}
    return sorted(entry for entry in accepted - found if entry[0] in names)


def main(
    arguments: Sequence[str] | None = None,
    targets: Sequence[Target] = TARGETS,
    accepted: Path = ACCEPTED,
) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--module", action="append", choices=[t.name for t in targets])
    parser.add_argument("--group", choices=sorted({t.group for t in targets}))
    parser.add_argument("--sample", type=int, help="try so many changes, chosen at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="show the survivors")
    given = parser.parse_args(arguments)
    chosen = [
        t
        for t in targets
        if (not given.module or t.name in given.module)
        and (given.group is None or t.group == given.group)
    ]
    known = read_accepted(accepted)
    campaign = Campaign(chosen, known, tell=given.list)
    if given.sample is not None:
        campaign.sample(given.sample, given.seed)
    began = time.monotonic()
    prepare()
    stopped = False
    try:
        campaign.run()
    except KeyboardInterrupt:
        stopped = True
    stale = unused(chosen, known)
    for name, line, was, now in stale:
        print(f"accepted, but not in {name} any more: {line}: {was}  ->  {now}")
    print(report(campaign, time.monotonic() - began))
    left = any(score.survivors for score in campaign.scores.values())
    return int(stopped or bool(stale) or left)


def report(campaign: Campaign, seconds: float) -> str:
    lines = []
    for name, score in campaign.scores.items():
        if score.tried:
            lines.append(
                f"{name:16} {score.killed:5,} of {score.tried:5,} killed, "
                f"{score.accepted:3} accepted, {len(score.survivors):3} survived"
            )
    tried = sum(score.tried for score in campaign.scores.values())
    left = sum(len(score.survivors) for score in campaign.scores.values())
    took = f"{tried:,} changes in {seconds:.0f} s ({_work():.0f} s of work), {left} survived"
    return "\n".join([*lines, took])


if __name__ == "__main__":
    sys.exit(main())
