"""Every word of the script language: what it asks of the table, and what it does not take."""

from __future__ import annotations

import pytest

from omaha_table.cards import parse_card, parse_cards
from omaha_table.floor import Give, Numbered
from omaha_table.hand import commands as hand
from omaha_table.hand.phases import Street
from omaha_table.journal.sealed import reveal
from omaha_table.rules import load_profile
from omaha_table.session.commands import DealSealedCard
from omaha_table.session.language import BadCommand, parse
from omaha_table.session.vocabulary import (
    WORDS,
    AskEffect,
    AskHelp,
    AskRulings,
    AskSimilar,
    AskStep,
)
from omaha_table.table import commands as table

HILO = load_profile("ca_omaha_hilo")
ACES = parse_cards("As Ad")
FIVE = parse_cards("As Kd 7c 2h 2s")
MEANT: dict[str, object] = {
    "seat 3 Ada": table.SeatPlayer(3, "Ada"),
    "seat 3 Ada 200": table.SeatPlayer(3, "Ada", 20_000),
    "seat 10 Ada $1,240.50": table.SeatPlayer(10, "Ada", 124_050),
    "rename 3 Ada": table.RenamePlayer(3, "Ada"),
    'rename 3 "Ada Lovelace"': table.RenamePlayer(3, "Ada Lovelace"),
    "leave 3": table.Leave(3),
    "pickup 3": table.PickUp(3),
    "away 3": table.Away(3),
    "back 3": table.Back(3),
    "buy 3 82.50": table.Buy(3, 8_250),
    "cancel 3": table.CancelSeatChange(3),
    "chips 3 82.50": table.SetStack(3, 8_250),
    "chips 3 untracked": table.SetStack(3, None),
    "chips 3 UNTRACKED": table.SetStack(3, None),
    "reopen same": table.ReopenTable("same"),
    "reopen FILE": table.ReopenTable("file"),
    "reopen empty": table.ReopenTable("empty"),
    "move 3 5": table.MoveSeat(seat=3, to=5),
    "post 3": table.PostOwed(3),
    "draw 3 As": table.Draw(3, parse_card("As")),
    "button 3": table.PlaceButton(3),
    "limit 8-16": table.ChangeLimit("8-16"),
    "rules ca_omaha_hilo": table.ChangeRules(HILO),
    "rules ca_omaha_hilo 8-16": table.ChangeRules(HILO, "8-16"),
    "deck ok": table.ReportDeck("ok"),
    "deck ok 52": table.ReportDeck("ok", 52),
    "deck ok BLUE": table.ReportDeck("ok", None, "blue"),
    "deck ok 51 red": table.ReportDeck("ok", 51, "red"),
    "deck bad 51": table.ReportDeck("bad", 51),
    "deck bad 51 Red": table.ReportDeck("bad", 51, "red"),
    "deck manual": table.ReportDeck("manual"),
    "cut": table.CutDeck(),
    "down D1": table.PushIn("D1"),
    "callfloor": table.CallFloor(),
    "callfloor off": table.EndFloorCall(),
    "down out": table.PushOut(),
    "down OUT": table.PushOut(),
    "shift day F7 J7": table.OpenShift(shift="day", box="F7", jackpot_box="J7"),
    "shift close": table.CloseShift(),
    "shift CLOSE": table.CloseShift(),
    "hand": table.StartHand(),
    "deal": hand.Deal(),
    "card ??": hand.DealCard(None),
    "paid 3": hand.PayFee((3,)),
    "paid 3 5 6": hand.PayFee((3, 5, 6)),
    "paid all": hand.PayFee(),
    "paid ALL": hand.PayFee(),
    "fold": hand.Act("fold"),
    "fold to 4": hand.ActUntil("fold", 4),
    "FOLD TO 4": hand.ActUntil("fold", 4),
    "check": hand.Act("check"),
    "check around": hand.ActUntil("check"),
    "check Around": hand.ActUntil("check"),
    "call": hand.Act("call"),
    "call to 4": hand.ActUntil("call", 4),
    "bet": hand.Act("bet"),
    "bet 4": hand.Act("bet", 400),
    "raise": hand.Act("raise"),
    "raise 12.50": hand.Act("raise", 1_250),
    "raise to 12": hand.Act("raise", 1_200),
    "allin": hand.Act("allin"),
    "allin 7": hand.Act("allin", 700),
    "6 fold": hand.Act("fold", None, 6),
    "6 check": hand.Act("check", None, 6),
    "6 call": hand.Act("call", None, 6),
    "6 bet 4": hand.Act("bet", 400, 6),
    "6 raise 24": hand.Act("raise", 2_400, 6),
    "6 Raise To 24": hand.Act("raise", 2_400, 6),
    "6 allin 7": hand.Act("allin", 700, 6),
    "outofturn 6 fold": hand.FoldOutOfTurn(6),
    "outofturn 6 FOLD": hand.FoldOutOfTurn(6),
    "clock out": hand.TimeIsUp(),
    "clock OFF": table.CancelClock(),
    "burn": hand.Burn(),
    "flop as AD 7c": hand.Board(Street.FLOP, (*ACES, parse_card("7c"))),
    "flop AsAd7c": hand.Board(Street.FLOP, (*ACES, parse_card("7c"))),
    "turn As": hand.Board(Street.TURN, ACES[:1]),
    "river Ad": hand.Board(Street.RIVER, ACES[1:]),
    "show 3": hand.Show(3, ()),
    "show 3 As Kd 7c 2h 2s": hand.Show(3, FIVE),
    # One card too many is for the table to refuse, not for the reader to drop.
    "show 3 As Kd 7c 2h 2s 2d": hand.Show(3, (*FIVE, parse_card("2d"))),
    "muck 3": hand.Muck(3),
    "high 3": hand.Read("high", (3,)),
    "high 3 5": hand.Read("high", (3, 5)),
    "low 3 5": hand.Read("low", (3, 5)),
    "low none": hand.Read("low", ()),
    "low NONE": hand.Read("low", ()),
    "push": hand.Push(),
    "checked": hand.Settle(),
    "undo": hand.Undo(),
    "floor help": AskRulings(),
    "floor HELP": AskRulings(),
    "floor ask misdeal": AskEffect(Give((), "misdeal", ())),
    "floor similar dead": AskSimilar("dead", ()),
    "floor SIMILAR Binding 3 call": AskSimilar("binding", ("3", "call")),
    "floor Ask Backup 1": AskEffect(Give((), "backup", ("1",))),
    'floor 4711 misdeal "two cards exposed"': Give(("4711",), "misdeal", ("two cards exposed",)),
    'floor 4711 2468 MISDEAL "why"': Give(("4711", "2468"), "misdeal", ("why",)),
    'floor F1 4711 misdeal "why"': Give((Numbered("F1", "4711"),), "misdeal", ("why",)),
    'floor 12 4711 S1 9000 void "why"': Give(
        (Numbered("12", "4711"), Numbered("S1", "9000")), "void", ("why",)
    ),
    'floor 4711 backup 1234 "why"': Give(("4711",), "backup", ("1234", "why")),
    "device Shoe SETTING Volume": table.NoteDeviceChange("shoe", "setting", "Volume"),
    "device shuffler service": table.NoteDeviceChange("shuffler", "service"),
    "step": AskStep(),
    "help": AskHelp(),
}
LONG = "x" * 41
NOT_TAKEN = (
    *("seat", "seat 3", "seat x Ada", "seat 3 Ada 200 300", "seat -3 Ada", "seat 3.0 Ada"),
    # Digits that a seat plate does not have: Arabic, superscript.
    *("seat ٣ Ada", "seat ³ Ada", "seat 10000 Ada"),
    *('seat 3 ""', f"seat 3 {LONG}", "seat 3 A\x07da", "seat 3 A\x1b[2Jda", "seat 3 A\u202eda"),
    *(f"{word} {rest}".strip()
      for word in ("leave", "pickup", "away", "back", "cancel", "post", "button", "muck")
      for rest in ("", "x", "3 4", "10000")),
    *("buy", "buy 3", "buy 3 50 60", "move", "move 3", "move 3 5 6", "move 3 x"),
    *("rename", "rename 3", "rename x Ada", "rename 3 Ada Lovelace", f"rename 3 {LONG}"),
    *("chips", "chips 3", "chips 3 50 60", "chips x 50"),
    *("reopen", "reopen all", "reopen same file"),
    *("draw", "draw 3", "draw As", "draw 3 As Kd", "limit", "limit 4-8 8-16"),
    *("rules", "rules ca_big_o 4-8 8-16"),
    *("deck", "deck good", "deck bad", "deck bad red", "deck ok 52 red blue", "deck ok red 52"),
    *("deck ok 52 52", "deck ok 52 abcdefghijklm", "deck ok 12345", "deck ok 5-2"),
    *("deck manual 52", "deck manual red", "deck manual 52 red"),
    *("device", "device shoe", "device shoe setting", "device lamp service"),
    *("device shoe setting a b", f"device shoe setting {LONG}", "device shoe setting v\x07"),
    *(f"{word} now" for word in ("cut", "hand", "deal", "burn", "push", "checked", "undo", "step")),
    *("help me", "down", "down D1 D2", 'down ""', f"down {LONG}", "down D\x071"),
    *("shift", "shift day", "shift day F7", "shift day F7 J7 K7", "shift close now"),
    *('shift day F7 ""', f"shift day {LONG} J7", "shift d\x07ay F7 J7"),
    *("paid", "paid x", "paid 3 x", "paid all 3", "paid 3 all", "paid 10000"),
    *("card", "card As Kd", "fold to", "fold to x", "fold upto 4", "fold 4", "fold to 4 5"),
    *("outofturn", "outofturn 6", "outofturn fold", "outofturn 6 call", "outofturn 6 fold now"),
    *("clock", "clock on", "clock out now"),
    *("check all", "check around 4", "call to", "call at 4"),
    *("bet 4 8", "bet to 8", "raise 4 8", "raise up 8", "allin 4 8", "allin to 8"),
    *("show", "show x As", "high", "high none", "high x", "high 3 x", "low", "low none 3"),
    *("floor", "floor ask", "floor 4711", "floor 4711 2468", 'floor misdeal "why"'),
    *('floor misdeal 4711 "why"', 'floor F1 misdeal "why"'),
)  # fmt: skip


