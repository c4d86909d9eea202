"""Files from outside are bounded in size and depth; the message says so, at once."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.rules import load_profile
from omaha_table.shipped import config_dir
from omaha_table.toml_files import TomlError, parse_toml
from tests.journal.days import CLOSE, LINES, journal_file, open_session, say

DEEP = 100_000
TEXTS = {
    "arrays": "a = " + "[" * DEEP,
    "closed arrays": "a = " + "[" * DEEP + "]" * DEEP,
    "tables": "a = " + "{a = " * DEEP,
    "dotted key": "a." * DEEP + "a = 1",
    "header": "[" + "a." * DEEP + "a]",
    "spaced key": " . ".join(["'a'"] * DEEP) + " = 1",
    "quotes": 'a = "' + '\\"' * DEEP,
    "open quotes": '"\\' * DEEP,
    "many lines": "".join(f"x{n} = 1\n" for n in range(DEEP)),
    "many settings": "".join(f"x{n} = 1\n" for n in range(20_000)),
    "digits": "a = " + "9" * 5000,
    "zeros": "\0" * DEEP,
    "not text": "\udcff",
}
GOOD = (config_dir() / "rules" / "ca_big_o.toml").read_text(encoding="utf-8")
TABLE = '[table]\nid = "t7"\nrules = "ca_big_o"\n'


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    "command",
    [
        ["rules", "check", "{}"],
        ["rules", "show", "{}"],
        ["script", "--rules", "{}"],
        ["script", "--config", "{}"],
        ["devices", "list", "--table", "{}"],
        ["import", "--data", "{}.data", "--rules", "{}", "{}.phh"],
    ],
    ids=lambda command: "-".join(command[:2]),
)
def test_a_toml_file_is_refused_in_a_moment(
    command: list[str], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    load_profile.cache_clear()
    path = Path("given.toml")
    path.write_bytes(TEXTS[name].encode("utf-8", "surrogateescape"))
    began = time.monotonic()
    done = CliRunner().invoke(omaha_table, [part.format(path) for part in command], input="")
    assert time.monotonic() - began < 5
    assert done.exit_code in (1, 2) if command[1] == "check" else done.exit_code == 2
    assert not isinstance(done.exception, RecursionError)
    assert "given.toml" in done.output or done.output.startswith("fault: ")
    assert len(done.output) < 50_000


def test_a_file_without_an_end_is_not_read_to_it(tmp_path: Path) -> None:
    for command in (["rules", "check"], ["script", "--config"], ["devices", "list", "--table"]):
        done = CliRunner().invoke(omaha_table, [*command, "/dev/zero"], input="")
        assert done.exit_code == 2
        assert "larger than" in done.output


@pytest.mark.parametrize("name", TEXTS)
def test_a_phh_file_is_refused_in_a_moment(name: str, tmp_path: Path) -> None:
    path = tmp_path / "given.phh"
    path.write_bytes(TEXTS[name].encode("utf-8", "surrogateescape"))
    began = time.monotonic()
    done = CliRunner().invoke(omaha_table, ["import", "--data", str(tmp_path / "d"), str(path)])
    assert time.monotonic() - began < 5
    assert done.exit_code == 1
    assert "Refused" in done.output


def test_depth_is_counted_outside_strings_and_comments_only() -> None:
    brackets = "[{." * 50
    text = f'a = "{brackets}"\nb = \'{brackets}\'\n# {brackets}\nc = """\n{brackets}"""\n'
    text += f"d = '''\n{brackets}'''\n" + 'e = "\\"[[[[[[[[[[[[[[[[[["\n'
    assert parse_toml(text)["a"] == brackets
    rows = "x = [\n" + "  [1.5, 2.5],\n" * 100 + "]\n"
    assert len(parse_toml(rows)["x"]) == 100
    assert parse_toml("a = " + "[" * 16 + "]" * 16)
    with pytest.raises(TomlError, match="line 2 is nested more than 16 deep"):
        parse_toml("b = 1\na = " + "[" * 17 + "]" * 17)


BAD_TEXTS = {
    "escape": "a\\u001b[31mb",
    "newline": "a\\nb",
    "zero": "a\\u0000b",
    "right": "\\u202Ea",
}


@pytest.mark.parametrize("bad", BAD_TEXTS.values(), ids=BAD_TEXTS)
@pytest.mark.parametrize(
    "text",
    [
        TABLE + 'title = "{}"\n',
        TABLE + 'mirror = "{}"\n',
        TABLE + 'surveillance_key = "{}"\n',
        TABLE + 'group = "{}"\n',
        TABLE + 'limit = "{}"\n',
        '[table]\nid = "{}"\nrules = "ca_big_o"\n',
        '[table]\nid = "t7"\nrules = "{}.toml"\n',
        TABLE + '[[players]]\nseat = 1\nname = "{}"\n',
        TABLE + '[devices.shoe]\nadapter = "{}"\nport = "x"\n',
        TABLE + '[devices.shoe]\nadapter = "tdp"\nport = "{}"\n',
        TABLE + '[devices.shoe]\nadapter = "tdp"\nport = "x"\nserial = "{}"\n',
        TABLE + '[devices.shoe]\nadapter = "tdp"\nport = "x"\nkey_file = "{}"\n',
    ],
    ids=["title", "mirror", "key", "group", "limit", "id", "rules", "player", "adapter", "port",
         "serial", "key_file"],
)  # fmt: skip
def test_texts_of_a_table_file_pass_the_checks_of_typed_ones(
    text: str, bad: str, tmp_path: Path
) -> None:
    path = tmp_path / "t7.toml"
    path.write_text(text.replace("{}", bad), encoding="utf-8")
    arguments = ["script", "--data", str(tmp_path / "data"), "--config", str(path)]
    done = CliRunner().invoke(omaha_table, arguments, input="step\n")
    assert done.exit_code == 2, done.output
    assert done.output.replace("\n", "").isprintable()
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("bad", BAD_TEXTS.values(), ids=BAD_TEXTS)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title = "Big O', 'title = "{}Big O'),
        ('id = "4-8"', 'id = "4{}8"'),
        ('source = "', 'source = "{}'),
        ("[sources]\n", '[sources]\n"{}" = "x"\n'),
    ],
    ids=["title", "limit", "source", "sources"],
)
def test_texts_of_a_profile_pass_the_same_checks(
    old: str, new: str, bad: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    assert old in GOOD
    path.write_text(GOOD.replace(old, new.replace("{}", bad), 1), encoding="utf-8")
    for command in (["rules", "check"], ["rules", "show"], ["script", "--rules"]):
        done = CliRunner().invoke(omaha_table, [*command, str(path)], input="step\n")
        assert done.exit_code in (1, 2), done.output
        assert done.output.replace("\n", "").isprintable()


def test_a_profile_is_told_apart_by_more_than_a_long_title(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.replace('title = "', f'title = "{"x" * 81}', 1), encoding="utf-8")
    done = CliRunner().invoke(omaha_table, ["rules", "check", str(path)])
    assert done.exit_code == 1
    assert "up to 80 characters" in done.output


def person(**changes: str) -> dict[str, object]:
    pin: object = {"salt": "00" * 16, "digest": "00" * 32, "memory_kib": 8, "passes": 1}
    return {"id": "F1", "name": "Fern Hill", "role": "floor", "pin": pin} | changes


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"people": [person(name="\x1b[31mF")]}),
        json.dumps({"people": [person(id="a\nb")]}),
        json.dumps({"people": [person(id="")]}),
        json.dumps({"people": [person(name="x" * 41)]}),
        '{"people": ' + "[" * DEEP,
        " " * (2 << 20),
    ],
    ids=["escape", "newline", "no id", "long", "deep", "large"],
)
def test_a_staff_file_is_checked_like_what_is_typed(content: str, tmp_path: Path) -> None:
    (tmp_path / "staff.json").write_text(content, encoding="utf-8")
    (tmp_path / "pepper").write_bytes(bytes(32))
    done = CliRunner().invoke(omaha_table, ["staff", "list", "--data", str(tmp_path)])
    assert done.exit_code == 2
    assert "staff file" in done.output


@pytest.mark.parametrize("content", ["[" * DEEP, '{"head":' * DEEP, " " * (4 << 20)], ids=len)
@pytest.mark.parametrize("suffix", [".receipt", ".witness"])
def test_a_receipt_or_witness_that_nobody_could_have_written_stops_the_table(
    content: str, suffix: str, tmp_path: Path
) -> None:
    session = open_session(tmp_path)
    say(session, *LINES)
    say(session, *([CLOSE] if suffix == ".receipt" else []))
    session.close()
    journal_file(tmp_path).with_suffix(suffix).write_text(content)
    arguments = ["script", "--data", str(tmp_path), "--table", "t7"]
    done = CliRunner().invoke(omaha_table, arguments, input="step\n")
    assert done.exit_code == 2
    assert "cannot be read" in done.output


def test_a_key_or_pepper_without_an_end_is_not_read_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "t7-2026-11-14.journal"
    arguments = [
        "--hand",
        "1",
        "--seat",
        "1",
        "--key",
        "/dev/zero",
        "--case",
        "26",
        "--reason",
        "why",
        *("--office", str(tmp_path), "--signed", "F1", "--signed", "S1"),
    ]
    done = CliRunner().invoke(omaha_table, ["unseal", str(journal), *arguments])
    assert (done.exit_code, "not a surveillance private key" in done.output) == (2, True)
    monkeypatch.setenv("OMAHA_TABLE_PEPPER", "/dev/zero")
    done = CliRunner().invoke(omaha_table, ["staff", "add", "F1", "F", "floor", "--data", "."])
    assert done.exit_code == 2
