"""What the screen shows while a hand is played: the last action, alarms, keys, no stale card."""

from __future__ import annotations

from omaha_drivers import events as said

from omaha_table.dealer.modes.slips import slip_pages
from omaha_table.dealer.modes.stops import Recovered
from omaha_table.dealer.screen.drawing import draw
from omaha_table.hand.frozen import replace
from tests.console.scenes import SCENES, Table, choose


def labels(table: Table) -> dict[int, str]:
    return {seat.number: seat.last[0] for seat in table.console.view().seats if seat.last}


def test_an_undo_names_what_it_takes_back_and_the_screen_forgets_it() -> None:
    made = Table(players=6, button=1).keys("+", "0", "enter", "+", ".", "+", ".")
    assert "seat 4 CALL 4" in made.console.prompt.detail
    made.keys("+")
    assert [seat.last for seat in made.console.view().seats if seat.last] == []


def test_a_lost_device_does_not_hide_the_answer_to_a_key() -> None:
    made = SCENES["shoe_lost"]().keys("escape")
    assert "not on the pad" in made.console.view().alarm.text
    made.keys("/", "*", "7")
    assert made.console.view().alarm.text == "Still open: SHOE down.  / * 3 has more."


def test_every_key_of_the_strip_fits_the_screen() -> None:
    for rules, limit in (("ca_omaha_hilo", "5-5"), ("ca_omaha_hilo", "2-5"), ("ca_big_o", "4-8")):
        for stack in (None, 20000):
            made = Table(
                rules, limit, players=6, button=1, stacks=dict.fromkeys(range(1, 7), stack)
            )
            made.keys("+", "0")
            text = draw(made.console.view(), 80, 24).text()
            assert "FLOOR" in text
            assert len(made.console.prompt.keys) <= 8


def test_after_a_remedy_the_betting_can_be_finished_and_the_order_stays_in_sight() -> None:
    made = SCENES["premature"]().keys("/", *"4711", "enter")
    choose(made, "premature").keys("1", "1", "enter", "enter")
    assert made.session.step.what == "act"
    assert "Remedy" in made.console.view().alarm.text
    made.keys("enter")
    assert made.console.model.story.log[0].endswith("CALL 4")


def test_keying_the_flop_stops_the_shoe() -> None:
    made = SCENES["flop_from_the_shoe"]().keys("0", "7", "+").cards(1).keys("2", "/", "0")
    hand = made.session.state.hand
    assert hand is not None
    assert [card.text for card in hand.board] == ["Qd", "7c", "2s"]


def test_the_action_that_closes_the_betting_is_the_one_that_is_shown() -> None:
    table = Table(players=3, button=3).keys("+", "0")
    table.keys("enter", "enter", "enter")
    assert table.session.step.what == "flop"
    assert labels(table)[2] == "CHECK"


def test_a_hand_that_lives_again_is_not_shown_as_folded() -> None:
    table = Table(players=3, button=3).keys("+", "0", "-")
    folded = next(iter(labels(table)))
    assert labels(table)[folded] == "FOLD"
    table.keys("/", *"4711", "enter")
    choose(table, "live").keys(str(folded), "enter", "1", "enter")
    assert folded not in labels(table)


def test_what_is_newly_wrong_rings_twice_and_a_fault_again_until_it_is_silenced() -> None:
    table = Table(devices=True).live()
    table.console.tick(0.0)
    quiet = table.console.model.bells
    table.say("shuffler", said.Jammed("the entry"))
    table.console.tick(1.0)
    assert table.console.model.bells == quiet + 2
    table.console.tick(3.0)
    assert table.console.model.bells == quiet + 2
    table.console.tick(6.5)
    assert table.console.model.bells == quiet + 3


def test_before_a_seat_that_has_folded_no_cards_are_shown() -> None:
    table = Table(players=3, button=3).keys("+", "0", "-")
    backs = {seat.number: seat.backs for seat in table.console.view().seats if seat.name != "open"}
    assert backs == {3: 0, 1: 5, 2: 5}


def test_the_log_says_what_a_shift_opened_and_what_it_closed_with() -> None:
    made = Table().keys("/", "+", "*", "2", "7", "1", "enter")
    assert made.console.model.story.log[0].endswith("swing shift opened, box 71")
    made.keys("/", "+", "*", "-", "+")
    assert made.console.model.story.log[0].endswith("swing shift closed, box 71: 0 hands, drop 0")


def test_a_player_without_a_name_is_a_seat_and_not_named_twice() -> None:
    made = Table(players=2).keys("5", "enter", "9", "0", "+")
    assert made.console.model.story.log[0].endswith("  seat 5 sits down with 90")


