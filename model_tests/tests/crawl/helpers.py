"""Helpers of the crawl tests: a pool before scripted servers, a real site, a full disk, two crawlers behind nginx."""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

import pytest

from impl import CancelledError, Choices, Loop, Task, create_task, sleep
from impl.crawl.commands import crawl as command
from impl.crawl.pool import Pool
from impl.net import ByteStream, SimulatedNet, StreamListener
from impl.sim.order import Order
from impl.web.serving.site import Raw, Resource, Site

from ...assurance.bench.crawl import COMMANDS
from ...crawls import nginx
from ...crawls.nginx import Nginx, Package, PendingRequest
from ...crawls.server import Server
from ...dev.pythons import ROOT
from ..crawls.resources import Requested
from ..fixtures import Captured
from ..net.helpers import cancelled

T = TypeVar("T")

HTML = "text/html"


class Act(Enum):
    HEAR = "receive a request"
    CLOSE = "close"
    RESET = "reset"
    STAY = "wait for the client to go away"


Script = tuple[bytes | int | Act, ...]

HEAR, CLOSE, RESET, STAY = Act
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
ANSWER: Script = (HEAR, OK)
KEPT: Script = (*(ANSWER * 9), STAY)


class Web:
    """Servers that follow a script for each connection; of each request, its connection's number and its target."""

    def __init__(
        self,
        *scripts: Script,
        port: int = 80,
        order: Order = "fifo",
        **settings: Any,  # Any: Pool's own
    ) -> None:
        choices = Choices.seeded(1) if order == "any" else Choices.plain()
        self.loop = Loop(choices, order)
        self.net = SimulatedNet(self.loop, choices)
        self.heard: list[tuple[int, str]] = []
        self.pool = Pool(self.net, self.loop, **settings)
        self.serve("a.test", port, scripts)

    def serve(self, name: str, port: int, scripts: Sequence[Script]) -> None:
        self.net.add_host(name)
        listener = StreamListener(self.net.listen((name, port)), self.loop)
        self.loop.create_task(self._accept(listener, scripts))

    async def _accept(self, listener: StreamListener, scripts: Sequence[Script]) -> None:
        async with listener:
            for number, script in enumerate(scripts, 1):
                create_task(self._attend(number, script, await listener.accept()))

    async def _attend(self, number: int, script: Script, stream: ByteStream) -> None:
        """Play a script; some tests have a client that disconnects in the middle, or does not speak HTTP."""
        with suppress(OSError, UnicodeDecodeError):
            await self.play(number, script, stream)

    async def play(self, number: int, script: Script, stream: ByteStream) -> None:
        async with stream:
            for act in script:
                if isinstance(act, bytes):
                    await stream.send_all(act)
                elif isinstance(act, int):
                    await sleep(act / 1000)
                elif act is RESET:
                    stream.abort()
                elif act is STAY:
                    while await stream.receive_some():
                        pass
                elif act is HEAR:
                    request = await stream.receive_some()
                    if not request:
                        return
                    self.heard.append((number, request.split()[1].decode()))

    def run(self, main: Task[T] | Coroutine[Any, Any, T]) -> T:  # Any: as Loop.run_until_complete
        return self.loop.run_until_complete(main)

    def get(self, target: str, origin: str = "http://a.test") -> bytes:
        return self.run(self.pool.get(f"{origin}{target}")).body

    def start(self, target: str) -> Task[Any]:  # Any: a Response
        return self.loop.create_task(self.pool.get(f"http://a.test{target}"))

    def settle(self, milliseconds: int = 100) -> None:
        self.run(sleep(milliseconds / 1000))

    @property
    def open_clients(self) -> int:
        return sum(conn.remote[1] in (80, 81, 443) for conn in self.net.connections)


