"""`loopspec crawl` as a process: Ctrl-C in the middle, once and repeatedly, and its line on a terminal."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from subprocess import PIPE

import pytest

from impl import CancelledError, run, sleep
from impl.crawl import interrupt
from impl.crawl.frontier import Frontier
from impl.crawl.progress import ProgressLine
from impl.net.real.loop import SocketLoop
from impl.web.outcome import FetchFailure
from impl.web.serving.site import Broken, Html

from ...dev.pythons import ROOT
from ..crawls.resources import PATIENCE_S
from ..fixtures import Patch
from .helpers import RealSite

#: The time between signals, in seconds: a thirtieth of that of a key held down.  A sender that does not pause can end
#: a program: CPython runs the handler of a signal within that of the one before, until it raises a RecursionError.
_BETWEEN_S = 0.001


class Endless:
    """A server of a crawl that never ends: a root, a page, and one that stays silent, requested last."""

    def __init__(self, web: RealSite) -> None:
        self.root = web.root
        links = f"{web.root}page", f"{web.root}silent"
        self.resources = web.serve({"": Html(links), "page": Html(), "silent": Broken("silent")})

    def argv(self, *options: str, module: str = "model_tests.commands.cli") -> list[str]:
        crawl = ["crawl", self.root, "--max-tasks", "1", "--timeout", "3600", *options]
        return [sys.executable, "-m", module, *crawl]

    def reached(self) -> None:
        self.resources.wait(lambda asked: asked[f"{self.root}silent"] > 0)


@pytest.fixture
def endless(web: RealSite) -> Endless:
    return Endless(web)


@pytest.fixture
def _hangs_up() -> Iterator[None]:
    """Set the handler of SIGHUP as a shell does; nohup would have a program ignore it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("_hangs_up")
@pytest.mark.parametrize(
    ("module", "times", "number"),
    [
        ("model_tests.commands.cli", 1, signal.SIGINT),
        pytest.param("impl", 50, signal.SIGINT, marks=pytest.mark.long("the next test sends as many")),
        ("model_tests.commands.cli", 2, signal.SIGTERM),
        ("model_tests.commands.cli", 1, signal.SIGHUP),
    ],
)
def test_a_signal_ends_the_crawl_and_not_the_report(
    endless: Endless, tmp_path: Path, module: str, times: int, number: signal.Signals
) -> None:
    path = tmp_path / "records.json"
    argv = endless.argv("--json", str(path), module=module)
    with subprocess.Popen(argv, cwd=ROOT, stdout=PIPE, stderr=PIPE, text=True) as process:
        endless.reached()
        for _ in range(times):
            process.send_signal(number)
        out, err = output(process)
    assert process.returncode == 128 + number
    assert err == "loopspec crawl: ended early; in flight 1, queued 0\n"
    assert out.startswith("2 URLs in ")
    assert out.splitlines()[1] == "  outcome   page 2   redirect 0   error 0"
    found = [json.loads(line)["url"] for line in path.read_text().splitlines()[1:]]
    assert found == [endless.root, f"{endless.root}page"]