def test_an_amount_is_added_by_plus_and_enter_says_so() -> None:
    made = Table(players=2).keys("1", "enter", "5", "0", "enter")
    text = "Press + to add 50, or * if 50 is the whole stack."
    assert made.console.model.answer.text == text
    made.keys("+")
    assert made.console.model.story.log[0].endswith("seat 1 adds 50")


def test_a_pot_pushed_is_logged_with_who_wins_what() -> None:
    made = Table(players=2, button=1).keys("+", "0", "-", "0")
    assert made.console.model.story.log[0].endswith("  seat 2 wins 4")


def test_a_long_refusal_is_shown_to_its_end() -> None:
    made = Table(players=2)
    text = "The all-in was too small to reopen the betting: seat 10 may call or fold."
    for long, shown in ((text, f"▲ {text}"), ("That is no rank.", "▲ NOT TAKEN  That is no rank.")):
        made.console.model = made.console.model.refuse(long)
        assert f" {shown} " in draw(made.console.view(), 80, 24).text().replace("\n", " \n")


def test_after_a_restart_the_question_and_the_place_are_shown_whole() -> None:
    made = SCENES["recovered"]()
    prompt = made.console.prompt
    assert prompt.detail == "Does the felt match?  Hand 118, flop, action on seat 4."
    where = "hand 12345, preflop, betting over, flop due"
    made.console.model = made.console.model.become(Recovered(where))
    assert len(made.console.prompt.detail) <= 78


def test_why_a_pot_is_pushed_is_shown_whole_or_without_its_kickers() -> None:
    """Seats 1 and 2 tie for the high of a side pot with three of a kind."""
    made = Table("ca_omaha_hilo", "2-5", players=3, button=3, stacks={1: 5000, 2: 5000, 3: 1000})
    made.keys("+", "0", "*", "enter", "*", "enter", "*", "enter")
    made.keys(*"9+9*2/05-01*0")
    for cards in ("9/13/8-7/", "9-13-6+4*", "12/12*8+11-"):
        made.keys("+", *cards)
    shown = [made.console.prompt.detail]
    shown += [made.keys("0").console.prompt.detail for _ in range(3)]
    assert all(len(detail) <= 78 and detail.endswith(".") for detail in shown), shown
    assert "SIDE pot 1, 1/4 (HIGH tie).  Push 1 of" in shown[0]
    assert "Three of a kind, nines" in shown[0]


def test_lamps_are_shown_whole_or_not_at_all() -> None:
    made = Table(players=2, button=1).keys("+", "0", "+")
    view = made.console.view()
    lamps = ("MISDEAL POSSIBLE", "KILL POT", "NO RAISE CAP")
    text = draw(replace(view, felt=replace(view.felt, lamps=lamps)), 80, 24).text()
    assert "▲ MISDEAL POSSIBLE  ▲ KILL POT" in text
    assert "NO RAISE" not in text


def test_who_has_put_in_the_price_already_has_nothing_to_call() -> None:
    made = Table(players=2, button=1).keys("+", "0", "enter")
    assert made.console.view().felt.strong == "NOTHING TO CALL"


def test_a_table_without_devices_has_no_shoe_that_counts() -> None:
    made = Table(players=2).keys("/", "*", "3")
    page = made.console.prompt.page
    assert page is not None
    assert page.lines == ("No device is configured.",)


def test_a_remedy_goes_with_its_hand() -> None:
    made = SCENES["remedy"]().keys("enter")
    assert made.console.view().alarm.text.startswith("Remedy: ")
    choose(made.keys("/", *"4711", "enter"), "void").keys("1", "enter", "+")
    assert made.session.state.hand is None
    assert "Remedy" not in made.console.view().alarm.text
    made.keys("/", "*", "8")
    assert made.console.view().alarm.text == "No remedy of the floor is left to do."


def test_a_dealer_who_dealt_one_hand_dealt_one_hand() -> None:
    made = Table(players=2, button=1).keys("/", "+", "9", "enter", "+", "0", "-", "0")
    made.keys("/", "+", "-")
    assert made.console.model.story.log[0].endswith("dealer D9 out: 1 hand")


def test_the_slip_begins_with_the_room_where_the_table_names_one() -> None:
    made = Table()
    model = replace(made.console.model, room="The Lucky Club")
    assert slip_pages(model)[0].lines[0] == "The Lucky Club, table T7"
    assert slip_pages(made.console.model)[0].lines[0] == "table T7"
    named = replace(made.console.model, title="Table 7", room="The Lucky Club")
    assert slip_pages(named)[0].lines[0] == "The Lucky Club, Table 7"
