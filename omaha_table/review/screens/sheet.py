"""The incident sheet of a hand as a file: where downloads go, or in a browser, a download."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_downloads_path

from omaha_table.journal.faults import Away, JournalFault
from omaha_table.review.reports.hand_sheet import sheet_of_hand
from omaha_table.review.reports.render import as_html

if TYPE_CHECKING:
    import sqlite3

    from omaha_table.review.screens.app import Review


async def save_sheet(review: Review, hand: sqlite3.Row) -> None:
    """The whole journal is read for it, so it takes a moment. Whether it could be written is said
    once it is."""
    desk = review.desk
    key, number, notes = hand["file"], hand["number"], desk.notes_of(hand)
    try:
        made = await review.work(
            lambda: as_html(sheet_of_hand(desk.store, key, number, notes)), "Making the sheet."
        )
    except (JournalFault, Away) as fault:
        review.refuse(fault.message)
        return
    review.deliver_text(
        io.StringIO(made),
        save_directory=_folder(),
        save_filename=f"hand-{number}-{hand['table']}-{hand['day']}.html",
        mime_type="text/html",
    )


def _folder() -> Path:
    """Where downloads go, if there is such a folder."""
    downloads = user_downloads_path()
    return downloads if downloads.is_dir() else Path.home()