def test_every_word_is_among_those_that_are_read_here() -> None:
    said = {line.lower().split()[0] for line in MEANT}
    assert said - {"6"} == {word.name for word in WORDS}


@pytest.mark.parametrize("line", MEANT)
def test_a_line_asks_just_this_of_the_table(line: str) -> None:
    assert parse(line) == MEANT[line]


def test_a_card_of_the_shoe_is_sealed_as_it_is_read() -> None:
    command = parse("card As")
    assert isinstance(command, DealSealedCard)
    assert reveal(command.card) is parse_card("As")
    assert "As" not in repr(command)


def test_white_space_separates_words_and_a_quotation_holds_it() -> None:
    assert parse("  seat\t3 \tAda  ") == table.SeatPlayer(3, "Ada")
    assert parse('seat 3 "Ada L" 200') == table.SeatPlayer(3, "Ada L", 20_000)
    assert parse('seat 3 "Ada # L"') == table.SeatPlayer(3, "Ada # L")


@pytest.mark.parametrize("name", ["O'Brien", "D'Arcy'", "A\\B", "A\\", "M;ary", "a=b", "José"])
def test_a_name_is_taken_as_it_is_written(name: str) -> None:
    assert parse(f"seat 3 {name}") == table.SeatPlayer(3, name)


