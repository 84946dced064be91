"""A real server as a host of the simulated network: its races are found and named, and it hangs no search."""

import asyncio
import os
import re
import ssl
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from impl.bridges.asyncio.run import simulate
from impl.bridges.before_run import BeforeRunFailed
from impl.bridges.network import Network, reaching
from impl.errors import DeadlockError
from impl.explore import KeepsState, explore
from impl.explore.parallel import explore_parallel
from impl.net import NetworkConditions
from impl.net.outside import hosts
from impl.net.outside import server as patience

from ...commands import cli
from .conftest import FakeServer

pytest_plugins = "pytester"
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="the fake server has a Unix socket"),
    # A program that fails leaves its streams open.
    pytest.mark.filterwarnings("ignore:(loop is|unclosed)", "ignore:Exception ignored"),
]

# Any in this file: the results of programs.
Program = Callable[[], Coroutine[Any, Any, Any]]
Captured = pytest.CaptureFixture[str]


class Client:
    """A connection of a program."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def ask(self, line: str) -> str:
        self.writer.write(f"{line}\n".encode())
        return (await self.reader.readline()).decode().strip()

    async def close(self) -> None:
        self.writer.close()
        await self.writer.wait_closed()


async def connected(port: int, **options: Any) -> Client:
    return Client(*await asyncio.open_connection("localhost", port, **options))


def shop(port: int, atomic: bool = False) -> Program:
    """Two tasks that count in the server: by one command, or by two."""

    async def main() -> None:
        first, second = await connected(port), await connected(port)
        await first.ask("SET n 0")

        async def count(client: Client) -> None:
            if atomic:
                await client.ask("ADD n 1")
            else:
                n = int(await client.ask("GET n"))
                await client.ask(f"SET n {n + 1}")

        await asyncio.gather(count(first), count(second))
        n = await first.ask("GET n")
        await first.close()
        await second.close()
        assert n == "2", n

    return main


def test_a_lost_update_is_found_and_named(server: FakeServer) -> None:
    found = explore(shop(server.port), outside=server.outside)
    assert found.failure is not None
    assert found.failure.repeats == "again in 10 of 10 runs"
    said = found.report()
    assert re.search(rf"  {server.outside}: count \d asks it \(line \d+\) before count \d asks it", said)
    assert f"again in 10 of 10 runs\nfailed ({found.runs} run" in said
    assert f"outside of the determinism: {server.outside}" in said
    assert found.as_json()["repeats"] == "again in 10 of 10 runs"
    token = found.failure.simple.token
    assert explore(shop(server.port), outside=[server.outside], token=token).verdict == "failed"
    mended = explore(shop(server.port, atomic=True), outside=server.outside, runs=20, late=0)
    assert (mended.verdict, mended.failures) == ("not exhausted", 0)
    every = explore(shop(server.port, atomic=True), outside=server.outside, every=True, runs=5, late=0)
    assert f"outside of the determinism: {server.outside}" in every.reason


def test_equal_choices_are_equal_runs(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as the server answers alike."""
    network = reaching(Network(NetworkConditions(latency_ms_max=9, segments_max=3)), [server.outside])
    assert network is not None
    simulate(shop(server.port), seed=0, network=network)  # the server may greet: that is known afterwards
    monkeypatch.setattr(patience, "_SURE_LEAST_S", 2.0)  # a busy machine makes no difference
    for seed in range(3):
        runs = [simulate(shop(server.port), seed=seed, order="any", network=network) for _ in range(3)]
        assert len({(run.digest, run.token, run.said) for run in runs}) == 1


def locks(port: int, orders: tuple[str, str], seconds: float) -> Program:
    async def main() -> None:
        clients = [await connected(port), await connected(port)]

        async def take(client: Client, names: str) -> None:
            for name in names:
                answer = await client.ask(f"LOCK {name} {seconds}")
                assert answer == "ok", answer
                await asyncio.sleep(0.001)
            await client.close()  # which releases the locks

        await asyncio.gather(*map(take, clients, orders))

    return main


