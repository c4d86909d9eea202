"""The room's own small certificate authority: who the server is, and who may speak to it.

P-256, because SCRAM binds a password to the server's certificate only if the signature in it names
a hash, which Ed25519 does not. A certificate alone opens nothing: the password that goes with it is
replaced at every enrollment, so certificates are neither renewed nor revoked.
"""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from omaha_table.files import FileError, make_folder, open_private, read_bounded

if TYPE_CHECKING:
    from pathlib import Path

CA_CERTIFICATE: Final = "ca.crt"
CA_KEY: Final = "ca.key"
SERVER_CERTIFICATE: Final = "server.crt"
SERVER_KEY: Final = "server.key"
_MOST_BYTES: Final = 1 << 16
_YEARS: Final = 10
_EARLIER: Final = timedelta(days=2)
"""A certificate is good from this long ago: the clock of a table may be a day behind."""


class CertificateError(ValueError):
    """What is wrong with the files of the authority, and what to do."""


@dataclass(frozen=True, slots=True)
class Authority:
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    def client(self, role: str) -> str:
        """A certificate for one role with its key, and this authority's certificate, as PEM."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = self._issue(role, key, ExtendedKeyUsageOID.CLIENT_AUTH, [])
        return _key_pem(key) + _pem(made) + _pem(self.certificate)

    def server(self, hosts: list[str]) -> tuple[str, str]:
        """Certificate and key of the server that tables reach under these names or addresses."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = self._issue(hosts[0], key, ExtendedKeyUsageOID.SERVER_AUTH, hosts)
        return _pem(made), _key_pem(key)

    def _issue(
        self,
        name: str,
        key: ec.EllipticCurvePrivateKey,
        usage: x509.ObjectIdentifier,
        hosts: list[str],
    ) -> x509.Certificate:
        builder = _begun(name, key.public_key(), self.certificate.subject)
        # No certificate outlives the one that vouches for it.
        builder = builder.not_valid_after(self.certificate.not_valid_after_utc)
        builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), False)
        # All authorities have one name: this tells whose signature it is.
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        builder = builder.add_extension(issuer, False)
        if hosts:
            names = x509.SubjectAlternativeName([_host(host) for host in hosts])
            builder = builder.add_extension(names, False)
        return builder.sign(self.key, hashes.SHA256())


def make_authority(folder: Path, hosts: list[str]) -> Authority:
    """The authority in a folder, made if there is none, with a certificate for the server.

    A server's certificate that is there stays: delete it to have another. Raises CertificateError
    or OSError.
    """
    make_folder(folder)
    if not (folder / CA_KEY).exists() and not (folder / CA_CERTIFICATE).exists():
        made = _new_authority()
        _write(folder / CA_KEY, _key_pem(made.key))
        _write(folder / CA_CERTIFICATE, _pem(made.certificate))
    authority = read_authority(folder)
    if hosts and not (folder / SERVER_CERTIFICATE).exists():
        (folder / SERVER_KEY).unlink(missing_ok=True)
        certificate, key = authority.server(hosts)
        _write(folder / SERVER_KEY, key)
        _write(folder / SERVER_CERTIFICATE, certificate)
    return authority


def read_authority(folder: Path) -> Authority:
    """Raises CertificateError."""
    try:
        path = folder / CA_KEY
        if path.stat().st_mode & 0o077:
            raise CertificateError(f"{path} can be read by others: set its rights to 0600.")
        key = load_pem_private_key(read_bounded(path, _MOST_BYTES), None)
        given = read_bounded(folder / CA_CERTIFICATE, _MOST_BYTES)
        certificate = x509.load_pem_x509_certificate(given)
    except OSError as error:
        raise CertificateError(
            f"{folder} is not the folder of a certificate authority ({error.strerror}): make one "
            "with room init --ca DIR --host NAME."
        ) from None
    except CertificateError:
        raise
    except (ValueError, TypeError, FileError):
        raise CertificateError(f"The certificate or key in {folder} cannot be read.") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise CertificateError(f"The key in {folder} is not one of P-256.")
    if certificate.public_key() != key.public_key():
        raise CertificateError(f"The certificate and the key in {folder} do not belong together.")
    if certificate.not_valid_after_utc < datetime.now(UTC):
        raise CertificateError(f"The certificate in {folder} has expired: make a new authority.")
    return Authority(certificate, key)


def _new_authority() -> Authority:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "omaha-table room")])
    builder = _begun("omaha-table room", key.public_key(), name)
    builder = builder.not_valid_after(datetime.now(UTC) + timedelta(days=365 * _YEARS))
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
    usage = x509.KeyUsage(
        digital_signature=False, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=True, crl_sign=True,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    builder = builder.add_extension(usage, True)
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    builder = builder.add_extension(identifier, False)
    return Authority(builder.sign(key, hashes.SHA256()), key)


def _begun(name: str, key: ec.EllipticCurvePublicKey, issuer: x509.Name) -> x509.CertificateBuilder:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime.now(UTC) - _EARLIER)
    )


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        pass
    try:
        return x509.DNSName(host)
    except ValueError:
        raise CertificateError(f"'{host}' is not the name of a machine.") from None


def _pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(Encoding.PEM).decode()


def _key_pem(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def _write(path: Path, text: str) -> None:
    with os.fdopen(open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "w") as file:
        file.write(text)
