"""Pages from templates, with the reports' escaping, and the files a page loads."""

from __future__ import annotations

import hashlib
import time
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from jinja2 import ChoiceLoader, PackageLoader
from starlette.responses import HTMLResponse

from omaha_table.money import format_dollars
from omaha_table.review.reports.render import environment as report_environment
from omaha_table.review.reports.wording import flags_text

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.responses import Response

    from omaha_table.room.page.visits import Visit

_KINDS: Final = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
                 "svg": "image/svg+xml"}  # fmt: skip


@cache
def environment() -> Environment:
    """The reports' environment with the page's templates before its own."""
    reports = report_environment()
    assert reports.loader is not None
    made = reports.overlay(
        loader=ChoiceLoader([PackageLoader("omaha_table.room.page"), reports.loader])
    )
    made.filters["dollars"] = format_dollars
    made.filters["clock"] = _clock
    made.filters["flags"] = lambda flags: flags_text(str(flags).split())
    made.globals["asset"] = asset_path
    return made


def _clock(at_us: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at_us / 1e6))


def render(template: str, **values: Any) -> str:
    return environment().get_template(template).render(**values)


def page(template: str, visit: Visit, status: int = 200, **values: Any) -> Response:
    """A whole page for whoever visits."""
    return HTMLResponse(render(template, visit=visit, **values), status)


@cache
def assets() -> dict[str, tuple[bytes, str]]:
    """The stylesheets and the script, by the name that a page asks for, with their media types."""
    here = files("omaha_table.room.page") / "static"
    found = {one.name: one.read_bytes() for one in here.iterdir() if "." in one.name}
    reports = files("omaha_table.review.reports") / "templates" / "style.css"
    found["report.css"] = reports.read_bytes()
    return {
        name: (content, _KINDS[name.rpartition(".")[2]])
        for name, content in found.items()
        if name.rpartition(".")[2] in _KINDS
    }


@cache
def asset_path(name: str) -> str:
    """With a mark of the content, so that a browser keeps it until the program is another one."""
    content, _ = assets()[name]
    return f"/static/{name}?{hashlib.sha256(content).hexdigest()[:12]}"
