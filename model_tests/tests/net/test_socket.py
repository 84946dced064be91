"""The states and calls of a simulated socket, without a runtime; some beside the sockets of the operating system."""

import errno
import socket
from collections.abc import Callable
from functools import partial

import pytest

from impl.net import IDEAL, READ, WRITE, NetworkConditions, SimulatedNet
from impl.net.simulated.network import CALLER
from impl.net.simulated.socket import NO_DESCRIPTOR, Socket

from .helpers import Answer, Clock, code_of, network

Answers = list[Answer]


def made(conditions: NetworkConditions = IDEAL) -> tuple[Clock, SimulatedNet, Socket]:
    """A network, and a socket that listens on it, at port 80 of a host."""
    clock, net = network(conditions)
    listener = Socket(net, NO_DESCRIPTOR)
    listener.bind_to((net.add_host("here"), 80))
    listener.listen()
    return clock, net, listener


def connecting(net: SimulatedNet, listener: Socket) -> tuple[Socket, Answers]:
    """A socket that has begun to connect, and the list into which the answer comes."""
    sock, answers = Socket(net, NO_DESCRIPTOR + 1), Answers()
    sock.begin_connect(listener.getsockname(), answers.append)
    return sock, answers


def pair(conditions: NetworkConditions = IDEAL) -> tuple[Clock, Socket, Socket]:
    """A socket that has connected, and the accepted one."""
    clock, net, listener = made(conditions)
    near, answers = connecting(net, listener)
    clock.run()
    far, accepted = Socket(net, NO_DESCRIPTOR + 2), Answers([listener.try_accept()])
    near.become(answers[0])
    far.become(accepted[0])
    return clock, near, far


def test_a_socket_that_connects_is_ready_for_nothing_and_connects_once() -> None:
    clock, net, listener = made()
    sock, answers = connecting(net, listener)
    assert sock.ready() == 0
    assert code_of(lambda: sock.begin_connect(("10.0.0.2", 80), answers.append)) == errno.EALREADY
    clock.run()
    (answer,) = answers
    assert listener.ready() == READ
    sock.become(answer)
    assert sock.ready() == WRITE
    assert code_of(lambda: sock.begin_connect(("10.0.0.2", 80), answers.append)) == errno.EISCONN
    assert (sock.getpeername(), sock.getsockname()[0]) == (listener.getsockname(), CALLER)


def test_a_connect_that_is_cancelled_can_be_begun_again() -> None:
    clock, net, listener = made()
    sock, answers = Socket(net, NO_DESCRIPTOR), Answers()
    sock.begin_connect(listener.getsockname(), answers.append).cancel()
    assert sock.ready() == READ | WRITE
    sock.begin_connect(listener.getsockname(), answers.append)
    clock.run()
    assert len(answers) == 1


@pytest.mark.parametrize("before_the_answer", [True, False])
def test_a_socket_that_is_closed_while_it_connects_leaves_no_connection(before_the_answer: bool) -> None:
    clock, net, listener = made()
    sock, answers = connecting(net, listener)
    if before_the_answer:
        sock.close()
    clock.run()
    assert len(answers) == (not before_the_answer)
    sock.close()
    for answer in answers:
        assert code_of(partial(sock.become, answer)) == errno.EBADF
    clock.run()
    listener.close()
    assert net.connections == ()


def test_readiness_takes_nothing_and_follows_the_room() -> None:
    clock, near, far = pair(NetworkConditions(buffer_bytes=4))
    assert near.try_send(b"abcd") == 4
    assert (near.ready(), near.try_send(b"e")) == (0, None)
    clock.run()
    assert far.ready() == far.ready() == READ | WRITE
    assert far.try_recv(9) == b"abcd"
    assert (far.try_recv(9), far.ready()) == (None, WRITE)
    clock.run()
    assert near.ready() == WRITE


def test_both_halves_of_a_connection_are_shut_down_as_by_the_operating_system() -> None:
    """SHUT_RD: bytes that have arrived can still be received, then there is the end; a task that waits is woken."""
    _, near, far = pair()
    sockets = socket.socketpair()
    hints: list[int] = []
    far.end().watch(hints.append)
    far.shutdown(socket.SHUT_RD)
    sockets[1].shutdown(socket.SHUT_RD)
    assert far.try_recv(9) == sockets[1].recv(9) == b""
    assert (hints, far.ready()) == ([READ], READ | WRITE)
    assert far.try_send(b"x") == sockets[1].send(b"x") == 1
    near.shutdown(socket.SHUT_RDWR)
    sockets[0].shutdown(socket.SHUT_RDWR)
    for sock in sockets:
        sock.close()
    assert near.try_recv(9) == b""
    assert code_of(lambda: near.try_send(b"x")) == errno.EPIPE


def test_the_error_of_a_connect_is_returned_once() -> None:
    _, net = network()
    sock = Socket(net, NO_DESCRIPTOR)
    sock.error = OSError(errno.ECONNREFUSED, "")
    codes = [sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) for _ in range(2)]
    assert codes == [errno.ECONNREFUSED, 0]


def test_a_socket_that_is_closed_or_new_refuses_calls() -> None:
    _, net = network()
    new, closed = Socket(net, NO_DESCRIPTOR), Socket(net, NO_DESCRIPTOR)
    closed.close()
    assert closed.fileno() == -1
    calls: list[Callable[[Socket], object]] = [Socket.end, Socket.getpeername]
    calls += [lambda sock: sock.try_recv(0), lambda sock: sock.try_send(b"x")]
    for call in calls:
        codes = code_of(partial(call, new)), code_of(partial(call, closed))
        assert codes == (errno.ENOTCONN, errno.EBADF)
    assert (code_of(new.try_accept), code_of(closed.try_accept)) == (errno.EINVAL, errno.EBADF)
    assert code_of(lambda: Socket(net, NO_DESCRIPTOR, socket.AF_INET6)) == errno.EAFNOSUPPORT
