"""The ladder's table: the figures of the texts, exact statements about waiting, and the command."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys

import pytest

from impl.ladder import scale
from impl.ladder.command import COLUMNS, main
from impl.ladder.latency import CYCLE_NS, TABLE, exact, human
from impl.ladder.measure import PAGE_MS, bytes_of, measure, pages, reference, waiting_bytes
from impl.ladder.real import RealWorld
from impl.ladder.rung import RUNGS, Rung
from impl.ladder.schedule import makespan
from impl.ladder.simulated import SimulatedWorld
from impl.web.site import Html, Site

from ..dev.pythons import ROOT

SIMULATED = [rung for rung in RUNGS if not rung.only_real]
BY_NAME = {rung.name: rung for rung in RUNGS}

#: What the texts say of ten pages, in seconds.
FIGURES = {"blocking": 4.5, "polling": 4.3, "threads": 0.43, "callbacks": 0.45}

#: How much of a second a simulated run may take beside waiting: the attempts in vain that a rung makes.
BESIDE = 0.001


def uneven(count: int) -> Site:
    """Pages that take each another time, from 20 to 400 ms."""
    draw = random.Random("uneven pages")
    return Site({f"http://xkcd.test/{i}": Html((), draw.randrange(15, 396)) for i in range(count)}, ())


@pytest.mark.parametrize("rung", SIMULATED, ids=lambda rung: rung.name)
def test_every_rung_gives_the_result_of_the_reference(rung: Rung) -> None:
    site = pages(10)
    assert measure(rung, rung.simulated(site), site, list(site.resources)).right


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.name)
def test_in_the_real_world_too(rung: Rung) -> None:
    site = pages(3, page_ms=30)
    assert measure(rung, RealWorld(site), site, list(site.resources)).right


def test_a_wrong_result_is_seen() -> None:
    site = pages(2)
    world = SimulatedWorld(pages(1))
    assert not measure(BY_NAME["blocking"], world, site, list(site.resources)).right


@pytest.mark.parametrize(("name", "seconds"), FIGURES.items())
def test_the_figures_of_the_texts_come_out(name: str, seconds: float) -> None:
    site = pages(10)
    run = measure(BY_NAME[name], SimulatedWorld(site), site, list(site.resources))
    assert run.seconds == pytest.approx(seconds, rel=0.05)


def test_one_page_takes_what_it_is_said_to_take() -> None:
    site = pages(1)
    run = measure(BY_NAME["blocking"], SimulatedWorld(site), site, list(site.resources))
    assert run.seconds == pytest.approx(PAGE_MS / 1000, abs=1e-6)


def latencies(site: Site) -> list[int]:
    """How long each page takes, in milliseconds."""
    return [resource.latency_ms + 5 for resource in site.resources.values()]


@pytest.mark.parametrize("name", ["blocking", "polling"])
def test_one_after_the_other_takes_the_sum(name: str) -> None:
    site = uneven(8)
    run = measure(BY_NAME[name], SimulatedWorld(site), site, list(site.resources))
    assert run.seconds == pytest.approx(sum(latencies(site)) / 1000, abs=BESIDE)
    assert run.meter.concurrency == 1


def test_a_pool_takes_what_list_scheduling_gives() -> None:
    site = uneven(25)
    run = measure(BY_NAME["threads"], SimulatedWorld(site), site, list(site.resources))
    assert run.seconds == pytest.approx(makespan(latencies(site), 10) / 1000, abs=BESIDE)
    assert run.meter.concurrency == 10


def test_all_at_once_takes_as_long_as_the_slowest() -> None:
    site = uneven(25)
    run = measure(BY_NAME["callbacks"], SimulatedWorld(site), site, list(site.resources))
    assert run.seconds == pytest.approx(max(latencies(site)) / 1000, abs=0.01)
    assert run.meter.concurrency == 25


def test_asyncio_takes_what_list_scheduling_gives() -> None:
    """On its own loop in virtual time, with ten workers; aiohttp remembers the address and keeps some connections."""
    site = uneven(25)
    rung = BY_NAME["asyncio_end"]
    run = measure(rung, rung.simulated(site), site, list(site.resources))
    assert run.seconds == pytest.approx(makespan(latencies(site), 10) / 1000, abs=0.02)
    assert run.meter.concurrency >= 10  # one that is given up is closed a turn later


def test_list_scheduling() -> None:
    assert makespan([5, 1, 1, 1], 2) == 5
    assert makespan([1, 1, 1, 5], 2) == 6
    assert makespan([3, 4], 1) == 7
    assert makespan([], 3) == 0
    with pytest.raises(ValueError, match="0 workers"):
        makespan([1], 0)


def test_the_reference_fetches_every_page() -> None:
    site = pages(4)
    assert list(reference(site, list(site.resources))) == list(site.resources)


@pytest.mark.parametrize("rung", [rung for rung in RUNGS if rung.unit], ids=lambda rung: rung.name)
def test_what_waits_in_this_program_has_some_hundred_bytes(rung: Rung) -> None:
    assert rung.unit is not None
    assert 100 < bytes_of(rung.unit) < 2000
    assert waiting_bytes(rung)


def test_where_nothing_waits_but_the_program_nothing_is_measured() -> None:
    """And nowhere else, where the system says what threads and processes take."""
    unmeasured = {rung.name for rung in RUNGS if waiting_bytes(rung) is None}
    assert unmeasured - {"processes", "threads", "promises"} == {"blocking", "polling"}


# --- latencies and scale ----------------------------------------------------------------------------------


def test_a_cycle_takes_a_second() -> None:
    assert (TABLE[0].ns, TABLE[0].seconds) == (CYCLE_NS, 1)


def test_one_row_of_the_text_is_a_slip() -> None:
    assert [wait.what for wait in TABLE if wait.slip] == ["restart a virtual machine"]
    assert all(abs(wait.said / wait.seconds - 1) < 0.11 for wait in TABLE)


def test_times_are_told_in_their_unit() -> None:
    assert [human(s) for s in (1, 90, 7200, 86_400 * 3)] == [
        "1.0 seconds",
        "1.5 minutes",
        "2.0 hours",
        "3.0 days",
    ]
    assert [exact(ns) for ns in (0.5, 1500, 2e6, 3e9)] == ["0.5 ns", "1.5 us", "2 ms", "3 s"]


def test_ten_thousand_connections_are_open_at_once() -> None:
    assert scale.connections_at_once(10_000) == 10_000


def test_a_parked_coroutine_is_smaller_than_a_thread_and_that_than_a_process() -> None:
    threads = scale.thread_bytes(64)
    processes = scale.process_bytes()
    assert 0 < scale.coroutine_bytes(100_000) < 1024 < (threads or 4096) < (processes or 500_000)


# --- the command ------------------------------------------------------------------------------------------


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """What the command prints, a line each."""
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    head, row, *_ = told(capsys, "--rung", "callbacks", "--pages", "3")
    assert head == "rung          virtual s  at once  threads  bytes each  in vain  result"
    assert re.fullmatch(
        r"callbacks          0\.44        3        0 +\d\d\d        3  equal    a selector and callbacks", row
    )


NOT_RUN = "not run  only with --real: a clock of its own"


def test_what_is_not_run_says_why(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = told(capsys, "--rung", "processes", "--pages", "11")[1]
    assert row.split() == ["processes", "0.88*", *NOT_RUN.split()]
    monkeypatch.delitem(sys.modules, "impl.ladder.asyncio_end", raising=False)
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    row = told(capsys, "--rung", "asyncio_end", "--pages", "11")[1]
    assert row.split() == ["asyncio_end", "0.88*", "not", "run", "aiohttp", "is", "not", "installed"]


def test_with_real_there_is_a_column_more(capsys: pytest.CaptureFixture[str]) -> None:
    head, row, *_ = told(capsys, "--rung", "processes", "--pages", "2", "--real")
    assert head.split()[3:5] == ["real", "s"]
    name, virtual, real, at_once, processes, each, *_ = row.split()
    assert (name, virtual, at_once, processes) == ("processes", "0.44*", "2", "2")
    assert float(real) > 0.4
    assert each == "-" or int(each.replace(",", "")) > 500_000


def test_the_table_is_no_wider_than_110_columns(capsys: pytest.CaptureFixture[str]) -> None:
    longest = max((rung.title for rung in RUNGS), key=len)
    assert max(map(len, told(capsys, "--rung", "yielding", "--real", "--pages", "1"))) <= 110
    assert sum(COLUMNS.values()) + 2 * (len(COLUMNS) - 1) + len(longest) <= 110


def test_a_result_that_differs_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("impl.ladder.blocking.run", lambda world, urls: {})
    assert main(["--rung", "blocking"]) == 1
    assert "DIFFERS" in capsys.readouterr().out


def test_latencies_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(told(capsys, "--latency")) == len(TABLE) + 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--pages", "0"], "a number from 1 to"),
        (["--pages", "1001"], "a number from 1 to"),
        (["--rung", "escalator"], "there is no 'escalator'; there are: blocking,"),
        (["--rung", ""], "there is no ''"),
        (["--latency", "--real"], "leave out --pages"),
        (["--latency", "--pages", "10"], "leave out --pages"),
        (["--latency", "--rung", "blocking"], "leave out --pages"),
        (["--nonsense"], "unrecognized"),
    ],
)
def test_bad_usage_is_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err


TOO_MANY = "so many pages need 140 open files, of which there may be 60"


@pytest.mark.parametrize(("soft", "hard", "status"), [(60, 60, 2), (60, 2000, 0)])
def test_more_pages_than_files_may_be_open(soft: int, hard: int, status: int) -> None:
    """The limit is raised where that is allowed; else it is one line."""
    program = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))\n"
        "from impl.ladder.command import COLUMNS, main\n"
        "sys.exit(main(['--real', '--rung', 'promises', '--pages', '30']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == status
    assert ran.stderr == ("" if status == 0 else f"loopspec ladder: --real: {TOO_MANY}\n")


POOL = """
import sys
from impl.ladder import processes, real

