"""The text of a PDF that Chromium printed: enough of the format for what its fonts say."""

from __future__ import annotations

import re
import zlib

_OBJECT = re.compile(rb"(\d+) 0 obj\b(.*?)\bendobj", re.DOTALL)
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_SHOWN = re.compile(rb"/(F\d+) [-\d.]+ Tf|<([0-9A-Fa-f]+)>|\b(ET)\b")


def text_of(pdf: bytes) -> str:
    """All that is printed, in the order in which it was drawn, without spaces."""
    objects = {int(number): body for number, body in _OBJECT.findall(pdf)}
    fonts = {}
    for body in objects.values():
        for listed in re.findall(rb"/Font\s*<<(.*?)>>", body, re.DOTALL):
            for name, number in re.findall(rb"/(F\d+)\s+(\d+) 0 R", listed):
                unicode = re.search(rb"/ToUnicode\s+(\d+) 0 R", objects[int(number)])
                assert unicode is not None
                fonts[name] = _letters(_stream(objects[int(unicode[1])]))
    assert fonts
    said = ""
    for body in objects.values():
        content = _stream(body)
        if b" Tf" not in content:
            continue
        letters: dict[int, str] = {}
        for font, shown, _ in _SHOWN.findall(content):
            if font:
                letters = fonts[font]
            elif shown:
                glyphs = (int(shown[at : at + 4], 16) for at in range(0, len(shown), 4))
                said += "".join(letters.get(glyph, "") for glyph in glyphs)
    return re.sub(r"\s", "", said)


def _stream(body: bytes) -> bytes:
    found = _STREAM.search(body)
    if found is None:
        return b""
    try:
        return zlib.decompress(found[1])
    except zlib.error:
        return found[1]


def _letters(cmap: bytes) -> dict[int, str]:
    """What each glyph of a font stands for."""
    letters = {}
    for block in re.findall(rb"beginbfchar(.*?)endbfchar", cmap, re.DOTALL):
        for glyph, to in re.findall(rb"<(\w+)>\s*<(\w+)>", block):
            letters[int(glyph, 16)] = bytes.fromhex(to.decode()).decode("utf-16-be")
    for block in re.findall(rb"beginbfrange(.*?)endbfrange", cmap, re.DOTALL):
        for first, last, to in re.findall(rb"<(\w+)>\s*<(\w+)>\s*<(\w+)>", block):
            start = int(first, 16)
            for at in range(start, int(last, 16) + 1):
                letters[at] = chr(int(to, 16) + at - start)
    return letters
