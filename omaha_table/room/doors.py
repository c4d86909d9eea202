"""Whether the server would let one of the room's roles in without TLS, certificate or password.

Seen from inside, as far as SQL shows it: the rules of `pg_hba.conf` as the server has read the
file. The first rule that fits a connection decides it.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import psycopg

from omaha_table.room.database import group, room_error

if TYPE_CHECKING:
    from omaha_table.room.database import Connection

_GROUPS: Final = ("tables", "readers", "witnesses")
_REFUSED: Final = frozenset(("reject",))
_SOUND: Final = frozenset(("scram-sha-256", "cert"))
_PEER: Final = frozenset(("peer", "ident"))
"""Of somebody on the same machine, whom the system knows by name: the room's roles are nobody."""


@dataclass(frozen=True, slots=True)
class Rule:
    line: int
    kind: str
    databases: tuple[str, ...]
    users: tuple[str, ...]
    address: str
    mask: str
    method: str
    options: tuple[str, ...]

    @property
    def everywhere(self) -> bool:
        return self.address == "all" or (self.mask in ("0.0.0.0", "::") and bool(self.address))

    @property
    def own_machine(self) -> bool:
        """Whether it is for connections within the server's machine alone."""
        if self.kind == "local":
            return True
        try:
            one = ipaddress.ip_address(self.address)
            return one.is_loopback and self.mask in ("255.255.255.255", "255.0.0.0",
                                                     f"{'ffff:' * 7}ffff")  # fmt: skip
        except ValueError:
            return self.address == "localhost"


def open_doors(room: Connection) -> list[str]:
    """What is wrong with the rules, a line each; raises RoomError.

    RoomRefused: this role may not see them.
    """
    try:
        rows = room.execute(_RULES).fetchall()
        [(tls,)] = room.execute("SELECT current_setting('ssl') = 'on'").fetchall()
        here = room.info.dbname
        groups = [group(room, name) for name in _GROUPS]
        members = {name: _members(room, name) for name in groups}
    except psycopg.Error as error:
        raise room_error(error) from None
    rules = [
        Rule(line, kind, tuple(databases or ()), tuple(users or ()), address or "", mask or "",
             method or "", tuple(options or ()))
        for line, kind, databases, users, address, mask, method, options in rows
    ]  # fmt: skip
    found = findings(rules, here, members)
    network = any(rule.kind != "local" and not rule.own_machine for rule in rules)
    if not tls and network:
        found.insert(0, "The server has no TLS (ssl = off): whoever sees the network sees it all.")
    return found


def findings(rules: list[Rule], database: str, members: dict[str, frozenset[str]]) -> list[str]:
    """What lets somebody of these groups in too easily; a rule is named once."""
    said: dict[int, str] = {}
    for name, roles in members.items():
        for encrypted in (False, True):
            for rule in _deciding(rules, database, name, roles, encrypted=encrypted):
                what = _weakness(rule, encrypted=encrypted)
                if what:
                    said.setdefault(rule.line, f"pg_hba.conf line {rule.line}: {what}")
    return [said[line] for line in sorted(said)]


def _deciding(
    rules: list[Rule], database: str, name: str, roles: frozenset[str], *, encrypted: bool
) -> list[Rule]:
    """The rules that can decide for somebody of this group; none after one that takes all."""
    found = []
    closed: set[bool] = set()
    for rule in rules:
        if not _fits(rule, database, name, roles, encrypted=encrypted):
            continue
        local = rule.kind == "local"
        if local in closed:
            continue
        found.append(rule)
        whole = "all" in rule.users or f"+{name}" in rule.users
        if whole and (local or rule.everywhere):
            closed.add(local)
    return found


def _fits(rule: Rule, database: str, name: str, roles: frozenset[str], *, encrypted: bool) -> bool:
    kinds = ("host", "hostssl") if encrypted else ("local", "host", "hostnossl", "hostnogssenc")
    patterns = [word for word in (*rule.databases, *rule.users) if word.startswith("/")]
    of_database = bool({"all", database} & {*rule.databases}) or bool(patterns)
    of_users = bool({"all", f"+{name}", *roles} & {*rule.users}) or bool(patterns)
    return rule.kind in kinds and of_database and of_users


def _weakness(rule: Rule, *, encrypted: bool) -> str:
    if rule.method in _REFUSED or (rule.kind == "local" and rule.method in _PEER):
        return ""
    if rule.method == "trust":
        return "lets the room's roles in without a password."
    if rule.method not in _SOUND:
        return f"lets the room's roles in with '{rule.method}'; use scram-sha-256."
    if rule.own_machine:
        return ""
    if not encrypted:
        return "lets the room's roles in without TLS; use hostssl."
    if rule.method != "cert" and "clientcert=verify-full" not in rule.options:
        return "asks the room's roles for no certificate; add clientcert=verify-full."
    return ""


def _members(room: Connection, name: str) -> frozenset[str]:
    rows = room.execute(
        "SELECT m.rolname FROM pg_auth_members a JOIN pg_roles g ON g.oid = a.roleid "
        "JOIN pg_roles m ON m.oid = a.member WHERE g.rolname = %s",
        (name,),
    ).fetchall()
    return frozenset(role for (role,) in rows)


_RULES: Final = b"""
SELECT line_number, type, database, user_name, address, netmask, auth_method, options
FROM pg_hba_file_rules WHERE error IS NULL ORDER BY line_number
"""