class RealSite:
    """A site on a real server, and the command that crawls it."""

    def __init__(self, server: Server, capsys: Captured, scheme: str = "http") -> None:
        self.server = server
        self.port = server.address[1]
        self.root = f"{scheme}://127.0.0.1:{self.port}/"
        self.asked: Counter[str] = Counter()
        self._capsys = capsys

    def serve(self, pages: Mapping[str, Resource], failing: Mapping[str, int] | None = None) -> Requested:
        """Serve pages by their paths; the first `failing[path]` requests for one are answered by a reset."""
        base = f"http://127.0.0.1:{self.port}/"  # a server does not know the scheme of its clients
        resources = Requested(
            {base + path: page for path, page in pages.items()},
            {base + path: count for path, count in (failing or {}).items()},
        )
        self.server.dial(Site(resources, (base,)))
        resources.asked.clear()
        self.asked = resources.asked
        return resources

    def crawl(self, *options: str, robots: bool = False) -> tuple[int, list[str], list[str]]:
        status = command.main([*["--no-robots"] * (not robots), *options, self.root])
        out, err = self._capsys.readouterr()
        return status, out.splitlines(), err.splitlines()

    def records(self, tmp_path: Path, *options: str) -> dict[str, dict[str, Any]]:  # Any: JSON
        path = tmp_path / "records.json"
        assert self.crawl("--json", str(path), "--sort", "--exit-zero", *options)[0] == 0
        rows = list(map(json.loads, path.read_text("ascii").splitlines()[1:]))
        return {row["url"].removeprefix(self.root): row for row in rows}


def page(*links: str) -> Raw:
    return Raw("".join(f"<a href='{link}'>" for link in links).encode(), HTML)


def cut_at_each_turn(begin: Callable[[], tuple[Web, Task[Any]]], turns: int) -> Iterator[Web]:
    """Cancel a GET at one of its turns after another, each in servers of its own; yield those, come to rest.

    Parameters:
        begin: makes the servers, and starts the GET.
        turns: the GET has more than these.
    """
    for cut_at in range(500):
        web, task = begin()
        if not cancelled(web.loop, task, cut_at):
            break
        with pytest.raises(CancelledError):
            web.run(task)
        web.settle()
        yield web
        web.loop.close()
    assert turns < cut_at < 499


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file grows beyond `size` bytes, as on a disk that is nearly full: the part of a write that fits is written."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@dataclass(frozen=True, slots=True)
class Crawled:
    """One crawl: exit status, the requests that the server got, and, of ours, the records of --json."""

    exit_status: int
    asked: list[PendingRequest]
    records: list[dict[str, Any]]  # Any: JSON

    @property
    def pages(self) -> set[tuple[str, str, int]]:
        return {(asked.method, asked.path, asked.status) for asked in self.asked}


def need(*packages: Package) -> list[Path]:
    """The directories of the packages, where they, nginx and wget are installed; else the test is not run."""
    roots = [package.root() for package in packages]
    missing = [package.name for package, root in zip(packages, roots, strict=True) if root is None]
    if shutil.which("wget") is None:
        missing.insert(0, "wget")
    if nginx.find() is None:
        missing.insert(0, "nginx-light")
    if missing:
        pytest.skip(f"not run, for want of {', '.join(missing)}: apt-get install {' '.join(missing)}")
    return [root for root in roots if root is not None]


def ours(server: Nginx, url: str, authority: Path | None = None, robots: bool = False) -> Crawled:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if authority is not None:
        environment["SSL_CERT_FILE"] = str(authority)
    with tempfile.TemporaryDirectory() as place:
        options = ["-q", "--exit-zero", *["--no-robots"] * (not robots), "--json", "records"]
        command = [sys.executable, "-m", "model_tests.commands.cli", "crawl", *options, url]
        status = _run(command, place, environment)
        _, *records = Path(place, "records").read_text("ascii").splitlines()
    return Crawled(status, server.asked(), [json.loads(line) for line in records])


def wget(server: Nginx, url: str, authority: Path | None = None, robots: bool = False) -> Crawled:
    command = [word.format(url=url) for word in COMMANDS["wget"]]
    if robots:
        command[command.index("robots=off")] = "robots=on"
    if authority is not None:
        command.append(f"--ca-certificate={authority}")
    with tempfile.TemporaryDirectory() as place:
        status = _run([*command, "--delete-after"], place, {**os.environ, "LC_ALL": "C.UTF-8"})
    return Crawled(status, server.asked(), [])


def _run(command: Sequence[str], place: str, environment: dict[str, str]) -> int:
    ran = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True)
    print(ran.stdout, ran.stderr, sep="\n")
    return ran.returncode
