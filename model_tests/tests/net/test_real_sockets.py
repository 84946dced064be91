"""Cases that only real sockets have: descriptors that run out, look-ups in threads, unread data."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import socket
import threading
from collections.abc import Iterator

import pytest

from impl import CancelledError, DeadlockError, sleep
from impl.net import Conn, Listener, StreamListener, open_stream
from impl.net.real.loop import SocketLoop
from impl.net.real.resolver import Lookup, numeric, system_lookup
from impl.net.real.sockets import TRIES_MAX, SocketNet

from .helpers import Ground, ground_of, no_descriptor_more, table
from .test_real_loop import counted


@pytest.fixture
def ground() -> Iterator[Ground]:
    with ground_of("127.0.0.1") as ground:
        yield ground


@contextlib.contextmanager
def no_descriptor_left() -> Iterator[None]:
    """In the block the process cannot open any more descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest_free = os.dup(0)
    os.close(lowest_free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# --- descriptors that run out --------------------------------------------------------------------------------


async def test_without_descriptors_a_connect_fails_for_its_caller(ground: Ground) -> None:
    async with ground.listen() as listener:
        with no_descriptor_left(), pytest.raises(OSError, match="Too many") as info:
            await open_stream(ground.net, ground.loop, "127.0.0.1", listener.address[1])
        assert info.value.errno == errno.EMFILE
        async with await ground.open(listener.address[1]):
            pass


async def test_without_descriptors_an_accept_fails_for_its_caller_and_the_connection_waits(
    ground: Ground,
) -> None:
    async with ground.listen() as listener, await ground.open(listener.address[1]) as client:
        with no_descriptor_left(), pytest.raises(OSError, match="Too many") as info:
            await listener.accept()
        assert info.value.errno == errno.EMFILE
        async with await listener.accept() as server:
            assert server.remote == client.local


def test_without_descriptors_one_cannot_listen(ground: Ground) -> None:
    with no_descriptor_left(), pytest.raises(OSError, match="Too many"):
        ground.net.listen(("127.0.0.1", 0))


def test_an_address_that_is_not_here(ground: Ground) -> None:
    with pytest.raises(OSError, match="assign") as info:
        ground.net.listen(("192.0.2.1", 0))
    assert info.value.errno == errno.EADDRNOTAVAIL


async def test_a_connect_to_a_name_finds_no_host(ground: Ground) -> None:
    answers: list[Conn | OSError] = []
    ground.net.connect(("localhost", 80), answers.append)
    await sleep(0)
    (error,) = answers
    assert isinstance(error, OSError)
    assert error.errno == errno.EHOSTUNREACH


def test_both_kinds_may_listen_at_one_port(ground: Ground) -> None:
    four = ground.net.listen(("0.0.0.0", 0))
    six = ground.net.listen(("::", four.address[1]))
    four.close()
    six.close()


# --- readiness that a task waits for -------------------------------------------------------------------------


def test_unread_data_costs_nothing(ground: Ground) -> None:
    loop = ground.loop
    assert isinstance(loop, SocketLoop)

    async def main() -> None:
        client, server = await ground.pair()
        async with client, server:
            receiver = loop.create_task(server.receive_some())
            await sleep(0.002)
            await client.send_all(b"x")
            assert await receiver == b"x"
            await client.send_all(b"unread")
            looks = counted(loop)
            await sleep(0.03)
            assert len(looks) <= 3
            assert loop.pending == 0

    loop.run_until_complete(main())


def test_a_peer_that_never_pauses_starves_no_other(ground: Ground) -> None:
    """A reader that always finds data continues for so many tries, then the others run."""
    others: list[int] = []

    async def main() -> None:
        client, server = await ground.pair()
        async with client, server:
            await client.send_all(b"x" * 10 * TRIES_MAX)
            await server.receive_some(1)
            await sleep(0)  # a new iteration
            taken = 0
            ground.loop.call_soon(lambda: others.append(taken))
            while not others:
                taken += len(await server.receive_some(1))

    ground.loop.run_until_complete(main())
    assert others == [TRIES_MAX]


def test_a_listener_that_is_never_idle_starves_no_other(ground: Ground) -> None:
    listener: Listener = ground.net.listen(("127.0.0.1", 0))
    with contextlib.ExitStack() as clients:
        for _ in range(TRIES_MAX + 4):
            clients.enter_context(socket.create_connection(listener.address))
        for expected in (TRIES_MAX, 4):
            accepted = 0
            while (conn := listener.accept()) is not None:
                conn.close()
                accepted += 1
            assert accepted == expected
            ground.loop.run_until_complete(sleep(0.001))
    listener.close()


async def test_an_empty_send_takes_nothing_and_asks_nothing(ground: Ground) -> None:
    client, server = await ground.pair()
    async with client, server:
        await client.send_all(b"")
        assert client.bytes_sent == 0
        with pytest.raises(ValueError, match="at least 1"):
            await client.receive_some(0)


# --- look-ups ------------------------------------------------------------------------------------------------


class Slow:
    """A look-up that lasts until the test releases it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.begun = threading.Semaphore(0)
        self.go = threading.Semaphore(0)

    def __call__(self, host: str) -> tuple[str, ...]:
        self.asked.append(host)
        self.begun.release()
        self.go.acquire()
        return ("127.0.0.1",)

    def join(self) -> None:
        """Release all, and wait for their threads."""
        self.go.release(10)
        for thread in threading.enumerate():
            if thread.name.startswith("look-up of"):
                thread.join()


@pytest.fixture
def slow() -> Iterator[Slow]:
    slow = Slow()
    yield slow
    slow.join()


def network(lookup: Lookup, most: int = 8) -> tuple[SocketLoop, SocketNet]:
    loop = SocketLoop()
    return loop, SocketNet(loop, lookup=lookup, lookups_max=most)


def test_the_loop_goes_on_while_a_name_is_looked_up(slow: Slow) -> None:
    loop, net = network(slow)
    answers: list[object] = []

    async def main() -> None:
        net.resolve("name", answers.append)
        for _ in range(3):
            await sleep(0.001)
        assert answers == []
        slow.go.release()
        while not answers:
            await sleep(0.001)

    loop.run(main())
    assert answers == [("127.0.0.1",)]


def test_a_look_up_under_way_is_no_deadlock(slow: Slow) -> None:
    loop, net = network(slow)
    timer = threading.Timer(0.01, slow.go.release)
    timer.start()

    async def main() -> None:
        with pytest.raises(ConnectionRefusedError):
            await open_stream(net, loop, "name", 1)

    loop.run(main())
    timer.join()


def test_so_many_look_ups_at_once_and_no_more(slow: Slow) -> None:
    loop, net = network(slow, most=2)
    answers: list[object] = []
    questions = [net.resolve(name, answers.append) for name in "abcd"]
    slow.begun.acquire()
    slow.begun.acquire()
    assert sorted(slow.asked) == ["a", "b"]
    questions[2].cancel()  # queued: it never starts
    questions[0].cancel()  # running: its result is dropped
    slow.go.release(4)

    async def main() -> None:
        while len(answers) < 2:
            await sleep(0.001)

    loop.run(main())
    assert sorted(slow.asked) == ["a", "b", "d"]
    assert answers == [("127.0.0.1",)] * 2


def test_a_cancelled_look_up_delays_no_other(slow: Slow) -> None:
    with no_descriptor_more():
        loop, net = network(slow)

        async def main() -> None:
            opening = loop.create_task(open_stream(net, loop, "name", 80))
            await sleep(0.001)
            opening.cancel()
            with pytest.raises(CancelledError):
                await opening
            await loop.create_future()

        with pytest.raises(DeadlockError, match="main for <Future pending>"):
            loop.run(main())


def test_an_answer_for_a_loop_that_is_closed_is_dropped(slow: Slow) -> None:
    loop, net = network(slow, most=1)
    answers: list[object] = []
    net.resolve("first", answers.append)
    net.resolve("second", answers.append)
    slow.begun.acquire()
    loop.close()
    slow.join()
    assert slow.asked == ["first"]
    assert answers == []


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "fe80::1"])
def test_a_numeric_address_is_not_looked_up(slow: Slow, host: str) -> None:
    loop, net = network(slow)
    answers: list[object] = []
    net.resolve(host, answers.append)
    assert answers == []
    loop.run(sleep(0))
    assert answers == [(host,)]
    assert slow.asked == []


def fails(host: str) -> tuple[str, ...]:
    raise ZeroDivisionError("no such table")


@pytest.mark.parametrize("host", ["a..b", "x" * 64 + ".example", "nul\0", ""])
def test_what_can_be_no_name_has_no_address(host: str) -> None:
    """Rejected before any query leaves the machine."""
    assert isinstance(answer(system_lookup, host), socket.gaierror)


def test_a_look_up_always_answers() -> None:
    assert "no such table" in str(answer(fails, "name"))
    assert isinstance(answer(table({"empty": ()}), "empty"), socket.gaierror)
    assert answer(table({"two": ("127.0.0.1", "::1")}), "two") == ("127.0.0.1", "::1")


def answer(lookup: Lookup, host: str) -> object:
    loop, net = network(lookup)
    answers: list[object] = []

    async def main() -> None:
        net.resolve(host, answers.append)
        while not answers:
            await sleep(0.001)

    loop.run(main())
    return answers[0]


def test_the_system_knows_localhost() -> None:
    assert set(system_lookup("localhost")) <= {"127.0.0.1", "::1"}


def test_a_network_that_could_ask_nothing_is_refused(ground: Ground) -> None:
    assert isinstance(ground.loop, SocketLoop)
    with pytest.raises(ValueError, match="at least 1"):
        SocketNet(ground.loop, lookups_max=0)


def test_numeric_addresses_are_distinguished_from_names() -> None:
    assert numeric("127.0.0.1", 80) == (socket.AF_INET, ("127.0.0.1", 80))
    assert numeric("::1", 80) == (socket.AF_INET6, ("::1", 80, 0, 0))
    assert numeric("localhost", 80) is None
    assert numeric("nul\0", 80) is None


def test_a_listener_closed_with_its_loop_leaves_nothing() -> None:
    async def main() -> None:
        async with StreamListener(net.listen(("127.0.0.1", 0)), loop) as listener:
            await listener.accept()

    with no_descriptor_more():
        loop = SocketLoop()
        net = SocketNet(loop)
        loop.create_task(main())
        loop.call_later(0.001, loop.stop)
        loop.run_forever()
        loop.close()
