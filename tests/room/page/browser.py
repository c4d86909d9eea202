"""A real browser, driven through its DevTools pipe: no library, no port, no download."""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import time
from typing import TYPE_CHECKING, Any, Final, Self

from tests.browsers import BROWSER

if TYPE_CHECKING:
    from pathlib import Path

_SWITCHES: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio",
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows", "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)  # fmt: skip
SECONDS: Final = 60.0
PHONE: Final = (390, 844)
TABLET: Final = (1024, 768)
WALL: Final = (1920, 1080)


class Browser:
    def __init__(self, profile: Path) -> None:
        to_read, its_write = os.pipe()
        its_read, to_write = os.pipe()
        assert BROWSER is not None
        # The browser reads commands from descriptor 3 and answers on 4.
        shell = f'exec "$0" "$@" 3</dev/fd/{its_read} 4>/dev/fd/{its_write}'
        self._process = subprocess.Popen(
            ["sh", "-c", shell, BROWSER, *_SWITCHES, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(its_read, its_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={name: value for name, value in os.environ.items() if name != "LD_PRELOAD"},
        )  # fmt: skip
        os.close(its_read)
        os.close(its_write)
        self._read, self._write, self._rest = to_read, to_write, b""
        self._number = 0
        self.events: list[dict[str, Any]] = []

    def open(self) -> Tab:
        """A tab with cookies of its own."""
        context = self.ask("Target.createBrowserContext")["browserContextId"]
        given = {"url": "about:blank", "browserContextId": context}
        target = self.ask("Target.createTarget", **given)["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Tab(self, session)

    def ask(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        self._number += 1
        command: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if session:
            command["sessionId"] = session
        os.write(self._write, json.dumps(command).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while True:
            answer = self._next(end)
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                found: dict[str, Any] = answer["result"]
                return found
            if "method" in answer:
                self.events.append(answer)

    def _next(self, end: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(end - time.monotonic(), 0))
            assert ready, "the browser does not answer"
            part = os.read(self._read, 1 << 20)
            assert part, "the browser has ended"
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def close(self) -> None:
        os.close(self._write)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Tab:
    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session
        self.ask("Page.enable")
        self.ask("Runtime.enable")
        self.ask("Log.enable")
        self.size(TABLET)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        return self._browser.ask(method, self._session, **params)

    def size(self, size: tuple[int, int], *, touch: bool = False) -> None:
        width, height = size
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=touch,
        )  # fmt: skip

    def dark(self, *, on: bool = True) -> None:
        features = [{"name": "prefers-color-scheme", "value": "dark" if on else "light"}]
        self.ask("Emulation.setEmulatedMedia", features=features)

    def go(self, address: str) -> None:
        self.ask("Page.navigate", url=address)
        self.wait(f"location.href.startsWith({json.dumps(address.split('?')[0])}) "
                  "|| location.pathname == '/sign-in'")  # fmt: skip
        self.wait("document.readyState == 'complete'")

    def run(self, script: str) -> Any:
        done = self.ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def wait(self, script: str, seconds: float = SECONDS) -> None:
        """Until a script's value is true; a page that is being loaded has none."""
        end = time.monotonic() + seconds
        while True:
            try:
                if self.run(f"Boolean({script})"):
                    return
            except AssertionError:
                pass
            assert time.monotonic() < end, f"never true: {script}\n{self.text}"
            time.sleep(0.02)

    @property
    def text(self) -> str:
        return str(self.run("document.body ? document.body.innerText : ''"))

    def fill(self, **values: str) -> None:
        """Types into the fields with these ids."""
        for name, value in values.items():
            self.run(f"document.getElementById({json.dumps(name.replace('_', '-'))}).focus()")
            self.run("document.activeElement.select?.()")
            self.ask("Input.insertText", text=value)

    def key(self, key: str) -> None:
        codes = {"Tab": 9, "Enter": 13, " ": 32}
        given = {"key": key, "windowsVirtualKeyCode": codes[key]}
        text = {"Enter": {"text": "\r"}, " ": {"text": " "}}.get(key, {})
        self.ask("Input.dispatchKeyEvent", type="keyDown", **given, **text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **given)

    def submit(self, then: str) -> None:
        """Sends the form that has the focus, and waits for a page with some text."""
        self.key("Enter")
        self.wait(f"document.readyState == 'complete' && document.body.innerText.includes("
                  f"{json.dumps(then)})")  # fmt: skip

    def picture(self, path: Path, *, whole: bool = False) -> None:
        given: dict[str, Any] = {"captureBeyondViewport": True} if whole else {}
        if whole:
            size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
            given["clip"] = {**size, "scale": 1}
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", **given)["data"]))

    def pdf(self) -> bytes:
        found = self.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=False)
        return base64.b64decode(found["data"])

    @property
    def complaints(self) -> list[str]:
        """What the browser's console says is wrong: blocked by the policy, or a script's error."""
        return [
            json.dumps(one["params"])
            for one in self._browser.events
            if one.get("sessionId") == self._session
            and (
                one["method"] == "Runtime.exceptionThrown"
                or (one["method"] == "Log.entryAdded"
                    and one["params"]["entry"]["level"] == "error")
            )
        ]  # fmt: skip
