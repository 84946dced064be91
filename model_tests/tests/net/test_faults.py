"""Faults as values: their texts, the effect of each, its rate and scope, swarms, and the end of all faults."""

import socket
from collections import Counter
from dataclasses import replace

import pytest

from impl.bridges.network import Network
from impl.net import Fault, FaultRule, Listener, NetworkConditions, SimulatedNet
from impl.net.simulated.connection import SimConn
from impl.net.simulated.faults import (
    DELAYS_S,
    DRIP_MS,
    FLOOD_BYTES,
    LIMIT_CONNECTIONS,
    STREAM_FAULTS,
    fault_of,
)
from impl.sim.choices import Choices

from .helpers import Answer, Clock, ask, connected, network, outcome

S = 1_000_000_000


def under(
    fault: Fault, *drawn: int, hosts: tuple[str, ...] = (), until_ms: int | None = None
) -> tuple[Clock, SimulatedNet, Listener, Counter[Fault]]:
    """A network with a listener: its first connect meets `fault`, with the draws for it; and its tally."""
    conditions = NetworkConditions(faults=(FaultRule(fault, 2, hosts),), faults_until_ms=until_ms)
    clock, net = network(conditions, Choices.listed({"faults": [1, *drawn]}))
    return clock, net, net.listen(("server", 80)), conditions.tally


def ends(fault: Fault, *drawn: int) -> tuple[Clock, SimConn, SimConn, Counter[Fault]]:
    clock, net, listener, tally = under(fault, *drawn)
    (client,) = ask(clock, net)
    server: Answer = listener.accept()
    return clock, client, server, tally


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("reset", Fault.RESET),
        ("reset/20", FaultRule(Fault.RESET, 20)),
        ("slow@db.test", None),
        ("outage@db.test", FaultRule(Fault.OUTAGE, 7, ("db.test",))),
        ("half-close/3@A.test+b.test", FaultRule(Fault.HALF_CLOSE, 3, ("a.test", "b.test"))),
        ("reset/1", None),
        ("reset/", None),
        ("", None),
    ],
)
def test_a_fault_as_text(text: str, value: Fault | FaultRule | None) -> None:
    if value is None:
        with pytest.raises(ValueError, match=r"no such fault: .*NAME\[/N\]|at most one in 2"):
            fault_of(text, 7)
    else:
        assert fault_of(text, 7) == value


def test_tokens_of_networks_without_new_faults_are_the_old_ones() -> None:
    """The digests are those of the first release."""
    assert Network().digest().hex() == "ecc22edc6154"
    stormy = NetworkConditions(latency_ms_max=50, faults=(Fault.RESET,), scripted={"a": Fault.SILENT})
    assert Network(stormy).digest().hex() == "9d63df4b7feb"
    stormy.tally[Fault.RESET] += 1
    assert Network(stormy).digest().hex() == "9d63df4b7feb"
    assert Network(replace(stormy, swarm=True)).digest() != Network(stormy).digest()


@pytest.mark.parametrize("fault", [Fault.DROP, Fault.SILENT])
def test_a_dropped_connect_gets_no_answer(fault: Fault) -> None:
    """Nor one that is silent from its first segment on."""
    clock, net, _, tally = under(fault)
    assert ask(clock, net) == []
    assert len(ask(clock, net)) == 1
    assert tally == {fault: 1}


@pytest.mark.parametrize("number", range(len(DELAYS_S)))
def test_a_delayed_connect_arrives_later(number: int) -> None:
    clock, _, _, tally = ends(Fault.DELAY, number)
    assert clock.now // S == DELAYS_S[number]
    assert tally == {Fault.DELAY: 1}


def test_a_duplicate_is_accepted_and_ends_at_once() -> None:
    clock, net, listener, tally = under(Fault.DUPLICATE)
    (client,) = ask(clock, net)
    accepted: list[Answer] = [listener.accept() for _ in range(2)]
    assert [each.recv(1) for each in accepted] == [None, b""]
    assert [each.remote[0] for each in accepted] == ["10.0.0.1"] * 2
    assert client.remote == listener.address
    assert tally == {Fault.DUPLICATE: 1}


