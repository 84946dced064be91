"""nginx on loopback for the duration of a `with`: one directory, free ports, and an access log.

It is one process, not a daemon, with all its files in a temporary directory; if root starts it, it runs as an
unprivileged user.  It is stopped when the block ends, and by the kernel if the process that started it is killed (with
setpriv, where installed).  Its ports are reserved by sockets that are bound and do not listen.  So no other process
can take one of them before nginx does.

A request is in the access log when nginx has finished it.  One process handles one request after another.  So to make
the log complete, a caller requests a *mark*, a path that does not exist, twice on one connection.  When the second
answer arrives, the log has all requests answered before, and the first mark as its last line or the one before.

Real sites to serve are the HTML documentation of Debian packages: hundreds of pages, of several versions the newest.
"""

import http.client
import os
import re
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

#: The host name to use in URLs; a certificate must be valid for it.
HOST: Final = "127.0.0.1"

#: The timeout in seconds for nginx to start, to answer, or to end.
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
class PendingRequest:
    """A line of the log: when the answer was sent (seconds since the epoch), the request, and the status."""

    at: float
    scheme: str
    method: str
    status: int
    #: Path and query, as they were sent; "" if the request was malformed.
    path: str


class Nginx:
    """A running nginx; `url` and, if it has a certificate, `tls_url` end in a slash."""

    def __init__(self, port: int, tls_port: int | None, log: Path) -> None:
        self.url = f"http://{HOST}:{port}/"
        self.tls_url = None if tls_port is None else f"https://{HOST}:{tls_port}/"
        self._port = port
        self._log = log
        self._read = 0

    def get(self, *paths: str) -> list[int]:
        """Return the statuses of GETs of `paths`, one after another on one connection.

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

    def asked(self) -> list[PendingRequest]:
        """Return the requests since the last call, in the order of their end in nginx.

        Raises:
            NginxError: the log does not have the mark.
        """
        mark = f"/mark-{self._read}"
        self.get(mark, mark)
        new = [_asked(line) for line in self._log.read_text("utf-8", "replace").splitlines()[self._read :]]
        paths = [asked.path for asked in new]
        if mark not in paths:
            raise NginxError("nginx answers, but its access log does not grow")
        self._read += len(new)
        # The second mark of the last call may have been logged late, so it may be the first line now.
        return [asked for asked in new if not asked.path.startswith("/mark-")]


def _asked(line: str) -> PendingRequest:
    at, scheme, status, request = line.split(" ", 3)
    method, _, rest = request.partition(" ")
    return PendingRequest(float(at), scheme, method, int(status), path=rest.rpartition(" ")[0])


def find() -> str | None:
    """Return the command nginx, if it is installed; it is often not on the PATH of ordinary users."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


@contextmanager
def serve(root: Path, pem: bytes | None = None, rules: Sequence[str] = ()) -> Iterator[Nginx]:
    """Serve the files of `root` with nginx until the end of the block.

    `pem`: a private key and its certificate chain, for HTTPS beside HTTP; `rules`: further directives of the server,
    such as `return` in a `location`.

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
    """Reserve a free port: only a process that sets SO_REUSEADDR, as nginx does, may take it."""
    with socket.socket() as keeper:
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        keeper.bind((HOST, 0))
        port: int = keeper.getsockname()[1]
        yield port


@contextmanager
def _running(command: Sequence[str], place: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run the process; `place` is its own directory."""
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
        stderr=subprocess.DEVNULL,  # its messages are in error.log
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
            time.sleep(0.01)  # nginx offers no event to wait for
            continue
        if status != 200:
            raise NginxError(f"nginx answers {status} for /index.html: is it there, and readable for all?")
        nginx.asked()
        return
    said = errors.read_text(encoding="utf-8", errors="replace").splitlines() if errors.exists() else []
    raise NginxError(f"nginx did not start: {said[-1] if said else 'it said nothing'}")


# --- documentation to serve -----------------------------------------------------------------------------------------

_DOCUMENTATION: Final = Path("/usr/share/doc")


@dataclass(frozen=True, slots=True)
class Package:
    """A package with HTML documentation; `place` is a glob, relative to Debian's folder of documentation."""

    #: The package's name for apt-get.
    name: str
    place: str

    def root(self) -> Path | None:
        """Return the directory of its pages, if it has an index.html, whatever dpkg lists (container images omit
        documentation).
        """
        pages = [index.parent.resolve() for index in _DOCUMENTATION.glob(f"{self.place}/index.html")]
        return max(pages, key=_version, default=None)


PYTHON: Final = Package("python3-doc", "python3.*/html")
POSTGRESQL: Final = Package("postgresql-doc", "postgresql-doc-*/html")


def _version(path: Path) -> tuple[list[int], str]:
    """Return a sort key that orders 3.9 before 3.11; the name breaks ties, so the directory's order does not matter."""
    return [int(digits) for digits in re.findall(r"\d+", str(path))], str(path)
