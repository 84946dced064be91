"""nginx on loopback for the length of a `with`: one directory, a free port, a log that says what was asked for.

Theory of operation.  One process, no daemon, all its files in a temporary directory; started by root, it runs as
`nobody`.  A request is in the access log when nginx is done with it.  With one process, a request that is sent
after another has been answered is logged after it; so whoever wants the log complete asks for a *mark*, a path
that does not exist, and reads until the mark.
"""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: Seconds for nginx to answer, to log a mark, or to end.
_PATIENCE_S: Final = 10.0

_CONFIG: Final = """\
daemon off;
master_process off;
pid {place}/pid;
error_log {place}/error.log;
events {{ worker_connections 512; }}
http {{
    types {{ text/html html htm; text/css css; text/plain txt; }}
    default_type application/octet-stream;
    charset utf-8;
    client_body_temp_path {place}/body;
    proxy_temp_path {place}/proxy;
    fastcgi_temp_path {place}/fastcgi;
    uwsgi_temp_path {place}/uwsgi;
    scgi_temp_path {place}/scgi;
    log_format asked '$msec $status $request_uri';
    access_log {place}/access.log asked;
    server {{
        listen 127.0.0.1:{port};
        root "{root}";
        index index.html;
    }}
}}
"""


class NginxError(Exception):
    """nginx is missing, or did not start; the text is one line."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A line of the log: when the answer was out (seconds since the epoch), its status, the path."""

    at: float
    status: int
    path: str


class Nginx:
    """A running nginx."""

    def __init__(self, port: int, log: Path) -> None:
        self.port = port
        self._log = log
        self._marks = 0
        self._read = 0

    def get(self, path: str) -> int:
        """The status of a GET of `path`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE_S)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        finally:
            connection.close()

    def asked(self) -> list[Asked]:
        """What was asked for since the last call.

        Raises:
            NginxError: the log does not grow.
        """
        self._marks += 1
        mark = f"/mark-{self._marks}"
        self.get(mark)
        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until:
            lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
            if lines and lines[-1].endswith(f" {mark}"):
                new, self._read = lines[self._read : -1], len(lines)
                return [Asked(float(at), int(status), path) for at, status, path in map(_fields, new)]
            time.sleep(0.01)
        raise NginxError("nginx answers, but its access log does not grow")


def _fields(line: str) -> tuple[str, str, str]:
    at, status, path = line.split(" ", 2)
    return at, status, path


@contextmanager
def serve(root: Path) -> Iterator[Nginx]:
    """nginx with the files of `root`, until the end of the block, however that comes.

    Raises:
        NginxError: it is not installed, does not start, or cannot read the files.
    """
    command = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if command is None:
        raise NginxError("nginx is not installed (Debian: apt-get install nginx-light)")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        port = _free_port()
        config = place / "nginx.conf"
        config.write_text(_CONFIG.format(place=place, port=port, root=root), encoding="utf-8")
        user = "nobody" if os.geteuid() == 0 else None
        if user is not None:
            shutil.chown(place, user)
        process = subprocess.Popen(
            [command, "-p", name, "-c", str(config), "-e", f"{name}/error.log"],
            user=user,
            extra_groups=[] if user else None,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,  # what it has to say is in error.log
        )
        try:
            nginx = Nginx(port, place / "access.log")
            _await_answer(nginx, process, place / "error.log")
            yield nginx
        finally:
            _stop(process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _await_answer(nginx: Nginx, process: subprocess.Popen[bytes], errors: Path) -> None:
    until = time.monotonic() + _PATIENCE_S
    while process.poll() is None and time.monotonic() < until:
        try:
            status = nginx.get("/index.html")
        except OSError:
            time.sleep(0.01)
            continue
        if status != 200:
            raise NginxError(f"nginx answers {status} for /index.html: is it there, and readable for all?")
        nginx.asked()
        return
    said = errors.read_text(encoding="utf-8", errors="replace").splitlines() if errors.exists() else []
    raise NginxError(f"nginx did not start: {said[-1] if said else 'it said nothing'}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