def test_a_server_that_waits_lets_the_others_go_on(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "_SURE_S", 0.2)
    found = explore(locks(server.port, ("ab", "ab"), 5), outside=server.outside, runs=10, late=0)
    assert found.failures == 0, found.report()
    found = explore(locks(server.port, ("ab", "ba"), 0.1), outside=server.outside, late=0)
    assert list(found.outcomes)[-1] == "AssertionError: deadlock"
    assert found.failure is not None
    assert found.failure.repeats == "again in 10 of 10 runs"


def test_a_message_goes_to_the_task_that_waits_for_it(server: FakeServer) -> None:
    async def main() -> str:
        reader, teller = await connected(server.port), await connected(server.port)
        await reader.ask("READ")
        waits = asyncio.ensure_future(reader.reader.readline())
        await teller.ask("TELL hello")
        said = (await waits).decode()
        await reader.close()
        await teller.close()
        return said

    found = explore(main, outside=server.outside, runs=12, late=0)
    assert list(found.outcomes) == ["returned 'hello\\n'"]


def _mute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test wait for seconds."""
    monkeypatch.setattr(patience, "_LAST_S", (0.03,))
    for name in ("_SURE_S", "_NEW_S"):
        monkeypatch.setattr(patience, name, 0.03)
    for name in ("_ENDLESS_S", "_UNREAD_S"):
        monkeypatch.setattr(hosts, name, 0.03)


async def _deadlock_of_both(port: int) -> None:
    """A lock of the program, and one of the server."""
    client, other = await connected(port), await connected(port)
    lock = asyncio.Lock()

    async def first() -> None:
        async with lock:
            await asyncio.sleep(0.5)
            await client.ask("LOCK x 99")

    async def second() -> None:
        await other.ask("LOCK x 99")
        async with lock:
            pass

    await asyncio.gather(first(), second())


@pytest.mark.parametrize(("program", "error", "said"), [
    (lambda port: _asks(port, "HANG"), DeadlockError, "as 127.0.0.1:{port} does not answer"),
    (_deadlock_of_both, DeadlockError, "as 127.0.0.1:{port} does not answer"),
    (lambda port: _asks(port, "BYE", expected=""), type(None), ""),
    (lambda port: _asks(port, "BIG 300000", rest=300_000), type(None), ""),
    (lambda port: _asks(port, "FLOOD", rest=300_000), type(None), ""),
    (lambda port: _asks(port, "DEAF\n" + "x" * 20_000_000, expected=""), type(None), ""),
])  # fmt: skip
def test_a_server_that_ends_or_never_answers_hangs_nothing(
    server: FakeServer,
    monkeypatch: pytest.MonkeyPatch,
    program: Callable[[int], Awaitable[Any]],
    error: type,
    said: str,
) -> None:
    _mute(monkeypatch)
    begun, network = time.monotonic(), reaching(None, [server.outside])
    assert network is not None

    async def main() -> None:
        await program(server.port)

    for seed in range(3):
        run = simulate(main, seed=seed, network=network)
        assert isinstance(run.error, error), run.error
        assert said.format(port=server.port) in str(run.error)
    assert time.monotonic() - begun < 20


async def _asks(port: int, line: str, expected: str = "ok", rest: int = 0) -> None:
    client = await connected(port, limit=1000)
    if rest:
        client.writer.write(f"{line}\n".encode())
        assert await client.reader.readexactly(rest) == b"x" * rest
    else:
        assert await client.ask(line) == expected
    await client.close()


def test_tls_and_unix_sockets(server: FakeServer) -> None:
    async def secret() -> None:
        context = ssl.create_default_context(cafile=server.authority)
        client = await connected(server.secret, ssl=context, server_hostname="localhost")
        await client.ask("SET s 3")
        assert await client.ask("GET s") == "3"
        await client.close()

    async def local() -> None:
        client = Client(*await asyncio.open_unix_connection(server.path))
        await client.ask("SET u 4")
        assert await client.ask("GET u") == "4"
        await client.close()

    for program, outside in ((secret, f"localhost:{server.secret}"), (local, server.path)):
        found = explore(program, outside=outside, runs=10, late=0)
        assert list(found.outcomes) == ["returned None"], found.report()
    refused = simulate(local)
    assert "--outside with its path" in str(refused.error)


def test_something_may_reset_the_server_before_each_run(server: FakeServer, tmp_path: Path) -> None:
    calls: list[int] = []

    async def count_up() -> None:
        client = await connected(server.port)
        await client.ask("ADD up 1")
        await client.close()
        assert len(calls) == 1, "no reset"
        calls.clear()

    assert explore(count_up, outside=server.outside, before_run=lambda: calls.append(1), runs=12).failures == 0
    log = tmp_path / "log"
    command = f"{sys.executable} -c \"open('{log}', 'a').write('x')\""
    found = explore(shop(server.port, atomic=True), outside=server.outside, before_run=command, runs=3, late=0)
    assert found.failures == 0
    assert len(log.read_text()) >= 3
    with pytest.raises(BeforeRunFailed, match="before_run: false ended with status 1"):
        explore(count_up, outside=server.outside, before_run="false")
    with pytest.raises(TypeError, match="before_run is 1: it must be a command, or a function"):
        explore(count_up, before_run=1)  # type: ignore[arg-type]


def test_a_failure_that_does_not_come_again_is_no_finding(server: FakeServer) -> None:
    runs: list[int] = []

    async def flaky() -> None:
        client = await connected(server.port)
        await client.close()
        runs.append(1)
        assert len(runs) != 3

    with pytest.raises(KeepsState, match=rf"outside of .*: {server.outside}: run \d ended .* in none of 10 runs"):
        explore(flaky, outside=server.outside)


def test_faults_strike_it_and_no_descriptor_is_left(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    _mute(monkeypatch)
    before = len(os.listdir("/proc/self/fd"))
    found = explore(shop(server.port), outside=server.outside, faults="all", runs=40, keep_going=True, late=0)
    assert found.runs == 40
    assert len(found.struck) > 4
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize(("arguments", "said"), [
    (["--outside", "nowhere"], "'nowhere' is neither HOST:PORT nor the path of a Unix socket"),
    (["--outside", "[::1]:80"], "the simulated network has IPv4 only"),
    (["--outside", "127.0.0.1:1"], "127.0.0.1:1 cannot be reached: "),
    (["--outside", "/no/such/socket"], "/no/such/socket cannot be reached: "),
    (["--before-run", "false"], "before_run: false ended with status 1"),
    (["--outside", "OUTSIDE", "--runtime", "trio"], "is for programs of asyncio, not of trio"),
])  # fmt: skip
def test_a_wrong_use_is_one_line(
    server: FakeServer, tmp_path: Path, capsys: Captured, arguments: list[str], said: str
) -> None:
    (file := tmp_path / "program.py").write_text("async def main():\n    pass\n", encoding="utf-8")
    for command in ("explore", "run"):
        words = [word.replace("OUTSIDE", server.outside) for word in arguments]
        assert cli.main([command, *words, f"{file}:main"]) == 2
        assert re.fullmatch(f"loopspec {command}: .*{re.escape(said)}.*\n", capsys.readouterr().err)


def test_without_the_flag_the_error_names_it(server: FakeServer) -> None:
    run = simulate(shop(server.port))
    assert isinstance(run.error, ConnectionRefusedError)
    assert "nothing simulates it; --outside HOST:PORT names a real server" in str(run.error)
    with pytest.raises(ValueError, match="leave out `outside`"):
        explore_parallel(shop(server.port), outside=server.outside)


def test_the_command_the_project_and_the_plugin(
    server: FakeServer, pytester: pytest.Pytester, capsys: Captured
) -> None:
    file = pytester.makepyfile(
        "import asyncio\n"
        "async def test_shop():\n"
        f"    r, w = await asyncio.open_connection('localhost', {server.port})\n"
        "    w.write(b'GET plugin\\n')\n"
        "    assert await r.readline() == b'0\\n'\n"
        "    w.close()\n"
    )
    options = ("-p", "no:cacheprovider", "-p", "no:asyncio", "--explore", "--explore-runs", "12")
    pytester.runpytest_inprocess(*options, "--explore-outside", server.outside).assert_outcomes(passed=1)
    assert cli.main(["run", "--outside", server.outside, f"{file}:test_shop"]) == 0
    pytester.makepyprojecttoml(f"[tool.loopspec.explore]\noutside = ['{server.outside}']\nruns = 12\n")
    pytester.runpytest_inprocess(*options).assert_outcomes(passed=1)
    assert cli.main(["explore", f"{file}:test_shop"]) == 0
    assert f"outside of the determinism: {server.outside}" in capsys.readouterr().out
