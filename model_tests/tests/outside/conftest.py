"""The fake server of these tests, for the session."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme


@dataclass(frozen=True)
class FakeServer:
    """Where the server listens: its ports without and with TLS, the path of its Unix socket, its authority."""

    port: int
    secret: int
    path: str
    authority: str

    @property
    def outside(self) -> str:
        return f"127.0.0.1:{self.port}"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeServer]:
    folder = tmp_path_factory.mktemp("server")
    path, certificate, authority = (str(folder / name) for name in ("s", "certificate.pem", "authority.pem"))
    made = trustme.CA()
    made.cert_pem.write_to_path(authority)
    made.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(certificate)
    script = str(Path(__file__).with_name("fake_server.py"))
    with subprocess.Popen([sys.executable, script, "0", path, certificate], stdout=subprocess.PIPE, text=True) as ran:
        assert ran.stdout is not None
        port, secret = map(int, ran.stdout.readline().split())
        yield FakeServer(port, secret, path, authority)
        ran.kill()