@pytest.mark.parametrize("line", ["", "   ", "\t", "# seat 3 Ada", "   # fold", "#fold"])
def test_blank_lines_and_comments_ask_nothing(line: str) -> None:
    assert parse(line) is None


def test_what_follows_a_number_sign_is_not_read() -> None:
    assert parse('fold # to 4 "open') == hand.Act("fold")
    assert parse("fold to 4 # fold to 5") == hand.ActUntil("fold", 4)


@pytest.mark.parametrize("line", NOT_TAKEN)
def test_what_a_word_does_not_take_is_answered_with_how_it_is_written(line: str) -> None:
    with pytest.raises(BadCommand) as refused:
        parse(line)
    [usage] = [word.usage for word in WORDS if word.name == line.split()[0]]
    assert (refused.value.code, str(refused.value)) == ("bad_command", f"Usage: {usage}")


@pytest.mark.parametrize("verb", ["fold to 4", "call to 4", "check around"])
@pytest.mark.parametrize("seat", ["6", "006"])
def test_one_seat_does_not_act_for_others(seat: str, verb: str) -> None:
    with pytest.raises(BadCommand) as refused:
        parse(f"{seat} {verb}")
    assert refused.value.code == "bad_command"
    assert str(refused.value).startswith("Usage: N ")


