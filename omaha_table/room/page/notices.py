"""A page that says one thing: what was refused, what went wrong, and where to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.room.page.rendering import page

if TYPE_CHECKING:
    from starlette.responses import Response

    from omaha_table.room.page.visits import Visit


def notice(visit: Visit, status: int, said: str, back: str = "/", more: str = "") -> Response:
    """`back` is a path of this page."""
    return page("notice.html", visit, status, said=said, back=back, more=more)
