"""One connection: its times, half-closes, closes and resets, one small scenario a rule."""

import errno
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.net import IDEAL, READ, WRITE, Fault, NetworkConditions
from impl.net.simulated.conditions import MS
from impl.sim.choices import Choices

from .helpers import Answer, Transcript, connected, network, outcome, pair


def test_calm_weather_draws_nothing() -> None:
    choices = Choices.seeded(1)
    clock, _, client, server = connected(IDEAL, choices)
    assert client.send(b"abc") == 3
    clock.run()
    assert server.recv(9) == b"abc"
    clock.run()
    assert choices.drawn() == {"schedule": [], "network": [], "faults": [], "program": []}


def test_the_observer_is_called_in_order() -> None:
    clock, net = network()
    observer = clock.observer = Transcript()
    client, server = pair(clock, net)
    client.send(b"hi")
    client.send(b"")  # leaves no trace
    client.send_eof()
    clock.run()
    server.recv(9)
    server.close()
    clock.run()
    client.abort()
    here, there = "10.0.0.1:49152", "10.0.0.2:80"
    assert observer.lines[:2] == [f"opened {there} {here}", f"opened {here} {there}"]
    assert ", ".join(observer.lines[2:]) == (
        "sent 2, carried b'hi', closed eof, closed close, closed eof, closed reset"
    )


@pytest.mark.parametrize(
    ("scripted", "drawn", "kinds"),
    [
        ({}, [0, 9, 0], ["opened", "sent", "opened", "carried"]),
        ({"server": Fault.RESET}, [0, 9], ["opened", "sent", "opened", "closed", "closed"]),
    ],
)
def test_an_end_opens_before_anything_arrives_there(
    scripted: dict[str, Fault], drawn: list[int], kinds: list[str]
) -> None:
    """Even if the answer to the connect is slow, and the data after it fast; or a fault strikes both ends."""
    conditions = NetworkConditions(latency_ms_max=10, scripted=scripted)
    clock, net = network(conditions, Choices.listed({"network": drawn}))
    observer = clock.observer = Transcript()
    listener = net.listen(("server", 80))

    def greet(what: int) -> None:
        server: Answer = listener.accept()
        server.send(b"hello")

    listener.watch(greet)
    net.connect(listener.address, lambda answer: None)
    clock.run()
    assert [line.split()[0] for line in observer.lines] == kinds


def test_a_connect_takes_a_way_there_and_a_way_back() -> None:
    clock, net = network(NetworkConditions(latency_ms_min=3, latency_ms_max=3))
    listener = net.listen(("server", 80))
    arrived: list[int] = []
    listener.watch(lambda what: arrived.append(clock.now))
    net.connect(listener.address, lambda answer: arrived.append(clock.now))
    clock.run()
    assert arrived == [3 * MS, 6 * MS]


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 20))
def test_latencies_stay_in_their_range(low: int, spread: int, drawn: int) -> None:
    conditions = NetworkConditions(latency_ms_min=low, latency_ms_max=low + spread)
    assert conditions.latency_ns(Choices.listed({"network": [drawn]})) == (low + min(drawn, spread)) * MS


@given(st.binary(min_size=1, max_size=30), st.integers(1, 40), st.lists(st.integers(0, 30)))
def test_segments_cut_without_loss_and_never_empty(data: bytes, most: int, drawn: list[int]) -> None:
    cut = list(NetworkConditions(segments_max=most).segments(data, Choices.listed({"network": drawn})))
    assert b"".join(cut) == data
    assert all(cut)
    assert len(cut) == 1 + min(drawn[0] if drawn else 0, most - 1, len(data) - 1)


def test_the_window_opens_one_latency_after_the_peer_has_read() -> None:
    clock, _, client, server = connected(NetworkConditions(buffer_bytes=10))
    hints: list[tuple[int, int]] = []
    client.watch(lambda what: hints.append((what, clock.now)))
    assert client.send(bytes(11)) == 10
    clock.run()
    assert client.send(b"x") is None
    read_at = clock.now
    assert server.recv(4) == bytes(4)
    clock.run()
    assert hints == []  # less than half of the buffer causes no window update
    assert server.recv(1) == bytes(1)
    assert client.send(b"x") is None
    clock.run()
    assert hints == [(WRITE, read_at + MS)]
    assert client.send(bytes(11)) == 5


