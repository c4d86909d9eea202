"""What a browser would make of a page."""

from __future__ import annotations

from html.parser import HTMLParser


class Reader(HTMLParser):
    """The elements and the text of a page, as a browser takes them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.labels: list[str] = []
        self.hidden: dict[str, str] = {}
        """The hidden fields of forms."""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.labels += [value or "" for name, value in attrs if name == "aria-label"]
        given = dict(attrs)
        if tag == "input" and given.get("type") == "hidden":
            self.hidden[given.get("name") or ""] = given.get("value") or ""

    def handle_data(self, data: str) -> None:
        self.text += data
