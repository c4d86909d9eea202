from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from omaha_table.cli import omaha_table
from omaha_table.cli.calculator import answer_line
from omaha_table.cli.lines import MAX_LINE
from omaha_table.shipped import config_dir

if TYPE_CHECKING:
    from pathlib import Path

GOOD: dict[str, Any] = {
    "rules": "ca_big_o",
    "button": 5,
    "board": "7c 5h 2s Kd As",
    "hands": {"1": "Ah 3d 9c 9d Ts", "4": "Kc Kh 4d 8s Jh"},
    "pots": [{"amount": 10000, "eligible": [1, 4]}],
}
ANSWER = {
    "high": {
        "1": {
            "text": "Pair of aces, king-ten-seven kickers",
            "cards": ["As", "Ah", "Kd", "Ts", "7c"],
        },
        "4": {
            "text": "Three of a kind, kings, ace-seven kickers",
            "cards": ["Kd", "Kc", "Kh", "As", "7c"],
        },
    },
    "low": {
        "1": {"text": "7-5-3-2-A", "cards": ["7c", "5h", "3d", "2s", "Ah"]},
        "4": {"text": "8-5-4-2-A", "cards": ["8s", "5h", "4d", "2s", "As"]},
    },
    "pots": [{"amount": 10000, "high": {"4": 5000}, "low": {"1": 5000}}],
    "awards": {"1": 5000, "4": 5000},
}


def with_(**changes: Any) -> bytes:
    data = {key: value for key, value in (GOOD | changes).items() if value is not ...}
    return json.dumps(data).encode()


def run(stdin: bytes, *arguments: str) -> tuple[int, list[Any], str]:
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "showdown", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return done.returncode, lines, done.stderr.decode()


def answer(line: bytes) -> dict[str, Any]:
    text, _ = answer_line(line, 1)
    found: dict[str, Any] = json.loads(text)
    return found


def test_a_showdown_is_read_and_split() -> None:
    assert answer(with_()) == ANSWER


def test_cards_may_also_be_a_list() -> None:
    assert answer(with_(board=["7c", "5h", "2s", "Kd", "As"])) == ANSWER


def test_a_high_only_game_has_no_lows() -> None:
    found = answer(with_(rules="nj_big_omaha_high"))
    assert found["low"] == {}
    assert found["awards"] == {"4": 10000}


def test_a_hand_without_a_low_has_null() -> None:
    found = answer(with_(hands={"1": "Ah 3d 9c 9d Ts", "4": "Kc Kh Qd Qs Jh"}))
    assert found["low"]["4"] is None


def test_hands_can_be_read_without_pots() -> None:
    found = answer(with_(pots=..., button=...))
    assert (found["pots"], found["awards"]) == ([], {})


def test_lows_are_read_by_the_qualifier_of_the_profile() -> None:
    """Two low ranks on the board: only a game that takes any height has a low."""
    hands = {"1": "As 3d Ac 5d", "3": "Kc Ks 8d 7d"}
    given = {"board": "Kh Qc 9d 4s 2h", "hands": hands, "button": 3}
    pots = [{"amount": 900, "eligible": [1, 3]}]
    file = str(config_dir() / "examples" / "rules" / "lows_of_any_height.toml")
    found = answer(with_(rules=file, pots=pots, **given))
    assert found["low"] == {
        "1": {"text": "9-4-3-2-A", "cards": ["9d", "4s", "3d", "2h", "As"]},
        "3": {"text": "9-8-7-4-2", "cards": ["9d", "8d", "7d", "4s", "2h"]},
    }
    assert found["awards"] == {"1": 400, "3": 500}
    assert answer(with_(rules="ca_omaha_hilo", pots=pots, **given))["awards"] == {"3": 900}


def test_a_profile_may_be_a_file(tmp_path: Path) -> None:
    shipped = (tmp_path / "mine.toml").resolve()
    shipped.write_text((config_dir() / "rules" / "ca_big_o.toml").read_text(encoding="utf-8"))
    assert answer(with_(rules=str(shipped))) == ANSWER


