"""Signing in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.responses import RedirectResponse
from starlette.routing import Route

from omaha_table.journal.faults import JournalFault
from omaha_table.office.decisions import OfficeRefused
from omaha_table.review.index.ledger import not_recorded
from omaha_table.room.page.gate import SIGN_IN, before_name, cookie_name
from omaha_table.room.page.rendering import page
from omaha_table.room.page.sessions import SignInTokens, Tries
from omaha_table.room.page.visits import visit_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from omaha_table.room.page.sessions import Sessions
    from omaha_table.room.page.signing import Signers
    from omaha_table.room.page.visits import Visit

_WRONG: Final = "This staff number and PIN do not go together."


class SigningIn:
    def __init__(self, sessions: Sessions, signers: Signers, *, is_secure: bool) -> None:
        self._sessions, self._signers, self._is_secure = sessions, signers, is_secure
        self._tokens, self._tries = SignInTokens(), Tries()

    def routes(self) -> list[Route]:
        return [
            Route(SIGN_IN, self.show, methods=["GET"]),
            Route(SIGN_IN, self.sign_in, methods=["POST"]),
            Route("/sign-out", self.sign_out, methods=["POST"]),
        ]

    def show(self, request: Request) -> Response:
        return self._form(visit_of(request), request.query_params.get("next", "/"))

    def sign_in(self, request: Request) -> Response:
        visit = visit_of(request)
        form, then = visit.form, visit.form.get("next", "/")
        number, is_wall = form.get("number", "").strip(), form.get("wall") == "yes"
        if not self._tokens.fits(visit.before, form.get("token", "")):
            return self._form(visit, then, "This form was open for too long. Try again.", 403)
        if self._tries.left(visit.address) <= 0:
            said = "Too many tries from this device. Wait five minutes."
            return self._form(visit, then, said, 429)
        # A number that nobody has is not held against the keypad of the folder's tables.
        if self._signers.person(number) is None:
            self._tries.failed(visit.address)
            return self._form(visit, then, self._signers.problem or _WRONG, 403)
        try:
            who = self._signers.sign("page", number, form.get("pin", ""))
        except OfficeRefused as refused:
            self._tries.failed(visit.address)
            return self._form(visit, then, refused.message, 403)
        except JournalFault as fault:
            return self._form(visit, then, not_recorded(fault), 503)
        if visit.cookie:
            self._sessions.end(visit.cookie)
        answer = RedirectResponse("/wall" if is_wall else own_path(then), 303)
        self._set(answer, cookie_name(is_secure=self._is_secure),
                  self._sessions.begin(who, is_wall=is_wall))  # fmt: skip
        answer.delete_cookie(
            before_name(is_secure=self._is_secure), secure=self._is_secure, httponly=True
        )
        return answer

    def sign_out(self, request: Request) -> Response:
        visit = visit_of(request)
        self._sessions.end(visit.cookie)
        answer = RedirectResponse(SIGN_IN, 303)
        answer.delete_cookie(
            cookie_name(is_secure=self._is_secure), secure=self._is_secure, httponly=True
        )
        return answer

    def _form(self, visit: Visit, then: str, said: str = "", status: int = 200) -> Response:
        made = self._tokens.make()
        visit.session = None
        problem = self._signers.problem
        answer = page(
            "sign_in.html", visit, status, then=own_path(then), said=said or problem,
            token=made.token,
        )  # fmt: skip
        self._set(answer, before_name(is_secure=self._is_secure), made.cookie)
        return answer

    def _set(self, answer: Response, name: str, value: str) -> None:
        answer.set_cookie(
            name, value, path="/", secure=self._is_secure, httponly=True, samesite="strict"
        )


def own_path(given: str) -> str:
    """A path of this page, wherever somebody would like to send whoever has signed in."""
    parts = urlsplit(given)
    # Browsers read a backslash as a slash, and drop control characters.
    is_own = given.startswith("/") and not given.startswith("//") and "\\" not in given
    return given if is_own and given.isprintable() and not parts.netloc else "/"
