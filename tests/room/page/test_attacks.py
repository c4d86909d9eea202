"""Who may see what, and what a form of somebody else's can do: nothing."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING

import httpx
import pytest

from omaha_table.office.events import PinRefused
from omaha_table.room.page.sessions import Sessions, Tries
from omaha_table.room.page.settings import CannotServeError, Settings, check_settings
from omaha_table.room.page.signing_in import own_path
from tests.counters import PINS, signature
from tests.office.people import recorded
from tests.room.page.rooms import Visitor, fields, served

if TYPE_CHECKING:
    from pathlib import Path

    from tests.room.page.conftest import Floor

PAGES = ("/", "/wall", "/events")


def test_nobody_sees_anything_without_a_pin(floor: Floor) -> None:
    stranger = floor.visitor()
    for path in PAGES:
        answer = stranger.client.get(path, follow_redirects=False)
        assert answer.status_code in (303, 401), path
        assert "tile" not in answer.text
    assert "Staff number" in stranger.get("/").text
    assert stranger.client.post("/sign-out", data={"csrf": ""}).status_code == 401


def test_a_pin_and_its_number_open_the_page_for_their_roles(floor: Floor) -> None:
    for number in ("F2", "S2", "A1"):
        assert f"{number} " in floor.visitor(number).get("/").text
    dealer = floor.visitor()
    refused = dealer.sign_in("D1")
    assert refused.status_code == 403
    assert "may not open the floor" in refused.text
    assert dealer.client.get("/", follow_redirects=False).status_code == 303


def test_wrong_pins_lock_at_the_page_as_at_a_table(room_page: Visitor, office: Path) -> None:
    for tries in (4, 3, 2, 1):
        said = room_page.sign_in("F1", "111111").text
        assert f"Wrong PIN: {tries} tr" in said
    assert "F1 is locked for 5 minutes" in room_page.sign_in("F1", "111111").text
    right = room_page.sign_in("F1")
    assert right.status_code == 403
    assert "locked" in right.text
    assert room_page.sign_in("S1").status_code == 200
    assert [e.person for e in recorded(office) if isinstance(e, PinRefused)] == ["F1"] * 6


def test_a_device_that_only_fails_is_stopped_before_it_locks_everybody_out(
    room_page: Visitor, office: Path
) -> None:
    for _ in range(10):
        assert room_page.sign_in("X9", "123123").status_code == 403
    assert "Too many tries from this device" in room_page.sign_in("F1").text
    assert recorded(office) == []


@pytest.fixture
def office(tmp_path: Path) -> Path:
    return tmp_path / "office"


@pytest.fixture
def room_page(floor: Floor, office: Path) -> object:
    with served(floor.url, office) as page:
        visitor = Visitor(page.address)
        yield visitor
        visitor.client.close()


# Forms


def test_a_form_without_the_session_s_own_token_is_refused(floor: Floor) -> None:
    visitor = floor.visitor("F1")
    for csrf in ("", "x", floor.known("S1").csrf):
        answer = visitor.client.post("/sign-out", data={"csrf": csrf})
        assert answer.status_code == 403
        assert "Nothing was recorded" in answer.text
    assert visitor.get("/").url.path == "/"
    assert visitor.send("/sign-out").url.path == "/sign-in"
    assert visitor.get("/").url.path == "/sign-in"


@pytest.mark.parametrize(
    "header",
    [{"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"},
     {"sec-fetch-site": "same-site"}],
)  # fmt: skip
def test_a_form_that_another_page_sends_is_refused(floor: Floor, header: dict[str, str]) -> None:
    visitor = floor.known()
    form = {"csrf": visitor.csrf}
    assert visitor.client.post("/here", data=form, headers=header).status_code == 403
    assert visitor.client.post("/here", data=form).status_code == 204


def test_no_page_can_sign_a_browser_in_under_a_name_of_its_choice(floor: Floor) -> None:
    attacker, victim = floor.visitor(), floor.visitor()
    form = fields(attacker.get("/sign-in").text)
    victim.get("/sign-in")
    answer = victim.client.post("/sign-in", data=form | {"number": "F1", "pin": PINS["F1"]})
    assert answer.status_code == 403
    assert victim.get("/").url.path == "/sign-in"


def test_a_session_name_from_before_the_sign_in_is_worth_nothing(floor: Floor) -> None:
    visitor = floor.visitor()
    visitor.client.cookies.set("omaha", "planted" * 6, domain="127.0.0.1")
    visitor.sign_in("F1")
    assert visitor.client.get("/").url.path == "/"
    planted = floor.visitor()
    planted.client.cookies.set("omaha", "planted" * 6, domain="127.0.0.1")
    assert planted.get("/").url.path == "/sign-in"
    first = visitor.client.cookies["omaha"]
    visitor.client.cookies.delete("omaha-before")
    visitor.sign_in("S1")
    assert visitor.client.cookies["omaha"] != first
    planted.client.cookies.set("omaha", first, domain="127.0.0.1")
    assert planted.get("/").url.path == "/sign-in"


def test_cookies_are_out_of_reach_of_scripts_and_of_other_pages(floor: Floor) -> None:
    visitor = floor.visitor()
    form = fields(visitor.get("/sign-in").text)
    given = {"number": "F1", "pin": PINS["F1"]}
    answer = visitor.client.post("/sign-in", data=form | given, follow_redirects=False)
    [cookie] = [one for one in answer.headers.get_list("set-cookie") if one.startswith("omaha=")]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert "Max-Age" not in cookie


@pytest.mark.parametrize(
    ("given", "path"),
    [("/table/t7", "/table/t7"), ("//evil.example", "/"), ("https://evil.example", "/"),
     ("/\\evil.example", "/"), ("javascript:alert(1)", "/"), ("/a\r\nSet-Cookie: x=1", "/")],
)  # fmt: skip
def test_after_signing_in_one_stays_on_this_page(given: str, path: str) -> None:
    assert own_path(given) == path


# Sizes, names and headers


def test_what_is_too_much_is_cut_off(floor: Floor) -> None:
    visitor = floor.known()
    csrf = visitor.csrf
    big = visitor.client.post("/here", data={"csrf": csrf, "x": "y" * 20_000})
    assert big.status_code == 413
    many = visitor.client.post("/here", data={"csrf": csrf} | {str(n): "" for n in range(300)})
    assert many.status_code == 400
    kind = visitor.client.post("/here", json={"csrf": csrf})
    assert kind.status_code == 415
    file = visitor.client.post("/here", data={"csrf": csrf}, files={"x": b"y"})
    assert file.status_code == 415
    assert visitor.client.put("/here").status_code == 405
    broken = visitor.client.post(
        "/here",
        content=b"csrf=%ff\xff",
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    assert broken.status_code == 400


def test_a_body_that_never_ends_is_not_read_to_its_end(floor: Floor) -> None:
    with socket.create_connection(("127.0.0.1", floor.page.settings.port), 30) as line:
        line.sendall(
            b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        )
        part = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"
        line.sendall(part + part)
        assert b" 413 " in line.recv(200)


@pytest.mark.parametrize("host", ["evil.example", "10.0.0.5:8710", "127.0.0.1@evil.example", ""])
def test_a_name_from_elsewhere_that_leads_here_is_refused(floor: Floor, host: str) -> None:
    answer = floor.known().client.get("/", headers={"host": host})
    assert answer.status_code in (400, 421)
    assert "tile" not in answer.text


def test_every_answer_forbids_what_the_page_does_not_need(floor: Floor) -> None:
    visitor = floor.known()
    for path in ("/", "/sign-in", "/none", "/static/floor.js", "/static/none"):
        headers = visitor.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers
    assert visitor.get("/").headers["cache-control"] == "no-store"


def test_the_page_asks_for_nothing_from_elsewhere(floor: Floor) -> None:
    text = floor.known().get("/").text + floor.visitor().get("/sign-in").text
    for name in ("floor.js", "floor.css", "report.css"):
        text += floor.known().get(f"/static/{name}").text
    for asked in ("http:", "https:", "url(", "@import", "<style", "style=", "onclick", "eval("):
        assert asked not in text, asked


# Sessions


def test_a_session_ends_when_nobody_does_anything() -> None:
    now = 0.0
    sessions = Sessions(600, lambda: now)
    name = sessions.begin(signature("F1"))
    now = 599
    assert sessions.find(name, is_use=False) is not None
    now = 601
    assert sessions.find(name, is_use=True) is None
    name = sessions.begin(signature("F1"))
    for _ in range(200):
        now += 300
        if sessions.find(name, is_use=True) is None:
            break
    assert 12 * 3600 <= now - 601 <= 12 * 3600 + 600
    wall = sessions.begin(signature("F1"), is_wall=True)
    now += 23 * 3600
    assert sessions.find(wall, is_use=False) is not None
    now += 2 * 3600
    assert sessions.find(wall, is_use=False) is None


def test_failed_tries_are_forgotten_after_five_minutes() -> None:
    now = 0.0
    tries = Tries(lambda: now)
    for _ in range(10):
        tries.failed("10.0.0.9")
    assert (tries.left("10.0.0.9"), tries.left("10.0.0.8")) == (0, 10)
    now = 301
    assert tries.left("10.0.0.9") == 10


def test_an_expired_session_asks_for_the_pin_and_goes_on_where_it_was(floor: Floor) -> None:
    with served(floor.url, floor.office, idle_seconds=0.3) as page:
        visitor = Visitor(page.address)
        assert visitor.sign_in("F1").url.path == "/"
        csrf = visitor.csrf
        time.sleep(0.4)
        late = visitor.client.post("/here", data={"csrf": csrf})
        assert late.status_code == 401
        assert "You are signed out. Nothing was recorded." in late.text
        form = visitor.get("/wall")
        assert fields(form.text)["next"] == "/wall"
        visitor.client.close()


def test_who_leaves_the_staff_is_signed_out_with_the_next_request(
    floor: Floor, tmp_path: Path
) -> None:
    from tests.office.people import make_staff

    office = make_staff(tmp_path / "office")
    with served(floor.url, office) as page:
        visitor = Visitor(page.address)
        assert visitor.sign_in("F2", "1234").url.path == "/"
        make_staff(office, disabled="F2")
        assert visitor.get("/").url.path == "/sign-in"
        refused = visitor.sign_in("F2", "1234")
        assert "This PIN is disabled" in refused.text
        visitor.client.close()


def test_a_wall_screen_shows_tables_and_no_more(floor: Floor) -> None:
    wall = floor.visitor()
    assert wall.sign_in("F1", wall="yes").url.path == "/wall"
    for path in ("/boxes", "/sections", "/day", "/search", "/table/t1"):
        assert wall.get(path).status_code == 403, path


# TLS


@pytest.mark.parametrize("host", ["0.0.0.0", "10.1.2.3", "::", "room.example"])
def test_others_are_served_over_tls_or_not_at_all(tmp_path: Path, host: str) -> None:
    with pytest.raises(CannotServeError, match="PINs would travel in the clear"):
        check_settings(Settings("", tmp_path, host=host))


def test_over_tls_cookies_stay_there(floor: Floor, certificate: tuple[Path, Path]) -> None:
    cert, key = certificate
    with served(floor.url, floor.office, certificate=cert, private_key=key) as page:
        assert page.address.startswith("https://")
        with httpx.Client(base_url=page.address, verify=False) as client:
            form = fields(client.get("/sign-in").text)
            given = form | {"number": "F1", "pin": PINS["F1"]}
            answer = client.post("/sign-in", data=given)
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-omaha=")
        assert "Secure" in cookie
        assert "max-age" in answer.headers["strict-transport-security"]


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Of this machine, signed by itself."""
    import datetime
    import ipaddress

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "room")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name)
        .public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False
        ).sign(key, hashes.SHA256())
    )  # fmt: skip
    (folder / "room.crt").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "room.key").write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ))  # fmt: skip
    return folder / "room.crt", folder / "room.key"
