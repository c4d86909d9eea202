"""Finds the files shipped with the program: rule profiles and the demo table."""

from __future__ import annotations

from pathlib import Path


def config_dir() -> Path:
    """The `config` folder: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parent
    installed = here / "config"
    return installed if installed.is_dir() else here.parent / "config"
