"""The web server of the page."""

from __future__ import annotations

import socket
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import uvicorn

from omaha_table.room.page.app import make_app
from omaha_table.room.page.settings import CannotServeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.room.page.settings import Settings

MOST_CONNECTIONS: Final = 400
_HEADER_BYTES: Final = 16 * 1024


class _Server(uvicorn.Server):
    def __init__(self, let_go: Callable[[], None], config: uvicorn.Config) -> None:
        super().__init__(config)
        self._let_go = let_go

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._let_go()
        await super().shutdown(sockets)


class PageServer:
    """Listens as soon as it is made; `run` answers until `stop` or a signal."""

    def __init__(self, settings: Settings) -> None:
        """Raises CannotServeError, or what the data folder says no with."""
        made = make_app(settings)
        try:
            self._socket = socket.create_server(
                (settings.host, settings.port),
                family=socket.AF_INET6 if ":" in settings.host else socket.AF_INET,
            )
        except OSError as error:
            where = f"{settings.host}, port {settings.port}"
            raise CannotServeError(f"Nobody can listen at {where}: {error.strerror}.") from None
        self.settings = replace(settings, port=self._socket.getsockname()[1])
        self._server = _Server(made.let_go, uvicorn.Config(
            made.app,
            ssl_certfile=settings.certificate,
            ssl_keyfile=settings.private_key,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=MOST_CONNECTIONS,
            h11_max_incomplete_event_size=_HEADER_BYTES,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=3,
            lifespan="on",
        ))  # fmt: skip

    @property
    def address(self) -> str:
        return self.settings.address

    def run(self) -> None:
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._socket.close()

    def stop(self) -> None:
        self._server.should_exit = True
