"""The browser that tests look at pages with: Chromium or Chrome on PATH, or in OMAHA_BROWSER."""

from __future__ import annotations

import os
import shutil

import pytest

BROWSER = os.environ.get("OMAHA_BROWSER") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium or Chrome here")
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--no-pdf-header-footer", "--host-resolver-rules=MAP * ~NOTFOUND",
)  # fmt: skip
