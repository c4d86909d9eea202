"""What the dealer may take back between hands and before a hand's first card, entry by entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from omaha_table.hand.frozen import replace
from omaha_table.rules import Profile, load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import PLACED_BIG_O, PLACED_HILO, codes, of_type, profile_with
from tests.staff_files import without_dealers

if TYPE_CHECKING:
    from omaha_table.table import TableState

THREE = ("seat 1 Ada 200", "seat 2 Ben 200", "seat 3 Carmen 200", "button 3")
DECK = ("deck ok 52 red", "cut")
FOLDED = ("deal", "fold", "fold", "push")
PER_PLAYER = profile_with(
    fee={"by": "player", "from": "main"},
    limit={
        "id": "4-8", "structure": "limit", "small_bet": "4.00", "big_bet": "8.00",
        "small_blind": "2.00", "big_blind": "4.00", "fees": [{"players": "2+", "fee": "1.00"}],
    },
)  # fmt: skip


def table(*lines: str, rules: Profile = PLACED_HILO, deck_required: bool = False) -> Session:
    session = Session(
        rules,
        rules.limits[0],
        without_dealers(),
        lambda: 1_800_000_000.0,
        deck_required=deck_required,
    )
    say(session, *lines)
    return session


def say(session: Session, *lines: str) -> list[dict[str, Any]]:
    answers = [answer for line in lines for answer in run_line(session, 1, line)]
    assert not codes(answers), of_type(answers, "refused")
    return answers


def refused(session: Session, line: str = "undo") -> str:
    [answer] = run_line(session, 1, line)
    assert answer["type"] == "refused", answer
    return str(answer["code"])


def hand_open(session: Session) -> bool:
    return session.state.hand is not None


def button(session: Session) -> int | None:
    return session.state.button


def standing(state: TableState) -> TableState:
    """The table without what counts events, so that two moments can be compared."""
    return replace(state, seq=0, hands=0, undoable=())


def test_seats_and_chips_are_taken_back_one_by_one_the_last_first() -> None:
    session = table("seat 1 Ada 200", "seat 2 Ben", "buy 1 50", "away 2", "back 2", "move 2 7")
    say(session, "undo")
    assert sorted(session.state.seats) == [1, 2]
    say(session, "undo")
    assert session.state.seats[2].away
    say(session, "undo", "undo")
    assert session.state.seats[1].stack == 200_00
    say(session, "undo")
    assert sorted(session.state.seats) == [1]
    say(session, "undo")
    assert not session.state.seats
    assert refused(session) == "wrong_phase"


def test_an_undo_names_the_events_it_takes_back_and_erases_none() -> None:
    session = table("seat 1 Ada 200")
    [made] = say(session, "undo")
    assert (made["type"], made["seqs"], made["seq"]) == ("taken_back", [2], 3)


def test_a_player_who_left_by_mistake_is_back_with_chips_and_debts() -> None:
    session = table(*THREE, *FOLDED)
    # Button 1 now, blinds 2 and 3: Carmen misses the big blind of hand 2.
    say(session, "away 3", "deal", "fold", "push")
    before = session.state.seats[3]
    assert before.owes_big
    say(session, "leave 3", "undo")
    assert session.state.seats[3] == before


def test_the_reach_begins_anew_when_a_pot_is_pushed() -> None:
    session = table(*THREE, *FOLDED)
    assert refused(session) == "wrong_phase"
    say(session, "buy 1 20", "undo")
    assert refused(session) == "wrong_phase"


def test_a_hand_that_was_called_off_ends_the_reach() -> None:
    session = table(*THREE, "buy 1 20", "deal", 'floor 4711 misdeal "two cards exposed"')
    assert refused(session) == "wrong_phase"


def test_a_drawn_card_goes_back_with_the_button_it_decided() -> None:
    rules = load_profile("ca_omaha_hilo")
    session = table("seat 1 Ada 200", "seat 2 Ben 200", "draw 1 Ks", "draw 2 Ah", rules=rules)
    assert button(session) == 2
    [made] = say(session, "undo")
    assert len(made["seqs"]) == 2
    assert sorted(session.state.drawn) == [1]
    say(session, "draw 2 2h")
    assert button(session) == 1, "the king is the highest card now"


def test_a_dealer_push_goes_back_whole_and_the_down_goes_on() -> None:
    session = table(*THREE, "down Dana", *FOLDED, "down Eve")
    assert session.state.down is not None
    assert (session.state.down.dealer, session.state.down.hands) == ("Eve", 0)
    say(session, "undo")
    assert session.state.down is not None
    assert (session.state.down.dealer, session.state.down.hands) == ("Dana", 1)


def test_the_start_of_a_hand_goes_back_with_every_post() -> None:
    session = table(*THREE, *FOLDED)
    before = session.state
    answers = say(session, "hand", "undo")
    assert [answer["type"] for answer in answers] == [
        "hand_started", "posted", "posted", "hand_taken_back",
    ]  # fmt: skip
    assert answers[-1]["number"] == 2
    assert answers[-1]["seqs"] == [answer["seq"] for answer in answers[:3]]
    assert standing(session.state) == standing(before)
    assert {seat: at.stack for seat, at in session.state.seats.items()} == {
        1: 198_00, 2: 202_00, 3: 200_00,
    }  # fmt: skip


def test_the_number_of_a_hand_that_was_taken_back_is_not_used_again() -> None:
    session = table(*THREE, "down Dana")
    say(session, "hand", "undo", *FOLDED)
    assert [result.number for result in session.state.results] == [2]
    assert session.state.down is not None
    assert session.state.down.hands == 1


def test_debts_and_missed_blinds_are_as_before_the_start() -> None:
    session = table("seat 4 Dan 200", *THREE, "deal", "fold", "fold", "fold", "push", "away 2")
    # Button 4, blinds 1 and 2: the start marks seat 2, which is away.
    before = session.state
    assert (before.seats[2].owes_big, before.seats[2].missed) == (False, 0)
    say(session, "hand")
    assert session.state.seats[2].owes_big
    say(session, "undo")
    assert standing(session.state) == standing(before)


def test_fees_paid_before_the_first_card_go_back_with_the_start() -> None:
    session = table(*THREE, "hand", "paid 1 2", rules=PER_PLAYER)
    say(session, "undo")
    hand = session.state.hand
    assert hand is not None
    assert not hand.paid
    say(session, "paid all", "undo", "undo")
    assert not hand_open(session)
    assert {at.stack for at in session.state.seats.values()} == {200_00}
    assert session.state.box.fees == 0


def test_a_deck_reported_meanwhile_stays_reported_and_must_be_cut() -> None:
    session = table(*THREE, *DECK, "hand", rules=PLACED_BIG_O, deck_required=True)
    say(session, "deck ok 52 blue", "undo")
    state = session.state
    assert (state.deck, state.deck_back, state.deck_cut) == ("ok", "blue", False)
    say(session, "cut", "undo", "undo")
    assert (session.state.deck_back, session.state.deck_cut) == ("blue", False)


def test_a_deck_that_is_in_play_is_ready_and_cut_again() -> None:
    session = table(*THREE, *DECK, "hand", "undo", rules=PLACED_BIG_O, deck_required=True)
    state = session.state
    assert (state.deck, state.deck_back, state.deck_cut) == ("ok", "red", True)


def test_a_wrong_pin_counts_on_after_an_undo() -> None:
    session = table(*THREE)
    [answer] = [
        answer
        for answer in run_line(session, 1, 'floor 0000 button 1 "guess"')
        if answer["type"] == "refused"
    ]
    assert answer["code"] == "not_authorised"
    say(session, "undo")
    assert session.state.button is None
    assert session.state.pin_failures == 1


def test_a_ruling_is_not_taken_back_and_ends_the_reach() -> None:
    session = table(*THREE, 'floor 4711 button 1 "wrong seat"')
    assert refused(session) == "wrong_phase"
    assert session.state.button == 1
    say(session, "buy 2 20", "undo")
    assert refused(session) == "wrong_phase"


def test_a_shift_and_another_limit_end_the_reach() -> None:
    session = table(*THREE, "shift night B7 J7")
    assert refused(session) == "wrong_phase"
    assert session.state.shift == "night"
    other = session.state.profile.limits[1].id
    say(session, "buy 2 20", f"limit {other}")
    assert refused(session) == "wrong_phase"


def test_cards_out_are_taken_back_but_then_the_start_is_a_ruling() -> None:
    """Players may have seen their cards: a dealer alone must not make such a hand disappear."""
    session = table(*THREE, "hand", "deal")
    say(session, "undo")
    assert hand_open(session)
    assert session.step.what == "deal"
    assert refused(session) == "wrong_phase"
    say(session, "deal")
    assert session.step.what == "act"


def test_a_card_from_the_shoe_ends_the_reach() -> None:
    session = table(*THREE, "hand", "card ??")
    assert refused(session) == "wrong_phase"


def test_entries_before_the_start_are_taken_back_after_it() -> None:
    session = table(*THREE, *FOLDED, "buy 1 20", "hand")
    say(session, "undo", "undo")
    assert session.state.seats[1].stack == 198_00
    assert refused(session) == "wrong_phase"


def test_a_dealer_push_after_the_start_is_taken_back_before_it() -> None:
    session = table(*THREE, "down Dana", "hand", "down Eve", "undo")
    assert hand_open(session)
    assert session.state.down is not None
    assert session.state.down.dealer == "Dana"
    say(session, "undo")
    assert not hand_open(session)


def test_a_dealer_push_during_a_hand_is_not_what_an_undo_takes_back() -> None:
    session = table(*THREE, "down Dana", "deal", "down Eve", "fold", "undo", "undo")
    assert session.state.down is not None
    assert session.state.down.dealer == "Eve"
    assert session.step.what == "deal"
