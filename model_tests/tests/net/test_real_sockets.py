"""Cases that only real sockets have: descriptors that run out, look-ups in threads, unread data."""

import contextlib
import errno
import socket
import threading
from collections.abc import Iterator

import pytest

from impl import CancelledError, DeadlockError, sleep
from impl.net import Conn, Listener, PendingRequest, Stream, StreamListener, open_stream
from impl.net.real.loop import SocketLoop
from impl.net.real.resolver import Lookup, numeric, system_lookup
from impl.net.real.sockets import TRIES_MAX, SocketNet

from .helpers import Ground, descriptors_left, ground_of, no_descriptor_more, table
from .test_real_loop import counted


@pytest.fixture
def ground() -> Iterator[Ground]:
    with ground_of("127.0.0.1") as ground:
        yield ground


async def test_without_descriptors_a_call_fails_for_its_caller(ground: Ground) -> None:
    """A connect, an accept with a waiting connection, and a listen."""
    async with ground.listen() as listener:
        address = ("127.0.0.1", listener.address[1])
        with descriptors_left(0), pytest.raises(OSError, match="Too many") as info:
            await open_stream(ground.net, ground.loop, *address)
        assert info.value.errno == errno.EMFILE
        async with await ground.open(address[1]) as client:
            with descriptors_left(0), pytest.raises(OSError, match="Too many") as info:
                await listener.accept()
            assert info.value.errno == errno.EMFILE
            async with await listener.accept() as server:
                assert server.remote == client.local
    with descriptors_left(0), pytest.raises(OSError, match="Too many"):
        ground.net.listen(("127.0.0.1", 0))


async def test_what_is_no_address_of_a_host(ground: Ground) -> None:
    with pytest.raises(OSError, match="assign") as info:
        ground.net.listen(("192.0.2.1", 0))
    assert info.value.errno == errno.EADDRNOTAVAIL
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


async def test_unread_data_costs_nothing(ground: Ground, client: Stream, server: Stream) -> None:
    loop = ground.loop
    assert isinstance(loop, SocketLoop)
    receiver = loop.create_task(server.receive_some())
    await sleep(0.002)
    await client.send_all(b"x")
    assert await receiver == b"x"
    await client.send_all(b"unread")
    looks = counted(loop)
    await sleep(0.03)
    assert len(looks) <= 3
    assert loop.pending == 0


async def test_a_peer_that_never_pauses_starves_no_other(ground: Ground, client: Stream, server: Stream) -> None:
    """A reader that always finds data continues for so many tries, then the others run."""
    others: list[int] = []
    await client.send_all(b"x" * 10 * TRIES_MAX)
    await server.receive_some(1)
    await sleep(0)  # a new iteration
    taken = 0
    ground.loop.call_soon(lambda: others.append(taken))
    while not others:
        taken += len(await server.receive_some(1))
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


async def test_an_empty_send_takes_nothing_and_asks_nothing(client: Stream) -> None:
    await client.send_all(b"")
    assert client.bytes_sent == 0
    with pytest.raises(ValueError, match="at least 1"):
        await client.receive_some(0)


class Slow:
    """A network that delays look-ups until the test releases them."""

    def __init__(self, most: int) -> None:
        self.loop = SocketLoop()
        self.net = SocketNet(self.loop, lookup=self.lookup, lookups_max=most)
        self.asked: list[str] = []
        self.answers: list[object] = []
        self.begun = threading.Semaphore(0)
        self.go = threading.Semaphore(0)

    def lookup(self, host: str) -> tuple[str, ...]:
        self.asked.append(host)
        self.begun.release()
        self.go.acquire()
        return ("127.0.0.1",)

    def resolve(self, *hosts: str) -> list[PendingRequest]:
        return [self.net.resolve(host, self.answers.append) for host in hosts]

    async def answered(self, count: int) -> None:
        while len(self.answers) < count:
            await sleep(0.001)

    def join(self) -> None:
        """Release all, and wait for their threads."""
        self.go.release(10)
        for thread in threading.enumerate():
            if thread.name.startswith("look-up of"):
                thread.join()


@pytest.fixture
def slow(request: pytest.FixtureRequest) -> Iterator[Slow]:
    slow = Slow(getattr(request, "param", 8))
    with no_descriptor_more():
        yield slow
        slow.join()
        slow.loop.close()


def at_once(most: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("slow", [most], indirect=True)


def test_the_loop_goes_on_while_a_name_is_looked_up(slow: Slow) -> None:
    slow.resolve("name")
    slow.loop.run_until_complete(sleep(0.003))
    assert slow.answers == []
    slow.go.release()
    slow.loop.run(slow.answered(1))
    assert slow.answers == [("127.0.0.1",)]


def test_a_look_up_under_way_is_no_deadlock(slow: Slow) -> None:
    timer = threading.Timer(0.01, slow.go.release)
    timer.start()
    with pytest.raises(ConnectionRefusedError):
        slow.loop.run(open_stream(slow.net, slow.loop, "name", 1))
    timer.join()


@at_once(2)
def test_so_many_look_ups_at_once_and_no_more(slow: Slow) -> None:
    questions = slow.resolve("a", "b", "c", "d")
    slow.begun.acquire()
    slow.begun.acquire()
    assert sorted(slow.asked) == ["a", "b"]
    questions[2].cancel()  # queued: it never starts
    questions[0].cancel()  # running: its result is dropped
    slow.go.release(4)
    slow.loop.run(slow.answered(2))
    assert sorted(slow.asked) == ["a", "b", "d"]
    assert slow.answers == [("127.0.0.1",)] * 2


def test_a_cancelled_look_up_delays_no_other(slow: Slow) -> None:
    async def main() -> None:
        opening = slow.loop.create_task(open_stream(slow.net, slow.loop, "name", 80))
        await sleep(0.001)
        opening.cancel()
        with pytest.raises(CancelledError):
            await opening
        await slow.loop.create_future()

    with pytest.raises(DeadlockError, match="main for <Future pending>"):
        slow.loop.run(main())


@at_once(1)
def test_an_answer_for_a_loop_that_is_closed_is_dropped(slow: Slow) -> None:
    slow.resolve("first", "second")
    slow.begun.acquire()
    slow.loop.close()
    slow.join()
    assert (slow.asked, slow.answers) == (["first"], [])


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "fe80::1"])
def test_a_numeric_address_is_not_looked_up(slow: Slow, host: str) -> None:
    slow.resolve(host)
    assert slow.answers == []
    slow.loop.run(sleep(0))
    assert (slow.answers, slow.asked) == ([(host,)], [])


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
    loop = SocketLoop()
    answers: list[object] = []

    async def main() -> None:
        SocketNet(loop, lookup=lookup).resolve(host, answers.append)
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
