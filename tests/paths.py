"""Where the project is, for tests that start programs of it."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONPATH = os.pathsep.join(map(str, (ROOT, ROOT / "drivers")))
"""A checkout runs with both folders on the path."""
