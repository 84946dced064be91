"""Servers that would use the crawler: to reach private addresses, to learn passwords, to write on the terminal."""

import signal
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from subprocess import PIPE, Popen, run
from typing import Final

import pytest

from impl.crawl.commands import crawl as command
from impl.crawl.crawler import CrawlConfig
from impl.crawl.fetch import Fetcher
from impl.net.real.loop import SocketLoop
from impl.net.real.sockets import SocketNet
from impl.net.wrappers import PublicNet

from ...crawls.impl_runtime import crawl_by
from ...dev.pythons import ROOT
from ..crawls.bad_servers import BEHAVIOURS, OK, BadServer, Behaviour, Peer, page, redirects, sends
from ..fixtures import Captured
from ..net.helpers import table
from ..web.hostile_pages import PAGES

pytestmark = pytest.mark.usefixtures("no_descriptor_is_left")
PAGE: Final = page(b"page")


#: Without robots.txt, which these servers do not have; a broken link is no failure.
PLAIN = ("--no-robots", "--exit-zero")


def crawl(roots: tuple[str, ...], trusted: tuple[str, ...]) -> dict[str, str | None]:
    """Crawl where evil.test is 127.0.0.1; return the error of each URL."""

    def make(loop: SocketLoop) -> Fetcher:
        net = PublicNet(SocketNet(loop, lookup=table({"evil.test": ("127.0.0.1",)})), trusted)
        return Fetcher(net, loop, timeout_s=10)

    plan = CrawlConfig(roots, max_tries=2)
    return {row.url: row.error for row in crawl_by(make, plan, plan.frontier())}


def test_a_name_with_a_private_address_is_a_record_and_not_asked() -> None:
    with BadServer({"": PAGE}) as server:
        url = server.root.replace("127.0.0.1", "evil.test")
        assert crawl((url,), ()) == {url: "private"}
        assert crawl((url,), ("evil.test",)) == {url: None}
    assert server.asked == [""]


@pytest.mark.parametrize("leads", ["redirect", "link"])
def test_neither_a_redirect_nor_a_link_leads_to_a_private_address(leads: str) -> None:
    """evil.test is within the scope here, because it is a root, too."""
    with BadServer({"secret": PAGE}) as inner:
        secret = inner.root.replace("127.0.0.1", "evil.test") + "secret"
        moved, linked = redirects(f"Location: {secret}\r\n".encode()), page(f"<a href='{secret}'>".encode())
        with BadServer({"": moved if leads == "redirect" else linked}) as outer:
            root = outer.root.replace("127.0.0.1", "evil.test")
            found = crawl((outer.root, root), ("127.0.0.1",))
        assert found == {outer.root: None, root: "private", secret: "private"}
        assert inner.asked == []


def test_neither_a_redirect_nor_a_link_leads_to_a_port_that_browsers_block() -> None:
    """Only the port differs from that of the root."""
    links = b"<a href=away><a href='http://127.0.0.1:25/'><a href=//127.0.0.1:6667/x>"
    redirect = redirects(b"Location: http://127.0.0.1:25/\r\n")
    with BadServer({"": page(links), "away": redirect}) as server:
        root = server.root
        assert crawl((root,), ("127.0.0.1",)) == {root: None, f"{root}away": "location"}
    with pytest.raises(ValueError, match="a port that browsers do not block"):
        CrawlConfig(("http://127.0.0.1:25/",))


def test_a_private_root_is_crawled_and_needs_no_option(capsys: Captured) -> None:
    with BadServer({"": PAGE}) as server:
        assert command.main([*PLAIN, server.root]) == 0
        assert command.main([*PLAIN, server.root.replace("127.0.0.1", "localhost"), "--private"]) == 0
    assert server.asked == ["", ""]
    assert "1 URL in" in capsys.readouterr().out