BAD = {
    "duplicate across hands": (
        with_(hands={"1": "Ah 3d 9c 9d Ts", "4": "Ah Kh 4d 8s Jh"}),
        "duplicate_card",
    ),
    "duplicate with the board": (with_(board="7c 5h 2s Kd Ah"), "duplicate_card"),
    "too few hole cards": (with_(hands={"1": "Ah 3d 9c 9d"}, pots=[]), "card_count"),
    "too many hole cards": (with_(hands={"1": "Ah 3d 9c 9d Ts Tc"}, pots=[]), "card_count"),
    "four board cards": (with_(board="7c 5h 2s Kd"), "card_count"),
    "unknown rank": (with_(board="7c 5h 2s Kd 1s"), "unknown_card"),
    "unknown suit": (with_(board="7c 5h 2s Kd Ax"), "unknown_card"),
    "hidden card": (with_(board="7c 5h 2s Kd ??"), "unknown_card"),
    "seat without a hand in a pot": (
        with_(pots=[{"amount": 100, "eligible": [1, 7]}]),
        "no_such_seat",
    ),
    "seat twice in a pot": (with_(pots=[{"amount": 100, "eligible": [1, 1]}]), "bad_shape"),
    "nobody in a pot": (with_(pots=[{"amount": 100, "eligible": []}]), "no_such_seat"),
    "seat beyond the table": (with_(hands={"10": "Ah 3d 9c 9d Ts"}, pots=[]), "no_such_seat"),
    "seat that is no number": (with_(hands={"one": "Ah 3d 9c 9d Ts"}, pots=[]), "no_such_seat"),
    "seat with a leading zero": (with_(hands={"01": "Ah 3d 9c 9d Ts"}, pots=[]), "no_such_seat"),
    "button beyond the table": (with_(button=12), "no_such_seat"),
    "negative cents": (with_(pots=[{"amount": -1, "eligible": [1]}]), "bad_amount"),
    "fractional cents": (with_(pots=[{"amount": 100.5, "eligible": [1]}]), "bad_amount"),
    "whole cents as a fraction": (with_(pots=[{"amount": 100.0, "eligible": [1]}]), "bad_amount"),
    "cents as text": (with_(pots=[{"amount": "100", "eligible": [1]}]), "bad_amount"),
    "cents as truth": (with_(pots=[{"amount": True, "eligible": [1]}]), "bad_amount"),
    "more money than there is": (with_(pots=[{"amount": 10**16, "eligible": [1]}]), "bad_amount"),
    "a pot without eligible seats": (with_(pots=[{"amount": 1}]), "bad_shape"),
    "pots as an object": (with_(pots={}), "bad_shape"),
    "hands as a list": (with_(hands=["Ah 3d 9c 9d Ts"]), "bad_shape"),
    "no hands": (with_(hands={}, pots=[]), "bad_shape"),
    "board as a number": (with_(board=5), "bad_shape"),
    "no board": (with_(board=...), "bad_shape"),
    "no hands at all": (with_(hands=...), "bad_shape"),
    "no rules": (with_(rules=...), "bad_shape"),
    "no button for a pot": (with_(button=...), "bad_shape"),
    "unknown rules": (with_(rules="ca_big_oh"), "unknown_rules"),
    "rules in a missing file": (with_(rules="none/such.toml"), "unknown_rules"),
    "unknown key": (with_(bord="7c"), "bad_shape"),
    "a key twice": (b'{"rules":"ca_big_o","rules":"ca_big_o"}', "bad_shape"),
    "a list": (b"[]", "bad_shape"),
    "null": (b"null", "bad_shape"),
    "half an object": (b'{"rules":', "bad_json"),
    "nested too deeply": (b"[" * 60000, "bad_json"),
    "a number with too many digits": (b"1" * 60000, "bad_json"),
    "empty": (b"", "empty_line"),
    "blank": (b"  \r", "empty_line"),
    "not UTF-8": (b'{"rules":"\xff"}', "not_utf8"),
    "too long": (b" " * (MAX_LINE + 1), "line_too_long"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_clear_error(name: str) -> None:
    line, code = BAD[name]
    found = answer(line)
    assert found["error"]["code"] == code
    assert len(found["error"]["message"]) < 400
    assert found["error"]["message"].isprintable()


@given(st.binary(max_size=200) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["rules", "board", "hands", "pots", "button", "1", "amount", "eligible"]),
        inner,
        max_size=5,
    ),
).map(lambda value: json.dumps(value).encode()))  # fmt: skip
def test_no_line_at_all_is_answered_by_an_exception(line: bytes) -> None:
    assert "error" in answer(line)


