"""nginx on loopback for the length of a `with`: one directory, free ports, a log that says what was asked for.

Theory of operation.  One process, no daemon, all its files in a temporary directory; started by root, it runs as
`nobody`.  It is stopped when the block ends, and by the kernel when the process that started it dies without a
word (setpriv, where there is one).  Its ports are kept for it by sockets that are bound and do not listen: so
nobody else gets one of them between the moment it is chosen and the moment nginx takes it.

A request is in the access log when nginx is done with it.  One process does one thing after another, so whoever
wants the log complete asks twice for a *mark*, a path that does not exist, on one connection: when the second
answer is there, the log holds all that was answered before, and the first mark as its last line but one at most.
"""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: What a host must be called to reach it; a certificate has to be for this.
HOST: Final = "127.0.0.1"

#: Seconds for nginx to start, to answer, or to end.
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
    client_body_temp_path {place}/body;
    proxy_temp_path {place}/proxy;
    fastcgi_temp_path {place}/fastcgi;
    uwsgi_temp_path {place}/uwsgi;
    scgi_temp_path {place}/scgi;
    log_format asked '$msec $scheme $status $request';
    access_log {place}/access.log asked;
    server {{
        listen {host}:{port};
        {tls}
        charset utf-8;
        root "{root}";
        index index.html;
        {rules}
    }}
}}
"""

_TLS: Final = """listen {host}:{port} ssl;
        ssl_certificate {pem};
        ssl_certificate_key {pem};"""


class NginxError(Exception):
    """nginx is missing, or did not start; the text is one line."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A line of the log: when the answer was out (seconds since the epoch), and what was asked and answered."""

    at: float
    scheme: str
    method: str
    status: int
    #: Path and query, as they were sent; "" if the request was none.
    path: str


class Nginx:
    """A running nginx; `url` and, if it was given a certificate, `tls_url` end in a slash."""

    def __init__(self, port: int, tls_port: int | None, log: Path) -> None:
        self.url = f"http://{HOST}:{port}/"
        self.tls_url = None if tls_port is None else f"https://{HOST}:{tls_port}/"
        self._port = port
        self._log = log
        self._read = 0

    def get(self, *paths: str) -> list[int]:
        """The statuses of GETs of `paths`, one after another on one connection.

        Raises:
            OSError, http.client.HTTPException: there is no answer.
        """
        connection = http.client.HTTPConnection(HOST, self._port, timeout=_PATIENCE_S)
        statuses = []
        try:
            for path in paths:
                connection.request("GET", path)
                response = connection.getresponse()
                response.read()
                statuses.append(response.status)
        finally:
            connection.close()
        return statuses

    def asked(self) -> list[Asked]:
        """What was asked for since the last call, in the order in which nginx was done with it.

        Raises:
            NginxError: the log does not hold the mark.
        """
        mark = f"/mark-{self._read}"
        self.get(mark, mark)
        new = [_asked(line) for line in self._log.read_text("utf-8", "replace").splitlines()[self._read :]]
        paths = [asked.path for asked in new]
        if mark not in paths:
            raise NginxError("nginx answers, but its access log does not grow")
        self._read += len(new)
        # The second mark of the last call may have come late, so it may be the first line now.
        return [asked for asked in new if not asked.path.startswith("/mark-")]


def _asked(line: str) -> Asked:
    at, scheme, status, request = line.split(" ", 3)
    method, _, rest = request.partition(" ")
    return Asked(float(at), scheme, method, int(status), path=rest.rpartition(" ")[0])


def find() -> str | None:
    """The command nginx, if it is installed; it is often not on the path of those who may not start services."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


@contextmanager
def serve(root: Path, pem: bytes | None = None, rules: Sequence[str] = ()) -> Iterator[Nginx]:
    """nginx with the files of `root`, until the end of the block, however that comes.

    `pem`: a private key and the chain of its certificate, for HTTPS beside HTTP; `rules`: further directives of
    the server, such as `return` in a `location`.

    Raises:
        NginxError: it is not installed, does not start, or cannot read the files.
    """
    command = find()
    if command is None:
        raise NginxError("nginx is not installed (Debian: apt-get install nginx-light)")
    with tempfile.TemporaryDirectory() as name, _kept_port() as port, _kept_port() as tls_port:
        place = Path(name)
        if pem is not None:
            (place / "pem").write_bytes(pem)
        tls = "" if pem is None else _TLS.format(host=HOST, port=tls_port, pem=place / "pem")
        words = {"place": place, "host": HOST, "port": port, "tls": tls, "root": root}
        config = place / "nginx.conf"
        config.write_text(_CONFIG.format(rules="\n        ".join(rules), **words), encoding="utf-8")
        with _running([command, "-p", name, "-c", str(config), "-e", f"{name}/error.log"], place) as process:
            nginx = Nginx(port, None if pem is None else tls_port, place / "access.log")
            _await_answer(nginx, process, place / "error.log")
            yield nginx


@contextmanager
def _kept_port() -> Iterator[int]:
    """A port that is free, and that only one who sets SO_REUSEADDR may take, as nginx does."""
    with socket.socket() as keeper:
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        keeper.bind((HOST, 0))
        port: int = keeper.getsockname()[1]
        yield port


@contextmanager
def _running(command: Sequence[str], place: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The process, with `place` its own."""
    user = "nobody" if os.geteuid() == 0 else None
    if user is not None:
        for path in (place, *place.iterdir()):
            shutil.chown(path, user)
    mortal = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
    process = subprocess.Popen(
        [*mortal, *command],
        user=user,
        extra_groups=[] if user else None,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # what it has to say is in error.log
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await_answer(nginx: Nginx, process: subprocess.Popen[bytes], errors: Path) -> None:
    until = time.monotonic() + _PATIENCE_S
    while process.poll() is None and time.monotonic() < until:
        try:
            [status] = nginx.get("/index.html")
        except OSError:
            time.sleep(0.01)  # it offers nothing to wait for
            continue
        if status != 200:
            raise NginxError(f"nginx answers {status} for /index.html: is it there, and readable for all?")
        nginx.asked()
        return
    said = errors.read_text(encoding="utf-8", errors="replace").splitlines() if errors.exists() else []
    raise NginxError(f"nginx did not start: {said[-1] if said else 'it said nothing'}")
