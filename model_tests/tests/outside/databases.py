"""PostgreSQL and Redis on loopback, at free ports, in temporary folders; tests without them are skipped."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

#: Debian's folder of PostgreSQL, which is in no PATH.
_POSTGRES: Final = Path("/usr/lib/postgresql")
#: Seconds that a server may take to start.
_START_S: Final = 30


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port: int = sock.getsockname()[1]
        return port


def _program(name: str) -> str:
    """The path of a program of a server; skips the test if there is none."""
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, sorted(_POSTGRES.glob("*/bin"), reverse=True))])
    found = shutil.which(name, path=path)
    if found is None:
        pytest.skip(f"there is no {name}: .ci/run installs it")
    return found


@contextmanager
def _folder(**as_user: Any) -> Iterator[str]:
    """A temporary folder that a user owns."""
    folder = tempfile.mkdtemp()
    try:
        if as_user:
            shutil.chown(folder, as_user["user"])
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _serving(port: int, *command: str, **how: Any) -> Iterator[int]:
    """A server that is ready, until the block ends."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how) as ran:
        try:
            until = time.monotonic() + _START_S
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    assert ran.poll() is None, f"{command[0]} has ended"
                    assert time.monotonic() < until, f"{command[0]} does not start"
                    time.sleep(0.05)
            yield port
        finally:
            ran.terminate()


@contextmanager
def postgres() -> Iterator[int]:
    """The port of a new PostgreSQL, which does not run as root: then as a user without rights."""
    initdb, server = _program("initdb"), _program("postgres")
    as_user: dict[str, Any] = {"user": "daemon", "extra_groups": []} if os.geteuid() == 0 else {}
    with _folder(**as_user) as folder:
        data, port = os.path.join(folder, "data"), _free_port()
        made = subprocess.run(
            [initdb, "-D", data, "-A", "trust", "-U", "postgres"], cwd=folder, capture_output=True, **as_user
        )
        assert made.returncode == 0, made.stderr
        settings = (
            "listen_addresses=127.0.0.1",
            f"unix_socket_directories={folder}",
            "fsync=off",
            "deadlock_timeout=20ms",
        )
        options = [word for each in settings for word in ("-c", each)]
        with _serving(port, server, "-D", data, "-p", str(port), *options, cwd=folder, **as_user):
            yield port


@contextmanager
def redis() -> Iterator[int]:
    """The port of a new Redis."""
    server, port = _program("redis-server"), _free_port()
    with (
        _folder() as folder,
        _serving(port, server, "--port", str(port), "--bind", "127.0.0.1", "--save", "", cwd=folder),
    ):
        yield port