def test_userinfo_makes_no_urls_and_is_not_reported(capfd: Captured, tmp_path: Path) -> None:
    """Five links with five users are one URL."""
    behaviours, records = {"x": PAGE}, tmp_path / "records"
    with BadServer(behaviours) as server:
        origin = server.root.removeprefix("http://")
        html = "".join(f"<a href='//u{number}:secret@{origin}x'>" for number in range(5))
        behaviours[""] = page(html.encode())
        assert command.main([*PLAIN, f"http://me:secret@{origin}", "-v", f"--json={records}"]) == 0
    assert server.asked == ["", "x"]
    assert "secret" not in "".join(capfd.readouterr()) + records.read_text()


def test_what_a_server_sends_writes_no_control_character(capfd: Captured, tmp_path: Path) -> None:
    """ESC ] 0 ; sets a terminal's title, CSI 2 J clears it; U+009B is CSI in one character, U+202E reverses a line."""
    evil = "\x1b]0;owned\x07\x1b[2J\x9b2J\x7f\u202e\b"
    html = f"<a href='/a{evil}b'>x</a><a href='//{evil}/'>y</a><a href='/c#{evil}'>z</a>".encode()
    head = OK.replace(b"html", "html; x=\u202e\x9b".encode()) + b"Content-Length: %d\r\n\r\n" % len(html)
    moved = redirects(b"Location: /d\xe2\x80\xae\r\n")
    behaviours = defaultdict(lambda: PAGE, {"": sends(head, html), "c": moved})
    records = tmp_path / "records"
    with BadServer(behaviours) as server:
        assert command.main([*PLAIN, server.root, "-v", f"--json={records}"]) == 0
    out, err = capfd.readouterr()
    assert (len(server.asked), "owned" in out, "%E2%80%AE" in out) == (4, True, True)
    assert set(out + err + records.read_text()) <= {"\n", *map(chr, range(32, 127))}


def test_ctrl_c_ends_the_crawl_in_the_middle_of_a_long_page() -> None:
    """Reading the page takes seconds; the crawl ends without its record."""
    sent = threading.Event()

    def behave(peer: Peer) -> None:
        page(PAGES["the same link"](16_000_000).encode())(peer)
        sent.set()

    with BadServer({"": behave}) as server:
        argv = [sys.executable, "-m", "impl", "crawl", server.root, *PLAIN]
        process = Popen(argv, cwd=ROOT, stdout=PIPE, stderr=PIPE, text=True)
        with process:
            assert sent.wait(60)
            time.sleep(0.3)  # the rest is received, and reading begins
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "loopspec crawl: ended early; in flight 1, queued 0\n")
    assert out.startswith("0 URLs in ")


#: Runs the command, then prints its peak of memory in kB (proc(5)), with that of the process that reads pages, too.
MEASURED: Final = """
import multiprocessing, sys
from pathlib import Path
from impl.crawl.commands.crawl import main
from impl.crawl.second_reader import SecondReader

def peak(process):
    return int(Path(f"/proc/{process}/status").read_text().split("VmHWM:")[1].split()[0])

def measured(self, *why, close=SecondReader.__exit__):
    peaks.extend(peak(child.pid) for child in multiprocessing.active_children())
    close(self, *why)

peaks = []
SecondReader.__exit__ = measured
status = main(sys.argv[1:])
print(peak("self"), *peaks, file=sys.stderr)
sys.exit(status)
"""


def hostile(name: str) -> Behaviour:
    """Serves a hostile page of about 5 MB."""

    def behave(peer: Peer) -> None:
        page(PAGES[name](5_000_000).encode())(peer)

    return behave


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.long("half a minute")
def test_all_hostile_pages_and_servers_in_one_crawl_take_under_300_mb() -> None:
    behaviours = {**BEHAVIOURS, **{f"page{number}": hostile(name) for number, name in enumerate(PAGES)}}
    links = "".join(f"<a href={path}>" for path in behaviours).encode()
    with BadServer(defaultdict(lambda: PAGE, {**behaviours, "": page(links)})) as server:
        options = (*PLAIN, "--depth=1", "--max-tries=1", "--timeout=30", "--limit=body_bytes=8000000", "-q")
        argv = [sys.executable, "-c", MEASURED, server.root, *options]
        ran = run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(f"{len(behaviours) + 1} URLs in ")
    peaks = [int(peak) for peak in ran.stderr.split()]
    assert sum(peaks) < 300_000, peaks
