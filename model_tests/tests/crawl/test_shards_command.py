"""`--shards N` of `loopspec crawl` and `loopspec simulate`: all that it prints and writes is that of one crawl.

Real servers on loopback; their two names, 127.0.0.1 and localhost, are two hosts in two shards.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from subprocess import PIPE
from typing import Final, NoReturn

import pytest

from impl.crawl import real
from impl.crawl.commands import crawl as command
from impl.crawl.commands import simulate
from impl.crawl.real import RealShard
from impl.crawl.results.journal_file import read_journal
from impl.crawl.shards import shard_of
from impl.web.serving.site import Broken, Html, Moved, Raw, Resource, Site

from ...crawls.server import Server
from ...dev.pythons import ROOT
from ..crawls.bad_servers import BadServer, Behaviour, Peer, page
from ..crawls.resources import PATIENCE_S, Requested
from ..fixtures import Captured, Patch

#: A cluster; prints its address and the processes of its workers, and ends with its input.
CLUSTER: Final = """
import os, sys
from distributed import Client, LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        print(cluster.scheduler_address, *client.run(os.getpid).values(), flush=True)
        sys.stdin.read()
"""


class TwoHosts:
    """A server of two hosts, the roots, and the command that crawls them; each has a robots.txt."""

    def __init__(self, server: Server, capsys: Captured) -> None:
        port = server.address[1]
        self.roots = (f"http://127.0.0.1:{port}/", f"http://localhost:{port}/")
        assert [shard_of(root, 2) for root in self.roots] == [0, 1]
        self._server = server
        self._capsys = capsys
        self.serve(site(*self.roots))

    def serve(self, pages: dict[str, Resource], silent: str | None = None) -> None:
        rules = Raw(b"User-agent: *\nDisallow: /no", "text/plain")
        files = dict.fromkeys((f"{root}robots.txt" for root in self.roots), rules)
        self._requests = Requested(files | pages, {silent: 1} if silent else {}, "silent")
        self._server.dial(Site(self._requests, ()))
        self.asked()

    def asked(self) -> Counter[str]:
        asked = Counter(url for url, _ in self.times())
        self._requests.times.clear()
        return asked

    def times(self) -> list[tuple[str, float]]:
        return list(self._requests.times)

    def crawl(self, path: Path, *options: str) -> tuple[int, list[str], bytes]:
        """Crawl; return the exit status, the report without its time, and the sorted file."""
        file = [] if "--resume" in options else ["--json", str(path)]
        status = command.main(["--sort", *file, *options, *self.roots])
        return status, untimed(self._capsys.readouterr().out), path.read_bytes()

    @contextmanager
    def crawling(self, *options: str) -> Iterator[subprocess.Popen[str]]:
        """Crawl in two shards in a process, until a page is requested that is never answered."""
        self.serve(site(*self.roots), silent=f"{self.roots[1]}page")
        argv = [sys.executable, "-m", "impl", "crawl", "--shards", "2", "--max-tasks", "1"]
        argv += [*options, *self.roots]
        silent = f"{self.roots[1]}page"
        with subprocess.Popen(argv, cwd=ROOT, start_new_session=True, stdout=PIPE, stderr=PIPE, text=True) as process:
            self._requests.wait(lambda asked: asked[silent] > 0)
            yield process


def site(a: str, b: str) -> dict[str, Resource]:
    pages: dict[str, Resource] = {
        a: Html((f"{a}1", f"{b}moved-0", f"{a}no")),
        b: Html((f"{b}1", f"{b}page", f"{a}gone")),
        f"{b}page": Html((f"{a}1", f"{b}2")),
        f"{b}moved-6": Html((f"{a}circle",)),
        f"{a}circle": Moved(f"{b}circle"),
        f"{b}circle": Moved(f"{a}circle"),
        f"{a}checked": Raw(b'<a href="/5#x">5</a><img src="/image"><a href="/other#y">y</a>', "text/html"),
        f"{a}other": Raw(b'<p id="x"><a href="/checked">it</a>', "text/html"),
        f"{a}image": Broken("status", 404),
    }
    for i in range(1, 9):
        here, there = (a, b) if i % 2 else (b, a)
        pages[f"{here}{i}"] = Html((f"{there}{i + 1}", f"{here}{i}-1", f"{a}checked"))
        pages[f"{here}{i}-1"] = Html((here,))
    for i in range(6):
        here, there = (a, b) if i % 2 else (b, a)
        pages[f"{here}moved-{i}"] = Moved(f"{there}moved-{i + 1}", 301)
    return pages


@pytest.fixture
def two(capsys: Captured, no_certificates: None) -> Iterator[TwoHosts]:
    with Server() as server:
        yield TwoHosts(server, capsys)


@pytest.fixture
def _threads(monkeypatch: Patch) -> None:
    """Run the shards in threads, which take no time to start, one URL a batch."""
    monkeypatch.setattr(real, "make_executor", lambda shards, dask: partial(ThreadPoolExecutor, shards))
    monkeypatch.setattr(real, "RealShard", partial(RealShard, batch_s=0.0))


def untimed(out: str) -> list[str]:
    first, *rest = out.splitlines()
    return [first.partition(" URLs")[0], *rest]


@pytest.mark.short("depth", why="a second each")
@pytest.mark.parametrize(
    "options",
    [["--check", "all"], ["--depth", "3", "--no-robots", "--max-redirect", "3"]],
    ids=["all", "depth"],
)
def test_all_that_is_printed_written_and_requested_is_that_of_one_crawl(
    two: TwoHosts, tmp_path: Path, options: list[str], request: pytest.FixtureRequest, full: bool
) -> None:
    """In the short form once on processes, once on threads."""
    if "--depth" in options and not full:
        request.getfixturevalue("_threads")
    one, once = two.crawl(tmp_path / "journal", *options), two.asked()
    assert (one[0], set(once.values())) == (1, {1})
    assert len(once) > 15
    assert two.crawl(tmp_path / "journal", "--shards", "2", *options) == one
    assert two.asked() == once


@pytest.mark.usefixtures("_threads")
def test_the_shortest_batches_ask_for_nothing_twice(two: TwoHosts, capsys: Captured) -> None:
    """Nor for robots.txt: the knowledge of a shard about its hosts goes from batch to batch."""
    said = []
    for options in ([], ["--shards", "2", "--max-tasks", "1"]):
        assert command.main([*options, "-v", *two.roots]) == 1
        lines, _, report = capsys.readouterr().out.partition("\n\n")
        said.append((sorted(line[14:] for line in lines.splitlines()), untimed(report), two.asked()))
    assert said[0] == said[1]
    assert set(said[0][2].values()) == {1}


@pytest.mark.usefixtures("_threads")
def test_the_delay_of_a_host_is_kept_from_batch_to_batch(two: TwoHosts) -> None:
    a, b = two.roots
    two.serve({a: Html((f"{a}1",)), f"{a}1": Html((f"{a}2",)), f"{a}2": Html(), b: Html()})
    assert command.main(["--shards", "2", "--delay", "0.5", *two.roots]) == 0
    times = [seconds for url, seconds in two.times() if url.startswith(a) and "robots" not in url]
    assert len(times) == 3
    # The server may see the first of two late.
    assert min(after - before for before, after in pairwise(times)) > 0.25


@pytest.mark.usefixtures("_threads")
def test_the_time_of_the_whole_crawl_is_bounded(two: TwoHosts, capsys: Captured) -> None:
    argv = ["--shards", "2", "--max-seconds", "0.3", "--timeout", "0.5", "--max-tries", "1", *two.roots]
    two.serve({two.roots[0]: Html(), two.roots[1]: Broken("silent")})
    assert command.main(argv) == 0
    assert "cut by --max-seconds: 1 known URLs left" in capsys.readouterr().out


def test_a_header_goes_from_the_shards_to_the_origins_of_the_roots_only(no_certificates: None) -> None:
    seen: list[tuple[int, list[bytes]]] = []

    def noting(number: int) -> Behaviour:
        """Note the headers X of a request, and answer it with a link to the other server."""

        def behave(peer: Peer) -> None:
            seen.append((number, re.findall(rb"\r\nX: *(.*)\r\n", peer.head)))
            page(f"<a href='{other.root}'>".encode())(peer)

        return behave

    with BadServer({"": noting(0)}) as root, BadServer({"": noting(1)}) as other:
        argv = ["--shards", "2", "--no-robots", "--header", "X:1", root.root]
        assert command.main(argv) == 0
    assert seen == [(0, [b"1"]), (1, [])]


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            crawls = b"spawn_main" in (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == process.pid and crawls:
            found.append(int(entry.name))
    return found


def eventually(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


def are_gone(pids: list[int]) -> bool:
    files = [Path(f"/proc/{pid}/stat") for pid in pids]
    return all(not file.exists() or file.read_text().rpartition(")")[2].split()[0] == "Z" for file in files)


def test_a_worker_that_is_killed_changes_nothing(two: TwoHosts, tmp_path: Path) -> None:
    one = two.crawl(tmp_path / "one")
    path = tmp_path / "journal"
    with two.crawling("--json", str(path), "--sort") as process:
        workers = workers_of(process)
        assert len(workers) == 2
        os.kill(workers[0], signal.SIGKILL)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, untimed(out), path.read_bytes()) == one
    assert err == ""
    assert two.asked()[f"{two.roots[1]}page"] == 2


@pytest.mark.parametrize(
    "number",
    [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.long("Ctrl-C is in the short form"))],
)
def test_a_crawl_that_is_stopped_leaves_no_worker_and_can_be_resumed(
    two: TwoHosts, tmp_path: Path, number: signal.Signals, request: pytest.FixtureRequest, full: bool
) -> None:
    """Ctrl-C reaches the workers, too; a kill of the command does not.  In the short form, threads resume the crawl."""
    if not full:
        request.getfixturevalue("_threads")
    one = two.crawl(tmp_path / "one")
    path = tmp_path / "journal"
    with two.crawling("--json", str(path)) as process:
        eventually(lambda: len(read_journal(str(path)).rows) > 0)
        workers = workers_of(process)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE_S)
    eventually(lambda: are_gone(workers))
    recorded = {row.url for row in read_journal(str(path)).rows}
    if number == signal.SIGKILL:
        assert process.returncode == -number
    else:
        assert process.returncode == 128 + number
        assert out.startswith(f"{len(recorded)} URLs in ")
        assert err.startswith("loopspec crawl: ended early; in flight 0, queued ")
        assert err.count("\n") == 1
    two.asked()
    assert two.crawl(path, "--resume", str(path), "--shards", "2") == one
    assert not set(two.asked()) & recorded


def test_workers_that_always_die_end_the_crawl(two: TwoHosts, capsys: Captured, monkeypatch: Patch) -> None:
    class Breaks(ThreadPoolExecutor):
        def submit(self, *args: object, **more: object) -> NoReturn:
            raise BrokenExecutor

    monkeypatch.setattr(real, "make_executor", lambda shards, dask: Breaks)
    assert command.main(["--shards", "2", *two.roots]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("0 URLs in ")
    assert err.splitlines() == [
        "loopspec crawl: workers have died too often; 2 URLs are left",
        "loopspec crawl: ended early; in flight 0, queued 2",
    ]


@pytest.mark.parametrize("of_site", [False, True])
def test_a_simulated_crawl_in_shards_has_the_same_records_and_report(
    capsys: Captured, monkeypatch: Patch, tmp_path: Path, of_site: bool, full: bool
) -> None:
    """In the short form, only the crawl on threads is repeated."""
    if not of_site:
        monkeypatch.setattr(simulate, "make_executor", lambda shards, dask: partial(ThreadPoolExecutor, 2))
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text('<a href="other.html">o</a><a href="missing.html">m</a>')
    (tmp_path / "site" / "other.html").write_text("<p>the other")
    pages = ["--pages", "60" if full else "30", "--seed", "3"]
    what = ["--site", str(tmp_path / "site")] if of_site else pages
    said = []
    times = 1 if of_site and not full else 2
    for options in ([], *[["--shards", "2"]] * times):
        path = tmp_path / "records"
        assert simulate.main([*what, "--json", str(path), *options]) == 0
        said.append((capsys.readouterr().out, path.read_bytes()))
    report, _, _ = said[0][0].partition("\nevents: ")
    assert (untimed(said[1][0]), said[1][1]) == (untimed(report), said[0][1])
    assert said[1] == said[-1]  # the virtual time, too


def test_on_dask_workers_that_are_killed_change_nothing(two: TwoHosts, tmp_path: Path, full: bool) -> None:
    if find_spec("distributed") is None:
        pytest.skip("not run: distributed is not installed; `make dask` adds the extra dask")
    if not full:
        pytest.skip("not run without --full: a cluster takes 10 s to start")
    one = two.crawl(tmp_path / "one")
    path, script = tmp_path / "journal", tmp_path / "cluster.py"
    script.write_text(CLUSTER, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, *sys.path)))}
    with subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as cluster:
        assert cluster.stdout is not None
        address, *workers = cluster.stdout.readline().split()
        with two.crawling("--json", str(path), "--sort", "--dask", address) as process:
            for worker in workers:
                os.kill(int(worker), signal.SIGKILL)
            out, err = process.communicate(timeout=PATIENCE_S)
        cluster.communicate(timeout=PATIENCE_S)
    assert (process.returncode, untimed(out), path.read_bytes(), err) == (*one, "")
    assert two.asked()[f"{two.roots[1]}page"] == 2
