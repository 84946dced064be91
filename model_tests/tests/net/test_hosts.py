"""Listening, connecting, names, and faults of the network: one small scenario per rule."""

import errno
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.net import Fault, NetworkConditions, SimulatedNet
from impl.net.simulated.faults import STRIKES
from impl.sim.choices import Choices

from .helpers import Answer, Clock, ask, connected, network, outcome


def connects(clock: Clock, net: SimulatedNet, address: tuple[str, int], count: int) -> list[Answer]:
    """The answers to so many connects at once."""
    answers: list[Answer] = []
    for _ in range(count):
        net.connect(address, answers.append)
    clock.run()
    return answers


@given(st.integers(1, 5), st.integers(0, 5))
def test_a_full_backlog_refuses_exactly_what_is_over_it(backlog: int, accepted: int) -> None:
    clock, net = network()
    listener = net.listen(("server", 80), backlog)
    answers = connects(clock, net, listener.address, backlog + 2)
    refused = [isinstance(answer, ConnectionRefusedError) for answer in answers]
    assert refused == [False] * backlog + [True] * 2
    taken = [listener.accept() for _ in range(accepted)]
    assert [conn is not None for conn in taken] == [i < backlog for i in range(accepted)]
    answers = connects(clock, net, listener.address, backlog)
    assert sum(isinstance(answer, ConnectionRefusedError) for answer in answers) == max(0, backlog - accepted)


def test_connections_are_accepted_in_the_order_of_their_arrival() -> None:
    clock, net = network()
    listener = net.listen(("server", 80))
    clients = connects(clock, net, listener.address, 3)
    servers: list[Answer] = [*iter(listener.accept, None)]
    assert [server.remote for server in servers] == [client.local for client in clients]
    assert [client.local[1] for client in clients] == [49152, 49153, 49154]
    assert {server.local for server in servers} == {client.remote for client in clients} == {("10.0.0.2", 80)}


def test_a_closed_listener_resets_the_oldest_connection_first() -> None:
    """So the latency that is drawn first is that of the oldest."""
    conditions = NetworkConditions(latency_ms_max=9)
    clock, net = network(conditions, Choices.listed({"network": [0, 0, 0, 0, 0, 9]}))
    listener = net.listen(("server", 80))
    reset: list[int] = []
    for number, client in enumerate(connects(clock, net, listener.address, 2)):
        client.watch(lambda what, number=number: reset.append(number))
    listener.close()
    clock.run()
    assert reset == [0, 1]


def test_by_default_100_connections_may_wait() -> None:
    clock, net = network()
    answers = connects(clock, net, net.listen(("server", 80)).address, 101)
    assert [isinstance(answer, OSError) for answer in answers] == [False] * 100 + [True]


@pytest.mark.parametrize(("host", "code"), [("10.0.0.2", errno.ECONNREFUSED), ("192.0.2.1", errno.EHOSTUNREACH)])
def test_an_address_where_nothing_listens_or_is(host: str, code: int) -> None:
    clock, net = network()
    (answer,) = connects(clock, net, (host, 80), 1)
    assert isinstance(answer, OSError)
    assert answer.errno == code
    assert f"{host}:80" in str(answer)


def test_a_port_that_is_taken_is_not_given_out() -> None:
    """The contract of both networks lists the other addresses that cannot be listened at."""
    _, net = network()
    first = net.datagrams(("server", 0)).address[1]
    net.datagrams(("server", first + 1))
    assert net.datagrams(("server", 0)).address[1] == first + 2
    assert len({net.listen(("server", 0)).address[1] for _ in range(3)}) == 3


