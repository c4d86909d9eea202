"""The review as textual-serve brings it into a browser: the page's side of the connection."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import aiohttp
import pyte

from tests.paths import PYTHONPATH

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

SERVE = """
import sys
from textual_serve.server import Server
Server(sys.argv[1], host="127.0.0.1", port=int(sys.argv[2])).serve()
"""


class Browser:
    """What the page does: it shows what comes, and sends what is typed."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self.screen = pyte.Screen(100, 30)
        self._stream = pyte.ByteStream(self.screen)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    async def type(self, keys: str) -> None:
        for key in keys:
            await self._socket.send_json(["stdin", key])

    async def wait(self, seen: str, seconds: float = 30.0) -> None:
        end = time.monotonic() + seconds
        while seen not in self.text:
            left = end - time.monotonic()
            assert left > 0, f"not seen: {seen}\n{self.text}"
            with contextlib.suppress(TimeoutError):
                message = await self._socket.receive(min(left, 1.0))
                if message.type is aiohttp.WSMsgType.BINARY:
                    self._stream.feed(message.data)


@contextlib.asynccontextmanager
async def served(folder: Path, cache: Path) -> AsyncIterator[Browser]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = f"{sys.executable} -P -m omaha_table review --data {folder}"
    env = os.environ | {"XDG_CACHE_HOME": str(cache), "PYTHONPATH": PYTHONPATH}
    server = subprocess.Popen(
        [sys.executable, "-P", "-c", SERVE, command, str(port)],
        env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        async with aiohttp.ClientSession() as session:
            for _ in range(200):
                try:
                    address = f"http://127.0.0.1:{port}/ws?width=100&height=30"
                    connection = await session.ws_connect(address)
                    break
                except aiohttp.ClientError:
                    await asyncio.sleep(0.1)
            async with connection:
                yield Browser(connection)
    finally:
        server.terminate()
        server.wait()


async def look(folder: Path, cache: Path) -> None:
    async with served(folder, cache) as browser:
        await browser.wait("26 hands")
        await browser.type("/")
        await browser.wait("Which hands?")
        await browser.type("pot>=100")
        await browser.wait("pot>=100")
        await browser.type("\r")
        await browser.wait("Filter: pot>=100")
        await browser.type("5")
        await browser.wait("9 3 Street")


def test_a_filter_is_typed_and_a_hand_opened_in_a_browser(swing: Path, tmp_path: Path) -> None:
    asyncio.run(look(swing, tmp_path / "cache"))
