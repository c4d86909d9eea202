"""`omaha-table room serve`: the floor's page."""

from __future__ import annotations

from pathlib import Path

import click

from omaha_table.cli.lines import Problem, say
from omaha_table.cli.pins import said
from omaha_table.cli.room_database import connected, database_option


@click.command()
@database_option
@click.option(
    "--data",
    "folder",
    required=True,
    metavar="DIR",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="The office's data folder: its staff list signs in, its journal takes counts.",
)
@click.option("--port", default=8710, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Where to listen; any other than this machine's own needs TLS.",
)
@click.option(
    "--tls-cert", "certificate", metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path), help="The certificate, with its chain.",
)  # fmt: skip
@click.option(
    "--tls-key", "key", metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path), help="Its private key.",
)  # fmt: skip
@click.option("--name", default="", metavar="NAME", help="The cardroom, for count sheets.")
@click.option(
    "--idle", default=30, show_default=True, metavar="MINUTES", type=click.IntRange(1, 720),
    help="Who touches nothing for so long is signed out.",
)  # fmt: skip
def serve(
    url: str,
    folder: Path,
    port: int,
    host: str,
    certificate: Path | None,
    key: Path | None,
    name: str,
    idle: int,
) -> None:
    """Serves the floor's page: all tables, live, and the counts at the end of a shift.

    Floor supervisors, shift managers and auditors sign in with staff number and PIN. It listens on
    this machine alone; for tablets and wall screens give it an address and a certificate.

    \b
    Example:
      omaha-table room serve --db postgresql://reader@db/room --data /srv/office \\
        --host 10.0.0.5 --tls-cert room.crt --tls-key room.key
    """
    from omaha_table.files import FileError
    from omaha_table.room.database import check_version
    from omaha_table.room.page.serving import PageServer
    from omaha_table.room.page.settings import CannotServeError, Settings

    settings = Settings(url, folder, name, host, port, certificate, key, idle * 60.0)
    with connected(url) as open_room:
        check_version(open_room)
    try:
        with said():
            server = PageServer(settings)
    except (CannotServeError, FileError) as error:
        raise Problem(str(error)) from None
    say(f"The floor's page is at {server.address} (Ctrl-C ends it).")
    server.run()