def test_a_reordered_connect_is_overtaken() -> None:
    clock, net, _, tally = under(Fault.REORDER)
    order: list[int] = []
    for number in (1, 2):
        net.connect((net.address("server"), 80), lambda answer, number=number: order.append(number))  # type: ignore[misc]
    clock.run()
    assert order == [2, 1]
    assert tally == {Fault.REORDER: 1}


def test_half_close_ends_one_direction() -> None:
    clock, client, server, tally = ends(Fault.HALF_CLOSE, 1)
    assert [server.send(data) for data in (b"kept", b"lost", b"lost")] == [4, 4, 4]
    clock.run()
    assert [client.recv(9), client.recv(9)] == [b"kept", b""]
    assert client.send(b"still") == 5
    clock.run()
    assert server.recv(9) == b"still"
    assert all(server.send(b"x" * 65536) for _ in range(3))  # its sender has room for ever
    server.abort()
    clock.run()
    assert outcome(client.send, b"x") is BrokenPipeError  # a reset arrives all the same
    assert tally == {Fault.HALF_CLOSE: 1}


def test_truncation_is_an_end_to_the_one_and_a_reset_to_the_other() -> None:
    clock, client, server, tally = ends(Fault.TRUNCATE, 1)
    server.send(b"kept")
    server.send(b"lost")
    clock.run()
    assert [client.recv(9), client.recv(9)] == [b"kept", b""]
    assert outcome(server.recv, 9) is ConnectionResetError
    assert tally == {Fault.TRUNCATE: 1}


def test_a_drip_is_slow_and_whole() -> None:
    clock, client, server, tally = ends(Fault.DRIP)
    began = clock.now
    data = bytes(range(100))
    server.send(data[:50])
    server.send(data[50:])
    server.send_eof()
    clock.run()
    assert [client.recv(999), client.recv(9)] == [data, b""]
    assert clock.now - began > 10 * DRIP_MS * 1_000_000
    assert tally == {Fault.DRIP: 1}


def test_garbage_has_the_length_of_one_segment() -> None:
    clock, client, server, tally = ends(Fault.GARBAGE)
    server.send(b"abc")
    server.send(b"def")
    clock.run()
    got = client.recv(99) or b""
    assert (len(got), got[:3] == b"abc", got[3:]) == (6, False, b"def")
    assert tally == {Fault.GARBAGE: 1}


def test_oversize_floods_the_receiver_and_the_room_is_right_afterwards() -> None:
    clock, client, server, tally = ends(Fault.OVERSIZE)
    server.send(b"abc")
    clock.run()
    assert server.send(b"x") is None
    assert len(client.recv(1 << 20) or b"") == FLOOD_BYTES + 3
    clock.run()
    assert server.send(b"x" * (1 << 20)) == 65536
    assert tally == {Fault.OVERSIZE: 1}


@pytest.mark.parametrize("fault", STREAM_FAULTS)
def test_a_stream_without_data_is_struck_at_its_end_or_not_at_all(fault: Fault) -> None:
    clock, client, server, tally = ends(fault, 1)
    client.send(b"x")
    server.send_eof()
    clock.run()
    expected = {Fault.RESET: ConnectionResetError, Fault.SILENT: None}.get(fault, b"")
    assert outcome(client.recv, 9) == expected
    assert sum(tally.values()) == (fault not in (Fault.DRIP, Fault.GARBAGE, Fault.OVERSIZE))


def test_an_outage_resets_and_refuses_until_the_host_returns() -> None:
    conditions = NetworkConditions(faults=(FaultRule(Fault.OUTAGE, 2),))
    clock, net = network(conditions, Choices.listed({"faults": [0, 1, 3]}))
    net.listen(("server", 80))
    (before,) = ask(clock, net)
    answers: list[object] = []
    net.connect((net.address("server"), 80), answers.append)
    down = clock.now
    while not answers:
        clock.step()
    net.connect((net.address("server"), 80), answers.append)
    clock.run()
    assert [type(answer) for answer in answers] == [ConnectionRefusedError] * 2
    assert outcome(before.recv, 9) is ConnectionResetError
    clock.now = down + 4 * S  # it has returned
    assert not isinstance(ask(clock, net)[0], OSError)
    assert conditions.tally == {Fault.OUTAGE: 1, Fault.REFUSED: 1}