def output(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Return the output of a process until it ends; kill one that does not, which `with` would wait for."""
    try:
        return process.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def test_further_ones_may_come_until_the_process_is_gone(endless: Endless, tmp_path: Path) -> None:
    # Not a pipe, which is read afterwards only: a full one would stop the process.
    errors = tmp_path / "errors"
    popen = partial(subprocess.Popen, endless.argv(), cwd=ROOT, stdout=PIPE, text=True)
    with errors.open("w") as file, popen(stderr=file) as process:
        endless.reached()
        until = time.monotonic() + PATIENCE_S
        while process.poll() is None and time.monotonic() < until:
            process.send_signal(signal.SIGINT)
            time.sleep(_BETWEEN_S)
        out, _ = output(process)
    assert errors.read_text() == "loopspec crawl: ended early; in flight 1, queued 0\n"
    assert process.returncode == 130
    assert out.startswith("2 URLs in ")


@pytest.fixture
def _ctrl_c() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_ctrl_c")
def test_a_crawl_whose_loop_does_not_come_round_is_ended_all_the_same(monkeypatch: Patch) -> None:
    monkeypatch.setattr(interrupt, "_GRACE_S", 0.01)

    async def stuck() -> None:
        while True:  # no await: this cannot be cancelled
            signal.raise_signal(signal.SIGINT)

    loop = SocketLoop()
    with interrupt.Interrupt(loop, task := loop.create_task(stuck())):
        with pytest.raises(KeyboardInterrupt):
            loop.run(task)
        signal.raise_signal(signal.SIGINT)  # once is enough
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.usefixtures("_hangs_up")
def test_the_signal_that_ended_the_crawl_is_ignored_from_then_on() -> None:
    async def endless() -> None:
        await loop.create_future()

    loop = SocketLoop()
    with interrupt.Interrupt(loop, task := loop.create_task(endless())):
        signal.raise_signal(signal.SIGHUP)
        with pytest.raises(CancelledError):
            loop.run(task)
    try:
        handlers = [signal.getsignal(number) for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)]
        assert handlers == [signal.SIG_IGN, signal.SIG_IGN, signal.SIG_DFL]
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.usefixtures("_ctrl_c")
def test_a_crawl_that_was_not_interrupted_leaves_signals_as_they_were() -> None:
    async def short() -> None:
        pass

    for handler in (signal.default_int_handler, signal.SIG_IGN):
        signal.signal(signal.SIGINT, handler)
        loop = SocketLoop()
        with interrupt.Interrupt(loop, task := loop.create_task(short())) as guard:
            assert signal.getsignal(signal.SIGINT) == (guard._handle if callable(handler) else handler)
            loop.run(task)
        assert signal.getsignal(signal.SIGINT) is handler


def on_a_terminal(endless: Endless, *options: str) -> tuple[int, str, str]:
    """Crawl with standard error on a terminal, Ctrl-C at the end; return status, output and terminal contents."""
    master, slave = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "200"}
    argv = endless.argv(*options)
    shown = bytearray()
    with subprocess.Popen(argv, cwd=ROOT, stdout=PIPE, stderr=slave, text=True, env=environment) as process:
        os.close(slave)
        endless.reached()
        while b"1 in flight" not in shown and "-q" not in options and "-v" not in options:
            shown += os.read(master, 4096)
        process.send_signal(signal.SIGINT)
        out, _ = output(process)
    while piece := _rest(master):
        shown += piece
    os.close(master)
    return process.returncode, out, shown.decode()


def _rest(master: int) -> bytes:
    """Read more of the terminal's output; b"" at its end, which Linux reports by an error."""
    try:
        return os.read(master, 4096)
    except OSError:
        return b""


def test_the_progress_line_is_drawn_on_a_terminal_and_goes_away(endless: Endless) -> None:
    status, out, shown = on_a_terminal(endless)
    assert status == 130
    assert out.startswith("2 URLs in ")
    assert "2 fetched   0 queued   1 in flight   " in shown
    assert " URLs a second" in shown
    # The cursor was hidden, and is visible again.
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h") == 1
    assert shown.rpartition("0 errors")[2].count("\x1b[2K") == 1  # the line was erased
    assert shown.endswith("ended early; in flight 1, queued 0\r\n")


@pytest.mark.parametrize("no_color", ["", "1"])
def test_errors_are_red_unless_no_colours_are_wanted(monkeypatch: Patch, no_color: str) -> None:
    for name, value in {"TERM": "xterm-256color", "COLUMNS": "200", "NO_COLOR": no_color}.items():
        monkeypatch.setenv(name, value)
    master, slave = pty.openpty()

    async def drawn() -> None:
        with os.fdopen(slave, "w") as terminal:
            line = ProgressLine(Frontier(10), terminal)
            line.tell("http://a.test/", FetchFailure("reset"))
            async with line:
                await sleep(0.1)

    run(drawn())
    shown = ""
    with open(master, "rb", buffering=0) as screen, suppress(OSError):  # EIO: all was read
        while piece := screen.read(4096):
            shown += piece.decode()
    assert ("\x1b[31m1 errors\x1b[0m" in shown, "1 errors" in shown) == (not no_color, True)


def test_a_terminal_that_is_gone_loses_only_what_is_shown(endless: Endless, tmp_path: Path) -> None:
    master, slave = pty.openpty()
    path = tmp_path / "journal"
    environment = os.environ | {"TERM": "xterm"}
    argv = endless.argv("--json", str(path))
    process = subprocess.Popen(argv, cwd=ROOT, stdout=slave, stderr=slave, text=True, env=environment)
    os.close(slave)
    with process:
        endless.reached()
        os.close(master)
        time.sleep(0.3)  # it is drawn several times without a terminal
        process.send_signal(signal.SIGTERM)
        output(process)
    assert process.returncode == 143
    assert path.read_bytes().count(b"\n") == 3


@pytest.mark.parametrize(
    "option", ["-q", pytest.param("-v", marks=pytest.mark.long("its lines are in test_command.py"))]
)
def test_quiet_and_verbose_draw_no_line(endless: Endless, option: str) -> None:
    status, out, shown = on_a_terminal(endless, option)
    assert status == 130
    assert shown == "loopspec crawl: ended early; in flight 1, queued 0\r\n"
    assert len(out.splitlines()) == (4 if option == "-q" else 7)
