"""What can be wrong with a card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scripts.campaigns.faults.catalogue import ANGEL, TDP, Fault
from scripts.campaigns.faults.scene import DEALT

if TYPE_CHECKING:
    from collections.abc import Callable

    from scripts.campaigns.faults.scene import Scene


def in_the_pitch(report: Callable[[Scene], object]) -> Callable[[Scene], None]:
    """Seven cards are out when the shoe reports this."""

    def act(scene: Scene) -> None:
        scene.begin()
        scene.line.do(lambda: report(scene))

    return act


def _badly(code: str, number: int) -> Callable[[Scene], object]:
    """A card that leaves the shoe in a wrong way, in either protocol."""
    return lambda scene: (
        scene.model.fail(number) if scene.adapter == "angel_eye" else scene.model.draw_badly(code)
    )


def _read_again(scene: Scene) -> None:
    """The card that was drawn last goes past the reader once more."""
    scene.begin()
    scene.line.do(lambda: scene.model.event("DUP", "7"))


def _twice(scene: Scene) -> None:
    """A card that is out comes out of the shoe again."""
    scene.deck[7] = scene.deck[4]
    scene.begin()
    scene.draw()


def _put_back(scene: Scene) -> None:
    scene.begin()
    scene.line.do(scene.model.put_back)


def _put_back_and_drawn(scene: Scene) -> None:
    _put_back(scene)
    scene.until("put back")
    scene.line.do(scene.model.draw)
    scene.settled()
    scene.press("enter")
    scene.until("DEAL BY HAND")
    scene.rest()


def _not_noticed(scene: Scene) -> None:
    """A card slips past the reader: the next one has a number too many."""
    scene.begin()

    def slip() -> None:
        scene.model.drawn += 1

    scene.line.do(slip)
    scene.draw()


def _new_deck(scene: Scene) -> None:
    scene.begin()
    scene.line.do(lambda: scene.model.load(scene.deck[::-1]))
    scene.line.do(scene.model.draw)


def _out_of_game(scene: Scene) -> None:
    scene.begin()
    if scene.adapter == "angel_eye":
        scene.line.do(lambda: scene.model.draw_outside(0))
    else:
        scene.line.do(lambda: scene.model.draw("N"))


def _early(scene: Scene) -> None:
    """A card is drawn before the hand is started."""
    scene.open()
    if scene.adapter == "tdp":
        scene.connected()
    else:
        scene.until("The port is open.")
    scene.load()
    scene.draw(3)
    scene.drawn = set(scene.deck[:3])
    scene.until("START HAND")
    scene.draw()


def _early_and_started(scene: Scene) -> None:
    scene.open()
    if scene.adapter == "tdp":
        scene.connected()
    else:
        scene.until("The port is open.")
    scene.load()
    scene.draw(3)
    scene.drawn = set(scene.deck[:3])
    scene.until("START HAND")
    scene.load()
    scene.draw()
    scene.until("A card was drawn before the hand")
    scene.press("+")


def _premature(scene: Scene) -> None:
    """A card is drawn while betting is open."""
    scene.begin()
    scene.rest()
    scene.until(DEALT)
    scene.line.do(scene.model.draw)


OF_SHOES: Final = (
    Fault("an unread card", in_the_pitch(_badly("UNR", 1)),
          "The shoe could not read a card. If it is good and dealt, press +.",
          noted="unreadable_card"),
    Fault("a card read again", _read_again,
          "The shoe read the last card again. If one card left it, go on.", adapters=TDP,
          noted="read_twice"),
    Fault("a card twice", _twice,
          "The shoe read a card that is already out. Leave it; the floor rules.",
          noted="duplicate_card"),
    Fault("a card put back", _put_back,
          "The last card was put back. Draw it again for seat", noted="put_back"),
    Fault("a card put back and drawn again", _put_back_and_drawn, noted="put_back"),
    Fault("a card that was not noticed", _not_noticed,
          "The shoe missed 1 card. If dealt, press + for each.", adapters=TDP,
          noted="missed_card"),
    Fault("a card of another deck", in_the_pitch(_badly("FOR", 6)),
          "The shoe read a card of another deck", noted="foreign_card"),
    Fault("a card when none is due", in_the_pitch(_badly("OVD", 2)),
          "A card left the shoe and none was due", noted="card_too_many"),
    Fault("a card stuck", in_the_pitch(_badly("TMO", 7)),
          "A card is stuck in the shoe. Free it, check the count, go on.", noted="stuck_card"),
    Fault("a new deck in mid-hand", _new_deck,
          "Another deck was loaded in mid-hand. Deal none of it; the floor rules.",
          differs={"angel_eye": "A deck was loaded in mid-hand. If it is this hand's stub, go"}),
    Fault("a card out of the game", _out_of_game,
          "A card left the shoe outside its game mode. If it was dealt, press +.",
          noted="out_of_game"),
    Fault("a card before the hand", _early,
          "A card was drawn before the hand: start the hand, or put it back."),
    Fault("a card before the hand, which is then started", _early_and_started,
          "1 card left the shoe before the hand was started. Dealt, or put back?",
          noted="early_card"),
    Fault("a card while betting is open", _premature,
          "A card left the shoe while betting is open. Leave it; the floor rules.",
          noted="premature_card"),
    Fault("the button mishandled", in_the_pitch(lambda scene: scene.model.fail(3)),
          "Warning: button.", adapters=ANGEL),
    Fault("a setting changed", in_the_pitch(lambda scene: scene.model.change_setting("12", "0004")),
          "Changed:", adapters=ANGEL),
)  # fmt: skip