@given(st.fixed_dictionaries({}, optional={key: st.none() | st.integers() | st.text(max_size=9)
    | st.lists(st.integers() | st.text(max_size=3), max_size=3)
    | st.dictionaries(st.text(max_size=2), st.text(max_size=12), max_size=3)
    for key in GOOD}))  # fmt: skip
def test_a_good_line_with_a_bad_part_is_answered_by_an_error(changes: dict[str, Any]) -> None:
    found = answer(json.dumps(GOOD | changes).encode())
    assert "error" in found or not changes or changes.keys() <= {"pots", "button"}


def test_a_stream_answers_the_other_lines_and_ends_with_status_2() -> None:
    endless = b'"' + b"x" * (10 * 1024 * 1024) + b'"'
    status, lines, stderr = run(
        b"\n".join([with_(), b"", endless, b"\xff\xfe", with_(board="7c"), with_()])
    )
    assert status == 2
    assert [line.get("error", {}).get("code") for line in lines] == [
        None,
        "empty_line",
        "line_too_long",
        "not_utf8",
        "card_count",
        None,
    ]
    assert [line["error"]["line"] for line in lines[1:5]] == [2, 3, 4, 5]
    assert stderr == ""


def test_a_good_stream_ends_with_status_0() -> None:
    status, lines, _ = run(with_() + b"\n" + with_())
    assert (status, lines) == (0, [ANSWER, ANSWER])


def test_the_rules_of_a_stream_may_be_given_once() -> None:
    status, lines, _ = run(with_(rules=...), "--rules", "ca_big_o")
    assert (status, lines) == (0, [ANSWER])


def test_each_line_is_answered_before_the_next_is_sent() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "omaha_table", "showdown", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(with_() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == ANSWER
        process.stdin.close()
        assert process.wait(10) == 0


def test_a_reader_that_goes_away_is_no_error_to_shout_about() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "omaha_table", "showdown", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(with_() + b"\n")
        process.stdin.close()
        process.wait(10)
        assert process.stderr.read() == b""


def test_a_file_that_is_not_there_is_bad_usage() -> None:
    status, lines, stderr = run(b"", "no/such.jsonl")
    assert (status, lines) == (2, [])
    assert "no/such.jsonl cannot be read" in stderr


def table(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(omaha_table, ["showdown", *arguments], env={"COLUMNS": "80"})
    return result.exit_code, result.output


FLAGS = (
    *("--rules", "ca_big_o", "--board", "7c 5h 2s Kd As", "--button", "5"),
    *("--hand", "1:Ah 3d 9c 9d Ts", "--hand", "4:Kc Kh 4d 8s Jh", "--hand", "6:3s 8d 8c 9h 2d"),
)


def test_the_readable_form_shows_hands_fractions_and_dollars() -> None:
    status, output = table(*FLAGS, "--pot", "100", "--pot", "101:1,6")
    assert status == 0
    assert "Three of a kind, kings, ace-seven kickers" in output
    assert "7-5-3-2-A" in output
    rows = [line.split() for line in output.splitlines()]
    assert ["Main", "$100", "1", "low,", "tied", "¼", "$25"] in rows
    assert ["Side", "1", "$101", "1", "high", "+", "low,", "tied", "¾", "$75"] in rows
    assert ["Total", "6", "$51"] in rows
    assert max(map(len, output.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--board", "7c"), "needs --rules, --board"),
        ((*FLAGS, "--pot", "ten"), "'ten' is not an amount"),
        ((*FLAGS, "--pot", "10:1,x"), "'x' is not a seat number"),
        ((*FLAGS, "--pot", "10:9"), "seat 9 is eligible"),
        ((*FLAGS, "--hand", "7 As"), "write SEAT:CARDS"),
        ((*FLAGS, "--hand", "1:QsQdQhQcJc"), "Seat 1 has two hands"),
        ((*FLAGS, "--hand", "7:KcQdQhQcJc"), "Kc appears twice"),
        ((*FLAGS, "hands.jsonl"), "not both"),
    ],
)
def test_bad_flags_are_bad_usage(arguments: tuple[str, ...], message: str) -> None:
    status, output = table(*arguments)
    assert status == 2
    assert message in output
