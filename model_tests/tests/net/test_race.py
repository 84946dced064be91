"""open_stream and the addresses of a host (RFC 8305): which is tried when, which wins, and the cancel of the others."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest

from impl import CancelledError, Choices, Loop
from impl.net import (
    Conn,
    Fault,
    NetworkConditions,
    PendingRequest,
    SimulatedNet,
    Stream,
    StreamListener,
    open_stream,
)
from impl.net.race import interleaved

from .helpers import bound, no_descriptor_more, table

MS = 1_000_000


@pytest.mark.parametrize(
    ("given", "tried"),
    [
        (["::1", "::2", "::3", "1.1.1.1", "1.1.1.2"], ["::1", "1.1.1.1", "::2", "1.1.1.2", "::3"]),
        (["1.1.1.1", "1.1.1.2", "::1"], ["1.1.1.1", "::1", "1.1.1.2"]),
        (["1.1.1.1", "1.1.1.2"], ["1.1.1.1", "1.1.1.2"]),
        (["::1"], ["::1"]),
    ],
)
def test_the_kinds_take_turns(given: list[str], tried: list[str]) -> None:
    assert interleaved(given) == tuple(tried)


# --- the simulated network -----------------------------------------------------------------------------------


class World:
    """A host "many" with three addresses, a latency of 1 ms each way; each test chooses the listeners."""

    def __init__(self, **scripted: Fault) -> None:
        self.loop = Loop()
        conditions = NetworkConditions(
            scripted={f"10.0.0.{name[1:]}": fault for name, fault in scripted.items()}
        )
        self.net = SimulatedNet(self.loop, Choices.plain(), conditions)
        self.net.add_host("many", 3)

    def listen(self, *last: int) -> None:
        for number in last:
            self.net.listen((f"10.0.0.{number}", 80))

    def open(self) -> tuple[Stream, int]:
        """Return the stream, and the time when it was connected, in virtual milliseconds."""
        stream = self.loop.run_until_complete(open_stream(self.net, self.loop, "many", 80))
        return stream, self.loop.now // MS


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


def test_the_first_address_has_no_rival_while_it_is_in_time() -> None:
    world = World()
    world.listen(2, 3, 4)
    stream, ms = world.open()
    assert (stream.remote, ms) == (("10.0.0.2", 80), 3)
    assert len(world.net.connections) == 2


def test_after_a_refusal_the_next_is_tried_at_once() -> None:
    world = World()
    world.listen(4)
    stream, ms = world.open()
    assert (stream.remote, ms) == (("10.0.0.4", 80), 1 + 2 + 2 + 2)


def test_after_silence_the_next_is_tried_beside_it() -> None:
    world = World(_2=Fault.SILENT, _3=Fault.SILENT)
    world.listen(4)
    stream, ms = world.open()
    assert (stream.remote, ms) == (("10.0.0.4", 80), 1 + 250 + 250 + 2)
    assert world.loop.next_event() is None


def test_the_error_of_the_last_attempt_is_raised() -> None:
    world = World()
    with pytest.raises(ConnectionRefusedError, match=r"10\.0\.0\.4:80"):
        world.open()
    assert world.loop.now == 7 * MS


# --- a network that answers by hand --------------------------------------------------------------------------


class Script:
    """A network whose answers the test gives, with a record of requests and cancels."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.log: list[str] = []
        self.done: dict[str, Callable[[Conn | OSError], None]] = {}
        self._sim = SimulatedNet(loop, Choices.plain())
        self._sim.add_host("server")

    def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> PendingRequest:
        self.loop.call_soon(done, ("::1", "::2", "10.0.0.2"))
        return Question(self, "resolve")

    def connect(self, address: tuple[str, int], done: Callable[[Conn | OSError], None], /) -> PendingRequest:
        self.log.append(f"{self.loop.now // MS} {address[0]}")
        self.done[address[0]] = done
        return Question(self, address[0])

    def listen(self, address: tuple[str, int], backlog: int = 100, /) -> object:
        raise NotImplementedError

    def conn(self) -> Conn:
        """A real connection, to answer with."""
        answers: list[Conn | OSError] = []
        listener = self._sim.listen(("server", 0))
        self._sim.connect(listener.address, answers.append)
        while not answers:
            self.loop.advance(self.loop.now + MS)
            while self.loop.ready:
                self.loop.step()
        listener.close()
        (conn,) = answers
        assert not isinstance(conn, OSError)
        return conn


class Question:
    def __init__(self, script: Script, name: str) -> None:
        self._script = script
        self._name = name

    def cancel(self) -> None:
        self._script.done.pop(self._name, None)


def begun(ms: int) -> tuple[Loop, Script, Callable[[], Stream], Callable[[], bool]]:
    """Return a race that has run for so long, with a function that ends it and one that cancels it."""
    loop = Loop()
    script = Script(loop)
    task = loop.create_task(open_stream(script, loop, "name", 80))  # type: ignore[arg-type]  # it never listens
    loop.call_at(ms / 1000, loop.stop)
    loop.run_forever()
    return loop, script, lambda: loop.run_until_complete(task), task.cancel


def test_each_attempt_has_its_250_ms() -> None:
    _, script, _, _ = begun(600)
    assert script.log == ["0 ::1", "250 10.0.0.2", "500 ::2"]


def test_a_failure_brings_the_next_one_and_the_clock_starts_anew() -> None:
    loop, script, _, _ = begun(100)
    script.done["::1"](ConnectionRefusedError())
    loop.call_at(0.6, loop.stop)
    loop.run_forever()
    assert script.log == ["0 ::1", "100 10.0.0.2", "350 ::2"]


@pytest.mark.parametrize("winner", ["::1", "10.0.0.2"])
def test_the_first_answer_wins_and_the_others_are_cancelled(winner: str) -> None:
    _, script, end, _ = begun(400)
    conn = script.conn()
    script.done[winner](conn)
    assert script.done == {}  # in the same step
    assert end().remote == conn.remote
    assert script.log == ["0 ::1", "250 10.0.0.2"]


@pytest.mark.parametrize("ms", [10, 300])
def test_a_cancel_gives_all_attempts_up(ms: int) -> None:
    loop, script, end, cancel = begun(ms)
    assert cancel()
    with pytest.raises(CancelledError):
        end()
    assert script.done == {}
    assert loop.next_event() is None


def test_the_winner_of_a_cancelled_race_is_closed() -> None:
    _, script, end, cancel = begun(10)
    conn = script.conn()
    script.done["::1"](conn)
    cancel()
    with pytest.raises(CancelledError):
        end()
    with pytest.raises(OSError, match="closed"):
        conn.recv(1)


def test_the_time_of_a_loser_does_not_matter_after_all_have_failed() -> None:
    loop, script, end, _ = begun(600)
    for name in ("::2", "::1", "10.0.0.2"):
        script.done[name](ConnectionRefusedError(name))
    with pytest.raises(ConnectionRefusedError, match=r"10\.0\.0\.2"):
        end()
    assert loop.now == 600 * MS


# --- the real network ----------------------------------------------------------------------------------------


def test_on_real_sockets_the_second_kind_wins_where_the_first_is_refused() -> None:
    from impl.net.real.loop import SocketLoop
    from impl.net.real.sockets import SocketNet

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


def test_the_name_comes_first() -> None:
    async def main() -> None:
        net = SimulatedNet(loop, Choices.plain())
        with pytest.raises(socket.gaierror):
            await open_stream(net, loop, "nowhere", 80)

    loop = Loop()
    loop.run(main())