def test_a_partition_keeps_everything_back_until_it_heals() -> None:
    conditions = NetworkConditions(faults=(FaultRule(Fault.PARTITION, 2),))
    clock, net = network(conditions, Choices.listed({"faults": [0, 1, 1]}))
    listener = net.listen(("server", 80))
    (client,) = ask(clock, net)
    server: Answer = listener.accept()
    cut = clock.now
    answers: list[object] = []
    net.connect((net.address("server"), 80), answers.append)
    server.send(b"late")
    clock.run()
    assert client.recv(9) == b"late"
    assert len(answers) == 1
    assert clock.now - cut >= 2 * S
    assert conditions.tally == {Fault.PARTITION: 1}


def test_a_limit_of_connections() -> None:
    conditions = NetworkConditions(faults=(FaultRule(Fault.LIMIT, 2),))
    clock, net = network(conditions, Choices.listed({"faults": [1] * 9}))
    net.listen(("server", 80))
    answers = [ask(clock, net)[0] for _ in range(LIMIT_CONNECTIONS + 1)]
    refused = [isinstance(answer, ConnectionRefusedError) for answer in answers]
    assert refused == [False] * LIMIT_CONNECTIONS + [True]
    assert conditions.tally == {Fault.LIMIT: 1}


@pytest.mark.parametrize("rule", [Fault.NO_SUCH_HOST, FaultRule(Fault.NO_SUCH_HOST, 2)])
def test_a_rule_for_look_ups(rule: Fault | FaultRule) -> None:
    conditions = NetworkConditions(faults=(rule,))
    clock, net = network(conditions, Choices.listed({"faults": [1]}))
    answers: list[object] = []
    for _ in range(2):
        net.resolve("server", answers.append)
        clock.run()
    assert [type(answer) for answer in answers] == [socket.gaierror, tuple]
    assert conditions.tally == {Fault.NO_SUCH_HOST: 1}


def test_a_rule_is_for_its_hosts() -> None:
    clock, net, _, tally = under(Fault.DROP, hosts=("other",))
    net.add_host("other")
    net.listen(("other", 80))
    assert [len(ask(clock, net, host)) for host in ("server", "other")] == [1, 0]
    assert tally == {Fault.DROP: 1}


def test_faults_stop() -> None:
    """A rule that would strike does not, a host returns, and a drip flows."""
    clock, net, _, tally = under(Fault.OUTAGE, 9, until_ms=1500)
    assert isinstance(ask(clock, net)[0], ConnectionRefusedError)
    clock.now = 1500 * 1_000_000
    assert not isinstance(ask(clock, net)[0], OSError)
    assert tally == {Fault.OUTAGE: 1}
    with pytest.raises(ValueError, match="faults_until_ms is -1"):
        NetworkConditions(faults_until_ms=-1)


def test_a_swarm_leaves_rules_out() -> None:
    """The first draws of a run decide it, one a rule; 0 keeps a rule."""
    rules = (FaultRule(Fault.DROP, 2), FaultRule(Fault.LIMIT, 2), Fault.DUPLICATE)
    conditions = NetworkConditions(faults=rules, swarm=True, fault_one_in=2)
    for drawn, answers in (([0, 0, 0, 1], 0), ([1, 0, 0, 1], 1), ([1, 1, 1, 1, 1, 1], 1)):
        clock, net = network(conditions, Choices.listed({"faults": drawn}))
        net.listen(("server", 80))
        assert len(ask(clock, net)) == answers
    assert conditions.tally == {Fault.DROP: 1, Fault.DUPLICATE: 1}


def test_a_run_of_zeros_has_no_fault() -> None:
    conditions = NetworkConditions(faults=tuple(Fault), swarm=True)
    clock, _, client, server = connected(conditions)
    client.send(b"x")
    clock.run()
    assert server.recv(9) == b"x"
    assert conditions.tally == {}


def test_the_default_network_names_no_new_field() -> None:
    assert repr(NetworkConditions()).endswith("swarm=False, faults_until_ms=None)")
