"""One request as the views see it: who asks, with what form, and from where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from omaha_table.floor.staff import Role

if TYPE_CHECKING:
    from starlette.requests import Request

    from omaha_table.office.events import Signature
    from omaha_table.room.page.sessions import Session

SCOPE = "omaha_table.visit"


@dataclass
class Visit:
    session: Session | None = None
    form: dict[str, str] = field(default_factory=dict)
    address: str = ""
    cookie: str = ""
    """The name of the session, for ending it."""
    before: str = ""
    """The cookie of a sign-in form."""

    @property
    def who(self) -> Signature | None:
        return None if self.session is None else self.session.who

    @property
    def csrf(self) -> str:
        return "" if self.session is None else self.session.csrf

    @property
    def is_wall(self) -> bool:
        return self.session is not None and self.session.is_wall

    @property
    def may_supervise(self) -> bool:
        return self.who is not None and self.who.role in (Role.FLOOR, Role.SHIFT)


def visit_of(request: Request) -> Visit:
    return cast("Visit", request.scope[SCOPE])
