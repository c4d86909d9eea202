"""One table running: the session, its devices, its configuration and its script language."""

from omaha_table.session.session import Session

__all__ = ["Session"]
