"""What `room enroll` hands over: where the room is, who this is, and the secret. One file, 0600.

With TLS it also holds the certificate, its key and the authority's certificate. PostgreSQL's client
library reads these from files and skips what else a file says, so the bundle itself is that file:
nothing has to be unpacked, and nothing is left behind when it is deleted.
"""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from psycopg.conninfo import make_conninfo

from omaha_table.files import open_private
from omaha_table.toml_files import TomlError, read_toml

MOST_BYTES: Final = 1 << 16


class BundleError(ValueError):
    """A file that is no bundle, or must not be used as it is."""


@dataclass(frozen=True, slots=True)
class Bundle:
    name: str
    """The table's id, or what the room calls this office or reader."""
    kind: str
    host: str
    port: str
    database: str
    user: str
    password: str = dataclasses.field(repr=False)
    sslmode: str = ""
    sslrootcert: str = ""
    sslcert: str = ""
    sslkey: str = ""
    channel_binding: str = ""
    certificates: str = dataclasses.field(default="", repr=False)
    """As PEM: the key, its certificate and the authority's. `url` then names the bundle itself."""
    witness_key: str = ""
    """The public key of the room's witness, in hex; empty: there was none at enrollment."""
    lists_key: str = ""
    """The public key of the office whose staff lists this table takes; empty: it takes none."""
    pepper: str = dataclasses.field(default="", repr=False)
    """The pepper of those lists, in hex: it never goes through the room."""
    pepper_id: str = ""

    @property
    def url(self) -> str:
        given = {
            "host": self.host, "port": self.port, "dbname": self.database, "user": self.user,
            "password": self.password, "sslmode": self.sslmode, "sslrootcert": self.sslrootcert,
            "sslcert": self.sslcert, "sslkey": self.sslkey,
            "channel_binding": self.channel_binding,
        }  # fmt: skip
        return make_conninfo(**{name: value for name, value in given.items() if value})


_PATHS: Final = ("sslrootcert", "sslcert", "sslkey")


def write_bundle(path: Path, bundle: Bundle) -> None:
    """Writes a new file that only its owner can read; raises BundleError or OSError."""
    lines = ["# Lets this machine into the room. Keep it secret; a new one replaces it.", "[room]"]
    for field in dataclasses.fields(bundle):
        value = getattr(bundle, field.name)
        if value and field.name == "certificates":
            # Lines as they are: escaped, the client library would not find them.
            lines.append(f"{field.name} = '''\n{value}'''")
        elif value:
            lines.append(f"{field.name} = {json.dumps(value)}")
    descriptor = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def read_bundle(path: Path) -> Bundle:
    """The bundle in a file; raises BundleError. Relative paths in it are beside the file."""
    try:
        if path.stat().st_mode & 0o077:
            raise BundleError(f"{path} can be read by others: set its rights to 0600.")
        given = read_toml(path, MOST_BYTES)["room"]
        bundle = Bundle(**{name: str(value) for name, value in given.items()})
    except OSError as error:
        raise BundleError(f"{path} cannot be read: {error.strerror}.") from None
    except (TomlError, KeyError, TypeError, AttributeError):
        raise BundleError(f"{path} is not a bundle that room enroll wrote.") from None
    beside = {
        name: str(path.parent / getattr(bundle, name))
        for name in _PATHS
        if getattr(bundle, name) and not Path(getattr(bundle, name)).is_absolute()
    }
    if bundle.certificates:
        beside = dict.fromkeys(_PATHS, str(path.absolute()))
    return dataclasses.replace(bundle, **beside)
