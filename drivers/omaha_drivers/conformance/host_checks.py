"""What a host asks of an adapter: commands, a restart, and that no card gets out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_drivers.conformance.checking import (
    Check,
    all_came,
    new_run,
    promises,
    reads_cards,
    require,
    settle,
    started,
)
from omaha_drivers.conformance.leaks import everything_said, leak_in
from omaha_drivers.emulate.faults import Faults
from omaha_drivers.events import CardDrawn, DeviceWarning
from omaha_drivers.sealed import Sealed

if TYPE_CHECKING:
    from omaha_drivers.conformance.trial import Trial


def _commands_off(trial: Trial) -> None:
    run = started(trial)
    run.run(1)
    sent, events = len(run.sent), len(run.events)
    run.command("LOCK" if run.adapter.kind == "shoe" else "EJECT")
    require(len(run.sent) == sent, "it sent a command although commands are off")
    said = run.events[events:]
    require(
        len(said) == 1 and isinstance(said[0], DeviceWarning),
        "it did not answer a command that was not sent with one DeviceWarning",
    )


def _unknown_command(trial: Trial) -> None:
    run = new_run(trial, allow_commands=True).start()
    sent = len(run.sent)
    for verb in ("LOCK\x1b[2J,*", "FORMAT", ""):
        run.command(verb)
    require(len(run.sent) == sent, "it sent a command that it does not know")


def _host_restart(trial: Trial) -> None:
    run = started(trial)
    run.happen(1, 20)
    run.run(1)
    token = next((place for place in reversed(run.places) if place), "")
    run.happen(21, 30)
    later = new_run(trial, token, run.model)
    later.now = run.now
    later.labels = run.labels[20:]
    later.open().run(0.5)
    later.happen(31, 33)
    later.run(1)
    all_came(later)


def _lost_for_good(trial: Trial) -> None:
    run = started(trial)
    run.happen(1, 5)
    run.line = lambda frames: []
    run.happen_once(6)
    pushes = bool(run.model.out)
    run.exchange()
    run.line, run.hears = list, False
    run.happen(7, 12)
    run.run(5)
    came = {trial.label(event) for event in run.events}
    waited = pushes and run.labels[-1] not in came
    require(not waited, "it still waits for an event that cannot come again")
    run.hears = True
    run.run(3)
    run.happen(13, 14)
    settle(run, whole=False)


def _no_leak(trial: Trial) -> None:
    with everything_said() as said:
        run = started(trial)
        run.damage(Faults(["bad_check", "lose", "repeat"], 3, 0.2))
        run.happen(1, trial.count)
        run.line = list
        run.command("LOCK")
        run.close()
        run.open().run(1)
        texts = (run.events, run.places, run.adapter.counters(), run.adapter)
        said.write(f"{texts!r} {run.adapter!s}")
    leak = leak_in(said.getvalue(), run.frames)
    require(not leak, f"{leak} is in what it says: an event, a log, a count or its repr")
    sealed = all(
        event.card is None or isinstance(event.card, Sealed)
        for event in run.events
        if isinstance(event, CardDrawn)
    )
    require(sealed, "a card in an event is not Sealed")


def _count_only(trial: Trial) -> None:
    run = new_run(trial, identities="count_only").start()
    run.happen(1, trial.count)
    run.run(0.5)
    drawn = [event for event in run.events if isinstance(event, CardDrawn)]
    require(all(event.card is None for event in drawn), "it kept a card with count_only")
    require(len(drawn) == trial.count, f"{len(drawn)} of {trial.count} cards were counted")


def _every_place(trial: Trial) -> None:
    run = started(trial)
    run.happen(1, trial.count)
    run.run(0.5)
    drawn = [event for event in run.events if isinstance(event, CardDrawn)]
    require(all(event.place is not None for event in drawn), "a card has no place")


HOST_CHECKS: Final = (
    Check("commands are off and it says so", _commands_off),
    Check("an unknown command is not sent", _unknown_command),
    Check("a host that restarts goes on where it was", _host_restart, promises("resend")),
    Check("what is lost for good is not waited for", _lost_for_good, promises("numbered")),
    Check("no card in any text", _no_leak, reads_cards),
    Check("count_only keeps no card", _count_only, reads_cards),
    Check("every card has its place", _every_place, promises("places")),
)