def test_deadlines_of_one_direction_never_tie() -> None:
    clock, _, client, _ = connected(NetworkConditions(segments_max=9), Choices.listed({"network": [8]}))
    client.send(bytes(9))
    client.send_eof()
    assert len({when for when, _, _ in clock.timers}) == len(clock.timers) == 10


@pytest.mark.parametrize(
    ("ended", "again"), [("reset", "close"), ("reset", "abort"), ("eof", "send_eof"), ("eof", "close")]
)
def test_nothing_is_sent_after_a_reset_and_an_end_once(ended: str, again: str) -> None:
    clock, _, client, server = connected()
    if ended == "reset":
        server.abort()
    else:
        client.send_eof()
    clock.run()
    getattr(client, again)()
    assert clock.timers == []
    assert ended == "reset" or server.recv(9) == b""


def test_bytes_for_a_closed_end_are_answered_by_a_reset_after_its_end() -> None:
    clock, _, client, server = connected()
    server.close()
    assert [client.send(b"late"), client.send(b"later")] == [4, 5]
    observer = clock.observer = Transcript()
    clock.run()
    assert client.recv(9) == b""
    assert outcome(client.send, b"x") is BrokenPipeError
    assert observer.lines == ["closed eof", "closed reset"]  # one reset for both


@pytest.mark.parametrize("end", ["send_eof", "cut_off", None])
def test_a_window_update_goes_to_an_end_that_may_send_more(end: str | None) -> None:
    """An update draws a latency, and would move all later draws."""
    clock, _, client, server = connected(NetworkConditions(buffer_bytes=4))
    client.send(b"data")
    clock.run()
    assert client.ready() == 0
    if end:
        getattr(client, end)()
    under_way = len(clock.timers)
    assert server.recv(4) == b"data"
    assert len(clock.timers) == under_way + (end is None)
    clock.run()
    assert end or client.ready() == WRITE


def test_a_closed_end_is_ready_because_each_call_raises() -> None:
    _, _, client, _ = connected()
    assert client.ready() == WRITE
    client.close()
    assert client.ready() == READ | WRITE


def test_after_close_every_call_is_ebadf_and_closing_again_is_nothing() -> None:
    clock, net, client, server = connected()
    for end in (client, server):
        end.close()
        end.close()
        end.abort()
        assert [outcome(end.recv, 1), outcome(end.send, b""), outcome(end.send_eof)] == [errno.EBADF] * 3
    clock.run()
    assert net.connections == ()


@pytest.mark.parametrize("n", [0, -1])
def test_a_receive_of_nothing_is_refused(n: int) -> None:
    _, _, client, _ = connected()
    with pytest.raises(ValueError, match="at least 1 byte"):
        client.recv(n)


def test_no_bytes_are_sent_at_once_and_an_end_with_room_for_one_is_ready() -> None:
    _, _, client, _ = connected(NetworkConditions(buffer_bytes=1))
    assert client.ready() == WRITE
    assert [client.send(b"x"), client.send(b"x"), client.send(b"")] == [1, None, 0]


def test_an_unwatched_watcher_is_called_no_more() -> None:
    clock, _, client, server = connected()
    hints: list[str] = []

    def first(what: int) -> None:
        hints.append("first")

    server.watch(first)
    server.watch(lambda what: hints.append("second"))
    client.send(b"1")
    clock.run()
    server.unwatch(first)
    server.unwatch(first)
    client.send(b"2")
    clock.run()
    assert hints == ["first", "second", "second"]


def test_a_closed_connection_leaves_no_reference_cycle() -> None:
    clock, _, client, server = connected()
    for end in (client, server):
        end.send(b"x")
        end.watch(lambda what, end=end: None)  # type: ignore[misc]  # mypy cannot type a lambda's default
    clock.run()
    refs = [weakref.ref(client), weakref.ref(server)]
    for end in (client, server):
        end.close()
    clock.run()
    del client, server, end
    assert [ref() for ref in refs] == [None, None]
