"""The ladder's table: the figures of the texts, exact statements about waiting, and the command."""

import os
import random
import signal
import socket
import subprocess
import sys

import pytest

from impl.ladder import scale
from impl.ladder.command import COLUMNS, main
from impl.ladder.latency import CYCLE_NS, TABLE, exact, human
from impl.ladder.measure import Measured, makespan, measure
from impl.ladder.rung import RUNGS, Rung
from impl.ladder.units import bytes_of, waiting_bytes, waiting_unit
from impl.web.serving.site import Html, Site

from ...dev.pythons import ROOT

#: They fetch ten pages at once.
POOLS = ("threads", "join_queue", "running", "chapter", "native", "asyncio_end")
BY_NAME = {rung.name: rung for rung in RUNGS}


def measured(name: str, site: Site) -> Measured:
    rung = BY_NAME[name]
    return measure(rung, rung.simulated(site), site, list(site.resources))


def uneven(count: int) -> tuple[Site, list[int]]:
    """Pages that take from 20 to 400 ms each, and how long they take."""
    draw = random.Random("uneven pages")
    waits = [draw.randrange(15, 396) for _ in range(count)]
    site = Site({f"http://xkcd.test/{i}": Html((), wait) for i, wait in enumerate(waits)}, ())
    return site, [wait + 5 for wait in waits]


@pytest.mark.parametrize("name", [rung.name for rung in RUNGS if not rung.only_real])
def test_uneven_pages_take_exactly_what_the_way_of_waiting_gives(name: str) -> None:
    """One after the other the sum, all at once as long as the slowest, and a pool as long as by list scheduling.

    aiohttp keeps addresses and connections, and closes a connection an iteration later.
    """
    at_once = {"blocking": 1, "polling": 1, **dict.fromkeys(POOLS, 10)}.get(name, 25)
    site, waits = uneven(8 if at_once == 1 else 25)
    run = measured(name, site)
    exact = name in ("blocking", "polling", "threads")
    assert run.right
    assert run.seconds == pytest.approx(makespan(waits, at_once) / 1000, abs=0.001 if exact else 0.02)
    assert run.meter.concurrency == at_once or name == "asyncio_end"


def test_list_scheduling() -> None:
    assert [makespan([5, 1, 1, 1], 2), makespan([1, 1, 1, 5], 2), makespan([3, 4], 1)] == [5, 6, 7]
    assert makespan([], 3) == 0
    with pytest.raises(ValueError, match="0 workers"):
        makespan([1], 0)


def test_one_row_of_the_text_is_a_slip() -> None:
    assert (TABLE[0].ns, TABLE[0].seconds) == (CYCLE_NS, 1)
    assert [wait.what for wait in TABLE if wait.slip] == ["restart a virtual machine"]
    assert [human(s) for s in (1, 90, 7200)] == ["1.0 seconds", "1.5 minutes", "2.0 hours"]
    assert [exact(ns) for ns in (0.5, 1500, 2e6, 3e9)] == ["0.5 ns", "1.5 us", "2 ms", "3 s"]


def test_ten_thousand_connections_are_open_at_once(full: bool) -> None:
    count = 10_000 if full else 2_000
    assert scale.connections_at_once(count) == count


def test_a_parked_coroutine_is_smaller_than_a_thread_and_that_than_a_process(full: bool) -> None:
    threads = scale.thread_bytes(64) or 4096
    processes = scale.process_bytes() or 500_000
    assert 0 < scale.coroutine_bytes(100_000 if full else 10_000) < 1024 < threads < processes


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.name)
def test_a_waiting_unit_takes_some_hundred_bytes(rung: Rung) -> None:
    """Where the program itself waits, there is no unit; threads and processes are measured in `scale`."""
    unit = waiting_unit(rung)
    assert unit is None or 100 < bytes_of(unit) < 2000
    if rung.name not in ("processes", "threads", "promises"):  # the system may not say
        assert (waiting_bytes(rung) is None) == (rung.name in ("blocking", "polling"))


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines that the command prints."""
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def test_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--real` in one more column; no line is wider than 110."""
    head = printed(capsys, "--rung", "callbacks", "--pages", "3")[0]
    assert head == "rung          virtual s  at once  threads  bytes each  in vain  result"
    head, row, *_ = printed(capsys, "--rung", "processes", "--pages", "2", "--real")
    assert head.split()[3:5] == ["real", "s"]
    name, virtual, real, at_once, processes, *_ = row.split()
    assert (name, virtual, at_once, processes) == ("processes", "0.44*", "2", "2")
    assert float(real) > 0.4
    assert sum(COLUMNS.values()) + 2 * (len(COLUMNS) - 1) + max(len(rung.title) for rung in RUNGS) <= 110
    assert len(printed(capsys, "--latency")) == len(TABLE) + 1


def test_a_rung_that_is_not_run_says_why(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    row = printed(capsys, "--rung", "processes", "--pages", "11")[1]
    assert row.split(maxsplit=2) == ["processes", "0.88*", "not run  only with --real: a clock of its own"]
    monkeypatch.delitem(sys.modules, "impl.ladder.rungs.asyncio_end", raising=False)
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    row = printed(capsys, "--rung", "asyncio_end", "--pages", "11")[1]
    assert row.split() == ["asyncio_end", "0.88*", "not", "run", "aiohttp", "is", "not", "installed"]


def test_a_wrong_result_is_status_1(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("impl.ladder.rungs.blocking.run", lambda world, urls: {})
    assert main(["--rung", "blocking"]) == 1
    assert "DIFFERS" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--pages", "1001"], "a number from 1 to"),
        (["--rung", "escalator"], "there is no 'escalator'; there are: blocking,"),
        (["--latency", "--real"], "leave out --real"),
        (["--nonsense"], "unrecognized"),
    ],
)
def test_bad_usage_is_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err


POOL = """
import sys
from impl.ladder.rungs import processes
from impl.ladder.world import real

try:
    world = real.StandardWorld(("127.0.0.1", int(sys.argv[1])))
    processes.run(world, ["http://127.0.0.1/"] * 12)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_no_process_of_the_pool_prints_an_interrupt() -> None:
    """Ctrl-C reaches all processes of the terminal; it is raised once, when the pool has ended."""
    with socket.create_server(("127.0.0.1", 0), backlog=12) as server:
        command = [sys.executable, "-c", POOL, str(server.getsockname()[1])]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True
        ) as process:
            server.accept()[0].close()
            os.killpg(process.pid, signal.SIGINT)
            server.close()
            out, errors = process.communicate(timeout=60)
    assert (process.returncode, out, errors) == (0, "interrupted\n", "")
