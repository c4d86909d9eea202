from __future__ import annotations

import copy
import pickle
from itertools import product

import pytest

from omaha_table.cards import DECK, CardError, format_cards, parse_card, parse_cards, quote


def test_the_deck_has_52_different_cards() -> None:
    assert len({card.text for card in DECK}) == len({card.code for card in DECK}) == 52
    assert [card.index for card in DECK] == list(range(52))


def test_cards_are_read_in_any_case_spaced_or_run_together() -> None:
    wanted = (parse_card("As"), parse_card("Kd"), parse_card("7c"))
    for text in ("AsKd7c", "as kd 7c", "AS KD 7C", " aS\tkD7C "):
        assert parse_cards(text) == wanted
    assert parse_cards("") == ()
    assert format_cards(wanted) == "As Kd 7c"


@pytest.mark.parametrize("text", ["Ax", "1s", "sA", "A", "AsK", "??", "A♠", "As,Kd", "\x1b[2J"])
def test_text_that_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(CardError) as error:
        parse_cards(text)
    assert error.value.code == "unknown_card"
    assert "is not a card" in str(error.value)
    assert str(error.value).isprintable()


def test_a_ten_written_in_digits_gets_a_hint() -> None:
    with pytest.raises(CardError, match="write the ten as T"):
        parse_card("10h")


def test_a_quotation_is_short_and_printable() -> None:
    assert quote("x" * 1000) == f"'{'x' * 24}…'"
    assert quote("a\x1b[31m").isprintable()


def test_a_card_is_one_object_however_it_is_made_and_cannot_change() -> None:
    card = parse_card("Th")
    assert parse_card("tH") is card
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert len({parse_card(rank + suit) for rank, suit in product("TJ", "hs")}) == 4
    with pytest.raises(AttributeError):
        card.rank = 3
    with pytest.raises(AttributeError):
        del card.rank


def test_codes_add_up_to_counts_of_ranks_and_suits() -> None:
    total = sum(card.code for card in parse_cards("As Ad 2s 2c 2h"))
    assert total & 7 == 3
    assert total >> 36 & 7 == 2
    assert [total >> shift & 7 for shift in (39, 42, 45, 48)] == [1, 1, 1, 2]
