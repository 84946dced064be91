"""open_stream and the addresses of a host (RFC 8305): which is tried when, which wins, and the cancel of the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from impl import CancelledError, Choices, Loop
from impl.net import Fault, NetworkConditions, SimulatedNet, Stream, StreamListener, open_stream
from impl.net.race import interleaved
from impl.net.real.loop import SocketLoop
from impl.net.real.sockets import SocketNet

from .helpers import bound, connected, no_descriptor_more, table

MS = 1_000_000


@pytest.mark.parametrize(
    ("given", "tried"),
    [
        ("::1 ::2 ::3 1.1.1.1 1.1.1.2", "::1 1.1.1.1 ::2 1.1.1.2 ::3"),
        ("1.1.1.1 1.1.1.2 ::1", "1.1.1.1 ::1 1.1.1.2"),
        ("1.1.1.1 1.1.1.2", "1.1.1.1 1.1.1.2"),
        ("::1", "::1"),
    ],
)
def test_the_kinds_take_turns(given: str, tried: str) -> None:
    assert interleaved(given.split()) == tuple(tried.split())


class World:
    """A host "many" with three addresses, a latency of 1 ms each way; each test chooses the listeners."""

    def __init__(self, *silent: int) -> None:
        self.loop = Loop()
        conditions = NetworkConditions(scripted={f"10.0.0.{last}": Fault.SILENT for last in silent})
        self.net = SimulatedNet(self.loop, Choices.plain(), conditions)
        self.net.add_host("many", 3)

    def open(self) -> tuple[str, int]:
        """Return the address of the stream, and the time when it was connected, in virtual milliseconds."""
        stream = self.loop.run_until_complete(open_stream(self.net, self.loop, "many", 80))
        return stream.remote[0], self.loop.now // MS


def test_a_host_may_have_many_addresses() -> None:
    world = World()
    assert world.net.add_host("MANY", 3) == "10.0.0.2"
    assert world.net.add_host("next") == "10.0.0.5"
    with pytest.raises(ValueError, match="3 addresses"):
        world.net.add_host("many", 2)
    with pytest.raises(ValueError, match="count is 0"):
        world.net.add_host("none", 0)
    answers: list[object] = []
    world.net.resolve("many", answers.append)
    world.loop.advance(MS)
    world.loop.step()
    assert answers == [("10.0.0.2", "10.0.0.3", "10.0.0.4")]


@pytest.mark.parametrize(
    ("silent", "listeners", "winner", "ms"),
    [
        ((), (2, 3, 4), "10.0.0.2", 1 + 2),  # the first has no rival while it is in time
        ((), (4,), "10.0.0.4", 1 + 2 + 2 + 2),  # after a refusal the next is tried at once
        ((2, 3), (4,), "10.0.0.4", 1 + 250 + 250 + 2),  # after silence the next is tried beside it
    ],
)
def test_when_the_next_is_tried(silent: tuple[int, ...], listeners: tuple[int, ...], winner: str, ms: int) -> None:
    world = World(*silent)
    for last in listeners:
        world.net.listen((f"10.0.0.{last}", 80))
    assert world.open() == (winner, ms)
    assert len(world.net.connections) == 2
    assert world.loop.next_event() is None


def test_the_error_of_the_last_attempt_is_raised() -> None:
    world = World()
    with pytest.raises(ConnectionRefusedError, match=r"10\.0\.0\.4:80"):
        world.open()
    assert world.loop.now == 7 * MS


class Attempt(NamedTuple):
    script: Script
    name: str

    def cancel(self) -> None:
        self.script.done.pop(self.name, None)


class Script(SimulatedNet):
    """A network that gets its answers from the test, with a record of requests and cancels."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.log: list[str] = []
        self.done: dict[str, Callable[[Any], None]] = {}

    def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> Attempt:
        self.loop.call_soon(done, ("::1", "::2", "10.0.0.2"))
        return Attempt(self, "resolve")

    def connect(self, address: tuple[str, int], done: Callable[[Any], None], /, **near: Any) -> Attempt:
        self.log.append(f"{self.loop.now // MS} {address[0]}")
        self.done[address[0]] = done
        return Attempt(self, address[0])


class Race:
    """A race that has run for so long."""

    def __init__(self, ms: int) -> None:
        self.loop = Loop()
        self.script = Script(self.loop)
        self.task = self.loop.create_task(open_stream(self.script, self.loop, "name", 80))
        self.until(ms)

    def until(self, ms: int) -> None:
        self.loop.call_at(ms / 1000, self.loop.stop)
        self.loop.run_forever()

    def end(self) -> Stream:
        return self.loop.run_until_complete(self.task)

    def fail(self, *names: str) -> None:
        for name in names:
            self.script.done[name](ConnectionRefusedError(name))


@pytest.mark.parametrize(
    ("failed_at", "log"),
    [(None, ["0 ::1", "250 10.0.0.2", "500 ::2"]), (100, ["0 ::1", "100 10.0.0.2", "350 ::2"])],
)
def test_each_attempt_has_its_250_ms(failed_at: int | None, log: list[str]) -> None:
    """A failure brings the next one, and the clock starts anew."""
    race = Race(100)
    if failed_at:
        race.fail("::1")
    race.until(600)
    assert race.script.log == log


@pytest.mark.parametrize("winner", ["::1", "10.0.0.2"])
def test_the_first_answer_wins_and_the_others_are_cancelled(winner: str) -> None:
    race = Race(400)
    conn = connected()[2]
    race.script.done[winner](conn)
    assert race.script.done == {}  # in the same step
    assert race.end().remote == conn.remote
    assert race.script.log == ["0 ::1", "250 10.0.0.2"]


@pytest.mark.parametrize("ms", [10, 300])
def test_a_cancel_gives_all_attempts_up(ms: int) -> None:
    race = Race(ms)
    assert race.task.cancel()
    with pytest.raises(CancelledError):
        race.end()
    assert race.script.done == {}
    assert race.loop.next_event() is None


def test_the_winner_of_a_cancelled_race_is_closed() -> None:
    race = Race(10)
    conn = connected()[2]
    race.script.done["::1"](conn)
    race.task.cancel()
    with pytest.raises(CancelledError):
        race.end()
    with pytest.raises(OSError, match="closed"):
        conn.recv(1)


def test_the_time_of_a_loser_does_not_matter_after_all_have_failed() -> None:
    race = Race(600)
    race.fail("::2", "::1", "10.0.0.2")
    with pytest.raises(ConnectionRefusedError, match=r"10\.0\.0\.2"):
        race.end()
    assert race.loop.now == 600 * MS


def test_on_real_sockets_the_second_kind_wins_where_the_first_is_refused() -> None:
    with no_descriptor_more():
        loop = SocketLoop()
        net = SocketNet(loop, lookup=table({"both": ("::1", "127.0.0.1")}))

        async def main() -> None:
            async with StreamListener(net.listen(("127.0.0.1", 0)), loop) as listener:
                port = listener.address[1]
                with bound("::1", port):
                    async with await open_stream(net, loop, "both", port) as stream:
                        assert stream.remote == ("127.0.0.1", port)
            with pytest.raises(ConnectionRefusedError, match=rf"127\.0\.0\.1:{port}"):
                await open_stream(net, loop, "both", port)

        loop.run(main())
