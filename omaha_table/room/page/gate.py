"""What every request passes before a view sees it: limits, origin, session, and the headers of
every answer. What is refused here never reaches a form, a PIN or the room."""

from __future__ import annotations

import asyncio
import hmac
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse

from omaha_table.room.page.notices import notice
from omaha_table.room.page.settings import is_loopback
from omaha_table.room.page.visits import SCOPE, Visit

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from omaha_table.room.page.sessions import Session, Sessions

MOST_BYTES: Final = 16 * 1024
"""Of a form; the longest has two signatures and a reason."""
MOST_FIELDS: Final = 250
"""A section may have all tables of a room."""
BODY_SECONDS: Final = 10.0
SIGN_IN: Final = "/sign-in"
_PUBLIC: Final = (SIGN_IN,)
_WALL: Final = ("/wall", "/events", "/here", "/sign-out")
_STREAM: Final = "/events"
"""How the address of a stream ends. An open page asks for it by itself: nobody has to be there."""
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
_YEAR: Final = "max-age=31536000"


class Gate:
    def __init__(
        self, app: ASGIApp, *, sessions: Sessions, is_on_staff: Callable[[Session], bool],
        is_secure: bool,
    ) -> None:  # fmt: skip
        self._app, self._sessions = app, sessions
        self._is_on_staff, self._is_secure = is_on_staff, is_secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._add_headers(scope, MutableHeaders(scope=message))
            await send(message)

        refused = await self._refusal(scope, receive)
        await (refused or self._app)(scope, receive, send_with_headers)

    async def _refusal(self, scope: Scope, receive: Receive) -> Response | None:
        """Why a request goes no further; None: it does, with a visit in its scope."""
        headers, method, path = Headers(scope=scope), scope["method"], scope["path"]
        visit = scope[SCOPE] = Visit()
        visit.address = (scope.get("client") or ("", 0))[0]
        if not self._is_own_host(headers.get("host", "")):
            return notice(visit, 421, "This page is not served under that name.")
        if method not in ("GET", "HEAD", "POST"):
            return notice(visit, 405, "This page does not do that.")
        cookies = _cookies(headers.get("cookie", ""))
        visit.cookie = cookies.get(cookie_name(is_secure=self._is_secure), "")
        visit.before = cookies.get(before_name(is_secure=self._is_secure), "")
        if path.startswith("/static/"):
            return None
        visit.session = await self._session(visit.cookie, path)
        if method == "POST":
            refused = await self._form(visit, headers, receive)
            if refused is not None:
                return refused
        if path in _PUBLIC:
            return None
        return self._access(visit, method, path, scope["query_string"])

    def _is_own_host(self, host: str) -> bool:
        """Without TLS the page is on this machine alone. A name that leads here from elsewhere
        would make another page's script a visitor (DNS rebinding)."""
        if self._is_secure:
            return True
        return is_loopback(urlsplit(f"//{host}").hostname or "") if _is_host(host) else False

    async def _session(self, cookie: str, path: str) -> Session | None:
        if not cookie:
            return None
        found = self._sessions.find(cookie, is_use=not path.endswith(_STREAM))
        if found is not None and not await run_in_threadpool(self._is_on_staff, found):
            self._sessions.end_of(found.who.id)
            return None
        return found

    async def _form(self, visit: Visit, headers: Headers, receive: Receive) -> Response | None:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/x-www-form-urlencoded":
            return notice(visit, 415, "This page takes forms alone.")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return notice(visit, 403, "Another page sent this form. Nothing was recorded.")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != headers.get("host", ""):
            return notice(visit, 403, "Another page sent this form. Nothing was recorded.")
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _body(receive)
        except TimeoutError:
            return notice(visit, 408, "The form did not arrive. Nothing was recorded.")
        if body is None:
            return notice(visit, 413, "That is too much for one form. Nothing was recorded.")
        try:
            pairs = parse_qsl(
                body.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS,
                errors="strict",
            )  # fmt: skip
        except ValueError:
            return notice(visit, 400, "The form cannot be read. Nothing was recorded.")
        visit.form = dict(pairs)
        return None

    def _access(self, visit: Visit, method: str, path: str, query: bytes) -> Response | None:
        if visit.session is None:
            if method == "POST":
                said = "You are signed out. Nothing was recorded. Sign in, and do it again."
                return notice(visit, 401, said)
            if path.endswith(_STREAM):
                return notice(visit, 401, "You are signed out.")
            asked = path + (f"?{query.decode('latin-1')}" if query else "")
            more = "" if asked == "/" else f"?next={quote(asked, safe='')}"
            return RedirectResponse(f"{SIGN_IN}{more}", 303)
        if method == "POST" and not _is_same(visit.form.get("csrf", ""), visit.csrf):
            said = "This form is not of your session. Nothing was recorded. Load the page again."
            return notice(visit, 403, said)
        if visit.is_wall and path not in _WALL:
            if path == "/":
                return RedirectResponse("/wall", 303)
            return notice(visit, 403, "This is a wall screen: it shows the tables and no more.")
        return None

    def _add_headers(self, scope: Scope, headers: MutableHeaders) -> None:
        for name, value in _HEADERS.items():
            headers[name] = value
        if self._is_secure:
            headers["strict-transport-security"] = _YEAR
        if not scope["path"].startswith("/static/"):
            headers["cache-control"] = "no-store"


def cookie_name(*, is_secure: bool) -> str:
    """With TLS a name that no other page of this machine and no page without TLS can set."""
    return "__Host-omaha" if is_secure else "omaha"


def before_name(*, is_secure: bool) -> str:
    return "__Host-omaha-before" if is_secure else "omaha-before"


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: one.value for name, one in SimpleCookie(header).items()}
    except CookieError:
        return {}


def _is_host(host: str) -> bool:
    return bool(host) and not set(host) & set("/@?#\\ ")


def _is_same(given: str, right: str) -> bool:
    return hmac.compare_digest(given.encode(), right.encode())


async def _body(receive: Receive) -> bytes | None:
    """What was sent; None: too much, of which no more is read."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        part: bytes = message.get("body", b"")
        body += part
        if len(body) > MOST_BYTES:
            return None
        if not message.get("more_body", False):
            return body