made = processes.pool_of

def told(count):
    pool = made(count)
    print("made", flush=True)
    return pool

processes.pool_of = told
try:
    processes.run(real.StandardWorld(("127.0.0.1", int(sys.argv[1]))), ["http://127.0.0.1/"] * 12)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("fetching", [False, True], ids=["while they are started", "while one fetches"])
def test_no_process_of_the_pool_tells_of_an_interrupt(fetching: bool) -> None:
    """Ctrl-C reaches all processes of the terminal; it is raised when the pool has ended."""
    with (
        socket.create_server(("127.0.0.1", 0), backlog=12) as server,
        subprocess.Popen(
            [sys.executable, "-c", POOL, str(server.getsockname()[1])],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process,
    ):
        assert process.stdout is not None
        assert process.stdout.readline() == "made\n"
        if fetching:
            server.accept()[0].close()
        os.killpg(process.pid, signal.SIGINT)
        server.close()
        told, errors = process.communicate(timeout=60)
    assert (process.returncode, told, errors) == (0, "interrupted\n", "")


def test_more_threads_may_connect_at_once_than_a_server_accepts_by_default() -> None:
    site = pages(150)
    run = measure(BY_NAME["promises"], SimulatedWorld(site), site, list(site.resources))
    assert run.right
    assert run.meter.concurrency == run.meter.threads == 150