@pytest.mark.parametrize("line", ["6 burn", "6 push", "6 muck 6", "6 leave", "6 dance", "6 6 fold"])
def test_a_seat_number_comes_before_an_action_only(line: str) -> None:
    with pytest.raises(BadCommand) as refused:
        parse(line)
    assert refused.value.code == "unknown_command"
    assert "fold, check, call, bet, raise, allin" in str(refused.value)


@pytest.mark.parametrize("line", ["12345 fold", "99999 raise 8"])
def test_a_seat_number_has_four_digits_at_most(line: str) -> None:
    with pytest.raises(BadCommand) as refused:
        parse(line)
    assert refused.value.code == "bad_command"


@pytest.mark.parametrize("line", ["٦ fold", "6", "fodl", "seat! 3 Ada", "-6 fold", "cardAs"])
def test_what_is_not_a_word_is_not_a_command(line: str) -> None:
    with pytest.raises(BadCommand) as refused:
        parse(line)
    assert refused.value.code == "unknown_command"


def test_the_nearest_word_is_named() -> None:
    with pytest.raises(BadCommand, match="Did you mean 'raise'"):
        parse("rasie 8")
    with pytest.raises(BadCommand, match="'help' lists the commands"):
        parse("xyzzy")


@pytest.mark.parametrize("line", ['seat 3 "Ada', 'floor 4711 misdeal "why', '"', 'fold "'])
def test_a_quotation_that_is_not_closed_is_named(line: str) -> None:
    with pytest.raises(BadCommand, match="closing quotation mark is missing") as refused:
        parse(line)
    assert refused.value.code == "bad_command"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        *((line, "bad_amount") for line in ("bet ten", "raise to x", "buy 3 -5", "allin 1e3")),
        *((line, "bad_amount") for line in ("bet 1.999", "6 bet x", "seat 3 Ada 10000000000000")),
        *((line, "unknown_card") for line in ("card 1s", "flop As Kd 1x", "turn A", "show 3 Zz")),
        *((line, "unknown_card") for line in ("draw 3 ??", "flop As Kd ??", "river 10s")),
        ("rules nowhere", "no_such_rules"),
    ],
)
def test_amounts_cards_and_rules_that_are_none_have_codes_of_their_own(
    line: str, code: str
) -> None:
    with pytest.raises(BadCommand) as refused:
        parse(line)
    assert refused.value.code == code
    assert str(refused.value)[0] in "'ABCDEFGHIJKLMNOPQRSTUVWXYZ"