def test_names() -> None:
    clock, net = network(NetworkConditions(scripted={"ghost": Fault.NO_SUCH_HOST}))
    net.add_host("ghost")
    assert net.add_host("SERVER") == net.add_host("server")
    answers: list[object] = []
    for host in ("server", "Server", "10.0.0.2", "ghost", "unknown"):
        net.resolve(host, answers.append)
    assert answers == []  # never before resolve has returned
    clock.run()
    assert answers[:3] == [("10.0.0.2",)] * 3
    for answer in answers[3:]:
        assert isinstance(answer, socket.gaierror)
        assert answer.errno == socket.EAI_NONAME
    with pytest.raises(ValueError, match="needs a name"):
        net.add_host("")


def test_scripted_faults_happen_every_time_and_draw_nothing() -> None:
    choices = Choices.seeded(3)
    scripted = {"shut": Fault.REFUSED, "dead": Fault.SILENT, "torn": Fault.RESET}
    conditions = NetworkConditions(faults=tuple(Fault), scripted=scripted)
    clock, net = network(conditions, choices)
    for host in ("shut", "dead", "torn"):
        net.add_host(host)
        net.listen((host, 80))
    for _ in range(3):
        assert isinstance(ask(clock, net, "shut")[0], ConnectionRefusedError)
        assert ask(clock, net, "dead") == []
        (torn,) = ask(clock, net, "torn")
        assert torn.send(b"x") == 1
        clock.run()
        assert outcome(torn.recv, 1) is ConnectionResetError
    assert choices.drawn()["faults"] == []


def test_drawn_faults_of_a_connection_by_number() -> None:
    """0 is no fault; 1, 2, 3 are refused, reset, silent; higher numbers are no fault: three of six, one in two."""
    conditions = NetworkConditions(faults=(Fault.SILENT, Fault.REFUSED, Fault.RESET), fault_one_in=2)

    def draw(*faults: int) -> tuple[Fault | None, int]:
        return conditions.connection_fault("server", Choices.listed({"faults": faults}))

    assert [draw(), draw(4), draw(5), draw(99)] == [(None, 0)] * 4
    assert [draw(1), draw(1, 5)] == [(Fault.REFUSED, 0)] * 2
    assert [draw(2), draw(2, 5), draw(2, 99)] == [(Fault.RESET, strike) for strike in (0, 5, STRIKES - 1)]
    assert draw(3, 1) == (Fault.SILENT, 1)


def test_a_drawn_reset_strikes_after_so_many_segments_and_tells_both_ends() -> None:
    conditions = NetworkConditions(faults=(Fault.RESET,))
    clock, _, client, server = connected(conditions, Choices.listed({"faults": [1, 2]}))
    client.send(b"1")
    server.send(b"2")
    client.send(b"3")
    clock.run()
    for end, got in ((client, b"2"), (server, b"1")):
        assert end.recv(9) == got
        assert outcome(end.recv, 9) is ConnectionResetError


def test_a_drawn_silence_swallows_data_and_end_and_keeps_the_room() -> None:
    conditions = NetworkConditions(faults=(Fault.SILENT,), buffer_bytes=4)
    clock, _, client, server = connected(conditions, Choices.listed({"faults": [1, 1]}))
    assert client.send(b"1") == 1
    clock.run()
    assert client.send(b"2345") == 3
    assert client.send(b"5") is None
    clock.run()
    assert server.recv(9) == b"1"
    server.close()
    clock.run()
    assert client.send(b"5") is None  # neither the window update nor the end arrived
    assert client.recv(9) is None


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"latency_ms_min": -1}, "latency_ms_min is -1"),
        ({"latency_ms_min": 5, "latency_ms_max": 4}, "latency_ms_max is 4"),
        ({"segments_max": 0}, "segments_max is 0"),
        ({"buffer_bytes": 0}, "buffer_bytes is 0"),
        ({"fault_one_in": 1}, "fault_one_in is 1"),
        ({"faults": (Fault.RESET, Fault.RESET)}, "faults names a fault twice"),
    ],
)
def test_weather_that_makes_no_sense(fields: dict[str, int], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        NetworkConditions(**fields)  # type: ignore[arg-type]  # one field at a time, of several types
