"""Moments at which a dealer or the floor could be led astray."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_drivers import events as said

from omaha_table.console.draw import draw
from omaha_table.floor.authority import Give
from omaha_table.shipped import config_dir
from tests.console.scenes import SCENES, Table, choose

if TYPE_CHECKING:
    from pathlib import Path


def test_winners_are_asked_for_pot_by_pot_and_no_pot_is_overwritten() -> None:
    made = Table("ca_omaha_hilo", "2-5", players=3, button=3, stacks={1: 1000, 2: 5000, 3: 5000})
    made.keys("enter", "enter", "*", "enter", "*", "enter", "*", "enter")
    made.keys(*"7+5*2/", "1", "3", "-", "1", "*")
    made.keys("enter")
    asked = []
    for seat in ("1", "2", "1", "2"):
        asked.append((made.front.prompt.title, made.front.prompt.detail.partition(".")[0]))
        made.keys(seat, "enter")
    assert [title.partition(":")[0] for title, _ in asked] == ["HIGH", "HIGH", "LOW", "LOW"]
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.read_high, hand.read_low) == ({0: (1,), 1: (2,)}, {0: (1,), 1: (2,)})
    assert made.session.step.what == "push"


def test_a_bouncing_digit_gives_no_ruling() -> None:
    made = Table().keys("enter", "enter", "/", *"4711", "enter")
    seq = made.session.state.seq
    made.front.press("1", 1000.0)
    made.front.press("1", 1000.02)
    assert made.session.state.seq == seq
    assert made.front.prompt.title == "REASON?"


def test_a_reason_in_words_may_hold_digits_and_commas_and_can_be_mended() -> None:
    made = choose(Table().keys("enter", "enter", "/", *"4711", "enter"), "Misdeal: redeal")
    made.keys(*"seat", "space", *"4", "comma", "space", *"carx", "backspace", *"ds", "enter")
    assert "misdeal: seat 4, cards" in "\n".join(made.front.log)


def test_the_star_fills_and_never_commits() -> None:
    made = Table("ca_omaha_hilo", "2-5", players=4, button=1).keys("enter", "enter")
    seq = made.session.state.seq
    made.keys("*")
    assert made.session.state.seq == seq
    assert made.front.prompt.keys[0].label == "ALL-IN 80"
    made.keys("enter")
    assert made.front.log[0].endswith("seat 4 RAISE TO 80, ALL-IN")


def test_amounts_with_cents_are_filled_to_the_cent() -> None:
    stacks: dict[int, int | None] = {4: 1050, 1: 50000, 2: 50000, 3: 50000}
    made = Table("ca_omaha_hilo", "5-5", players=4, button=1, stacks=stacks)
    made.keys("enter", "enter", "*", "enter", "*")
    pot = made.front.prompt.keys[0].label
    made.keys("enter")
    assert pot.startswith("RAISE TO")
    assert pot.removeprefix("RAISE TO ") in made.front.log[0]


def test_an_undo_names_what_it_takes_back_and_the_screen_forgets_it() -> None:
    made = Table(players=6, button=1).keys("enter", "enter", "enter", "+", ".", "+", ".")
    assert "seat 4 CALL 4" in made.front.prompt.detail
    made.keys("+")
    assert [seat.last for seat in made.front.view().seats if seat.last] == []


def test_a_keyboard_gives_a_newcomer_a_name_and_the_pad_the_chips() -> None:
    made = Table(players=3).keys("5", "enter", *"AdaX", "backspace", "space", *"Lovelace")
    made.keys("2", "0", "0", "enter")
    at = made.session.state.seats[5]
    assert (at.name, at.stack) == ("Ada Lovelace", 20000)
    made.keys("6", "enter", "enter")
    assert made.session.state.seats[6].name == "Seat 6"


def test_a_shift_is_opened_and_closed_with_its_boxes_by_keys() -> None:
    made = Table().keys("/", "+", "*", "2", "7", "1", "enter")
    state = made.session.state
    assert (state.shift, state.box.name, state.box.jackpot_name) == ("swing", "71", "none")
    made.keys("/", "+", "*", "-", "enter")
    assert made.session.state.shift == "swing", "ENTER does not confirm it"
    made.keys("/", "+", "*", "-", "+")
    assert made.session.state.shift is None


def test_a_jackpot_has_a_box_of_its_own(tmp_path: Path) -> None:
    text = (config_dir() / "rules" / "house_omaha_hilo.toml").read_text()
    path = tmp_path / "house_omaha_hilo.toml"
    path.write_text(text.replace('fee = "5.00"', 'fee = "5.00", jackpot = "1.00"'))
    made = Table(str(path), "6-12").keys("/", "+", "*", "1", "7", "enter")
    assert made.session.state.shift is None
    made.keys("8", "enter")
    assert made.session.state.box.jackpot_name == "8"


def test_a_lost_device_does_not_hide_the_answer_to_a_key() -> None:
    made = SCENES["shoe_lost"]().keys("escape")
    assert "not on the pad" in made.front.view().alarm.text
    made.keys("/", "*", "7")
    assert made.front.view().alarm.level == "none"


def test_every_key_of_the_strip_fits_the_screen() -> None:
    for rules, limit in (("ca_omaha_hilo", "5-5"), ("ca_omaha_hilo", "2-5"), ("ca_big_o", "4-8")):
        for stack in (None, 20000):
            made = Table(
                rules, limit, players=6, button=1, stacks=dict.fromkeys(range(1, 7), stack)
            )
            made.keys("enter", "enter")
            text = draw(made.front.view(), 80, 24).text()
            assert "FLOOR" in text
            assert len(made.front.prompt.keys) <= 8


def test_a_typed_seat_at_the_cut_is_one_enter_and_shown() -> None:
    made = SCENES["cut"]().keys("4")
    assert [key.label for key in made.front.prompt.keys if key.cap == "ENTER"] == ["OPEN SEAT 4"]
    assert made.front.prompt.number == "4"


def test_folding_up_to_a_seat_works_when_nobody_may_raise_any_more() -> None:
    made = Table(players=6, button=1).keys("enter", "enter", "+", "+", "+", "3", "-")
    hand = made.session.state.hand
    assert hand is not None
    assert {seat for seat, at in hand.seats.items() if at.folded} == {1, 2}


def test_after_a_remedy_the_betting_can_be_finished_and_the_order_stays_in_sight() -> None:
    made = SCENES["premature"]().keys("/", *"4711", "enter")
    choose(made, "dealt too early").keys("1", "1", "enter")
    assert made.session.step.what == "act"
    assert "Remedy" in made.front.view().alarm.text
    made.keys("enter")
    assert made.front.log[0].endswith("CALL 4")


def test_keying_the_flop_stops_the_shoe() -> None:
    made = SCENES["flop_from_the_shoe"]().keys("+", "7", "+").cards(1).keys("2", "/")
    hand = made.session.state.hand
    assert hand is not None
    assert [card.text for card in hand.board] == ["Qd", "7c", "2s"]


def test_a_ruling_that_is_refused_keeps_the_supervisor_at_the_list() -> None:
    made = Table().to_flop().keys("/", *"4711", "enter")
    choose(made, "Call the clock").keys("3", "enter")
    assert made.front.prompt.title == "SEAT"
    assert "not on seat 3" in made.front.alarm.text


def labels(table: Table) -> dict[int, str]:
    return {seat.number: seat.last for seat in table.front.view().seats if seat.last}


def test_the_action_that_closes_the_betting_is_the_one_that_is_shown() -> None:
    table = Table(players=3, button=3).keys("enter", "enter")
    table.keys("enter", "enter", "enter")
    assert table.session.step.what == "flop"
    assert labels(table)[2] == "CHECK"


def test_a_hand_that_lives_again_is_not_shown_as_folded() -> None:
    table = Table(players=3, button=3).keys("enter", "enter", "-")
    folded = next(iter(labels(table)))
    assert labels(table)[folded] == "FOLD"
    answer = table.session.rule(Give(("4711",), "live", (str(folded), "misheard")))
    assert answer.refusal is None
    table.front.heard(answer.records)
    assert folded not in labels(table)


def test_what_is_newly_wrong_rings_twice_and_a_fault_again_until_it_is_silenced() -> None:
    table = Table(devices=True).live()
    table.front.ring(0.0)
    quiet = table.front.bells
    table.say("shuffler", said.Jammed("the entry"))
    table.front.ring(1.0)
    assert table.front.bells == quiet + 2
    table.front.ring(3.0)
    assert table.front.bells == quiet + 2
    table.front.ring(6.5)
    assert table.front.bells == quiet + 3


def test_a_number_that_is_a_name_keeps_its_noughts() -> None:
    table = Table().keys("/", "+", "0", "0", "7", "enter")
    assert table.session.state.down is not None
    assert table.session.state.down.dealer == "D007"


def typed(table: Table, line: str, *more: str) -> Table:
    names = {" ": "space", ".": "full_stop", '"': "quotation_mark"}
    for letter in line:
        table.keys(names.get(letter, letter))
    return table.keys(*more)


def test_a_keyboard_gives_commands_in_the_words_of_a_script() -> None:
    table = typed(Table(players=3, button=3).keys("colon"), "seat 5 Ada 82.50", "enter")
    assert table.session.state.seats[5].stack == 8250
    assert table.front.prompt.title != "COMMAND"
    typed(table.keys("colon"), "set 5", "enter")
    assert "did you mean" in table.front.alarm.text
    assert table.front.prompt.title == "COMMAND"
    typed(table, "", "escape")
    typed(table.keys("colon"), "leave 9", "enter")
    assert table.front.alarm.level == "refused"
    assert ": leave 9_" in table.front.prompt.detail


def test_no_pin_and_no_face_down_card_can_be_read_off_the_command_line() -> None:
    table = typed(Table().keys("colon"), "floor")
    assert table.front.prompt.title != "COMMAND"
    table = typed(Table().keys("enter", "colon"), "card AsKd")
    shown = draw(table.front.view(), 80, 24).text()
    assert "As" not in shown
    assert "Kd" not in shown


def test_before_a_seat_that_has_folded_no_cards_are_shown() -> None:
    table = Table(players=3, button=3).keys("enter", "enter", "-")
    backs = {seat.number: seat.backs for seat in table.front.view().seats if seat.name != "open"}
    assert backs == {3: 0, 1: 5, 2: 5}


def test_shuffling_by_hand_is_offered_where_the_rules_allow_it_only(tmp_path: Path) -> None:
    text = (config_dir() / "rules" / "ca_big_o.toml").read_text()
    path = tmp_path / "ca_big_o.toml"
    path.write_text(text.replace('allowed = ["machine", "manual"]', 'allowed = ["machine"]'))
    for rules, offered in (("ca_big_o", True), (str(path), False)):
        table = Table(rules, devices=True).live()
        assert table.session.step.what == "deck"
        keys = [key.label for key in table.front.prompt.keys]
        assert ("SHUFFLED BY HAND" in keys) == offered
