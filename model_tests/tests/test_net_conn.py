"""Laws of the simulated network at the level of Conn, Listener and Net.

Theory of operation. `Clock` is a kernel of twenty lines: a list of timers that fires those of equal deadline
in any drawn order.  Most laws are checked on `Line`, two connected ends with a model beside them: the bytes
that each end was told are taken, and those that came out.  Hypothesis writes the script, the weather and the
choices; any list of ints is a run.
"""

from __future__ import annotations

import errno
import select
import socket
import struct
import sys
import weakref
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.choices import Choices
from impl.faces import Runnable
from impl.net import CALM, READ, WRITE, Conn, Fault, Net, SimulatedNet, Weather
from impl.net.weather import MS, STRIKES
from impl.observer import Observer


class Clock:
    """All the kernel that the network needs."""

    def __init__(self, choices: Choices | None = None, observer: Observer | None = None) -> None:
        self.now = 0
        self.observer = observer
        self.choices = choices or Choices.plain()
        self.timers: list[tuple[int, int, Runnable]] = []
        self.count = 0

    def at(self, when: int, target: Runnable) -> None:
        self.count += 1
        self.timers.append((max(when, self.now), self.count, target))

    def step(self) -> bool:
        """Fire one timer of the earliest deadline; False: there is none."""
        if not self.timers:
            return False
        self.timers.sort()
        self.now = self.timers[0][0]
        tied = sum(timer[0] == self.now for timer in self.timers)
        _, _, target = self.timers.pop(self.choices.schedule(tied))
        target.run()
        return True

    def run(self) -> None:
        while self.step():
            pass


def network(weather: Weather = CALM, choices: Choices | None = None) -> tuple[Clock, SimulatedNet]:
    choices = choices or Choices.plain()
    clock = Clock(choices)
    net = SimulatedNet(clock, choices, weather)
    net.add_host("server")
    return clock, net


def ask(clock: Clock, net: Net, host: str = "server", port: int = 80) -> list[Conn | OSError]:
    """Connect, and let everything happen that can: the answers that came."""
    answers: list[Conn | OSError] = []
    addresses: list[str] = []
    net.resolve(host, lambda found: addresses.extend(found if isinstance(found, tuple) else ()))
    clock.run()
    (address,) = addresses
    net.connect((address, port), answers.append)
    clock.run()
    return answers


def pair(clock: Clock, net: Net, backlog: int = 1) -> tuple[Conn, Conn]:
    """Two connected ends: the one that connected, and the accepted one."""
    listener = net.listen(("server", 80), backlog)
    (client,) = ask(clock, net)
    server = listener.accept()
    listener.close()
    assert server is not None
    assert not isinstance(client, OSError)
    return client, server


def outcome(fn: Callable[..., object], *args: object) -> object:
    """What a call returns, or the class of the OSError that it raises, or its errno if it is just an OSError."""
    try:
        return fn(*args)
    except OSError as error:
        return error.errno if type(error) is OSError else type(error)


class End:
    """One end, what went in and came out there, and whether every change of mind was announced."""

    def __init__(self, conn: Conn) -> None:
        self.conn = conn
        self.accepted = bytearray()
        self.received = bytearray()
        self.sent_eof = self.got_eof = self.failed = False
        self.inside = False
        self.blocked = 0  # READ and WRITE, since the last "would block" and until the next hint
        conn.watch(self.hint)

    def hint(self, what: int) -> None:
        assert not self.inside, "a watcher was called from within a method"
        self.blocked &= ~what

    def call(self, fn: Callable[[], bytes | int | None], kind: int) -> bytes | int | None:
        """Call recv or send; what would block blocks until a hint."""
        self.inside = True
        try:
            got = fn()
        except ConnectionError:
            self.failed = True
            got = None
        else:
            assert got is None or not self.blocked & kind, "became possible without a hint"
            if got is None:
                self.blocked |= kind
        finally:
            self.inside = False
        return got

    def send(self, n: int) -> None:
        if self.sent_eof or self.failed:
            return
        start = len(self.accepted)
        data = bytes((start + i) % 251 for i in range(n))  # no period of a power of two: a shift would show
        taken = self.call(lambda: self.conn.send(data), WRITE)
        if isinstance(taken, int):
            assert 0 < taken <= n
            self.accepted += data[:taken]

    def recv(self, n: int) -> bool:
        """Whether bytes came."""
        if self.failed:
            return False
        data = self.call(lambda: self.conn.recv(n), READ)
        if data is None:
            assert not self.got_eof, "the end was taken back"
            return False
        assert isinstance(data, bytes)
        assert len(data) <= n
        assert not (data and self.got_eof), "bytes came after the end"
        self.received += data
        self.got_eof = self.got_eof or data == b""
        return data != b""

    def eof(self) -> None:
        if not self.failed:
            self.inside = True
            try:
                self.conn.send_eof()
                self.sent_eof = True
            except ConnectionError:
                self.failed = True
            finally:
                self.inside = False


class Line:
    """Two ends under a script, and the laws that hold after each of its lines."""

    def __init__(self, weather: Weather, choices: Choices) -> None:
        self.weather = weather
        self.clock, net = network(weather, choices)
        client, server = pair(self.clock, net)
        self.ends = (End(client), End(server))

    def do(self, what: str, side: int, n: int) -> None:
        end = self.ends[side]
        if what == "send":
            end.send(n)
        elif what == "recv":
            end.recv(n)
        elif what == "eof":
            end.eof()
        else:
            self.clock.step()
        self.check()

    def check(self) -> None:
        for source, sink in (self.ends, self.ends[::-1]):
            assert source.accepted.startswith(sink.received)
            assert len(source.accepted) - len(sink.received) <= self.weather.buffer_bytes
            if sink.got_eof:
                assert source.sent_eof
                assert sink.received == source.accepted

    def drain(self) -> None:
        """Let everything arrive and take it all."""
        more = True
        while more:
            self.clock.run()
            more = sum(end.recv(1000) for end in self.ends) > 0
            self.check()


WEATHERS = st.builds(
    Weather,
    latency_ms_min=st.integers(0, 2),
    latency_ms_max=st.integers(2, 5),
    segments_max=st.integers(1, 4),
    buffer_bytes=st.integers(1, 40),
)
INTS = st.lists(st.integers(0, 50), max_size=40)
CHOICES = st.fixed_dictionaries({"network": INTS, "schedule": INTS}).map(Choices.listed)
SCRIPTS = st.lists(
    st.tuples(
        st.sampled_from(["send", "recv", "step", "step", "eof"]), st.integers(0, 1), st.integers(1, 50)
    ),
    max_size=50,
)


@given(WEATHERS, CHOICES, SCRIPTS)
def test_bytes_arrive_in_order_none_lost_and_the_end_after_all(
    weather: Weather, choices: Choices, script: list[tuple[str, int, int]]
) -> None:
    line = Line(weather, choices)
    for what, side, n in script:
        line.do(what, side, n)
    line.drain()
    for source, sink in (line.ends, line.ends[::-1]):
        assert sink.received == source.accepted
        assert sink.got_eof == source.sent_eof
    for end in line.ends:  # all room has come back, exactly
        if not end.sent_eof:
            assert end.conn.send(bytes(1000)) == weather.buffer_bytes
            assert end.conn.send(b"x") is None


@given(
    st.lists(st.integers(0, 50), max_size=40),
    st.integers(1, 3),
    st.integers(0, STRIKES - 1),
    SCRIPTS,
)
def test_what_comes_through_a_fault_is_a_prefix(
    values: list[int], kind: int, strike: int, script: list[tuple[str, int, int]]
) -> None:
    weather = Weather(faults=(Fault.RESET, Fault.SILENT), segments_max=3, buffer_bytes=20, latency_ms_max=3)
    faults = [kind, max(strike, 1)]  # silence at 0 would answer no connect; kind 3 is beyond the faults: none
    line = Line(weather, Choices.listed({"network": values, "faults": faults}))
    for what, side, n in script:
        line.do(what, side, n)
    line.drain()  # the laws of `check`, to the end
    failed = {end.failed for end in line.ends}
    if kind != 1:
        assert failed == {False}  # nobody is told of silence
    if kind == 3:
        assert [end.received for end in line.ends] == [end.accepted for end in line.ends[::-1]]


@given(WEATHERS, CHOICES, SCRIPTS)
def test_same_choices_same_transcript(
    weather: Weather, choices: Choices, script: list[tuple[str, int, int]]
) -> None:
    first = transcript(weather, choices, script)
    drawn = choices.drawn()
    assert transcript(weather, Choices.listed(drawn), script) == first


class Transcript(Observer):
    """Every hook, as text."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def opened(self, conn: object, local: str, remote: str) -> None:
        self.lines.append(f"opened {local} {remote}")

    def carried(self, conn: object, data: bytes) -> None:
        self.lines.append(f"carried {data!r}")

    def closed(self, conn: object, how: str) -> None:
        self.lines.append(f"closed {how}")


def transcript(weather: Weather, choices: Choices, script: list[tuple[str, int, int]]) -> list[object]:
    line = Line(weather, choices)
    observer = line.clock.observer = Transcript()
    for what, side, n in script:
        line.do(what, side, n)
    line.drain()
    return [observer.lines, line.clock.now, choices.digest()]


def test_calm_weather_draws_nothing() -> None:
    choices = Choices.seeded(1)
    clock, net = network(CALM, choices)
    client, server = pair(clock, net)
    assert client.send(b"abc") == 3
    clock.run()
    assert server.recv(9) == b"abc"
    clock.run()
    assert choices.drawn() == {"schedule": [], "network": [], "faults": [], "program": []}


def test_the_observer_is_told_what_happens_in_order() -> None:
    clock, net = network()
    observer = clock.observer = Transcript()
    client, server = pair(clock, net)
    client.send(b"hi")
    client.send_eof()
    clock.run()
    server.recv(9)
    server.close()
    clock.run()
    client.abort()
    here, there = "10.0.0.1:49152", "10.0.0.2:80"
    assert observer.lines == [
        f"opened {there} {here}",
        f"opened {here} {there}",
        "carried b'hi'",
        "closed eof",
        "closed close",
        "closed eof",
        "closed reset",
    ]


def test_an_end_opens_before_anything_arrives_there() -> None:
    """Even if the answer to the connect is slow, and the data behind it fast."""
    choices = Choices.listed({"network": [0, 9, 0]})
    clock, net = network(Weather(latency_ms_max=10), choices)
    observer = clock.observer = Transcript()
    listener = net.listen(("server", 80))

    def greet(what: int) -> None:
        server = listener.accept()
        assert server is not None
        server.send(b"hello")

    listener.watch(greet)
    net.connect(listener.address, lambda answer: None)
    clock.run()
    assert [line.split()[0] for line in observer.lines] == ["opened", "opened", "carried"]


# --- time -----------------------------------------------------------------------------------------------


def test_a_connect_takes_a_way_there_and_a_way_back() -> None:
    clock, net = network(Weather(latency_ms_min=3, latency_ms_max=3))
    listener = net.listen(("server", 80))
    arrived: list[int] = []
    listener.watch(lambda what: arrived.append(clock.now))
    net.connect(listener.address, lambda answer: arrived.append(clock.now))
    clock.run()
    assert arrived == [3 * MS, 6 * MS]


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 20))
def test_latencies_stay_in_their_range(low: int, spread: int, drawn: int) -> None:
    weather = Weather(latency_ms_min=low, latency_ms_max=low + spread)
    assert weather.latency_ns(Choices.listed({"network": [drawn]})) == (low + min(drawn, spread)) * MS


@given(st.binary(min_size=1, max_size=30), st.integers(1, 40), st.lists(st.integers(0, 30)))
def test_segments_cut_without_loss_and_never_empty(data: bytes, most: int, drawn: list[int]) -> None:
    cut = list(Weather(segments_max=most).segments(data, Choices.listed({"network": drawn})))
    assert b"".join(cut) == data
    assert all(cut)
    assert len(cut) == 1 + min(drawn[0] if drawn else 0, most - 1, len(data) - 1)


def test_the_window_opens_one_latency_after_the_peer_has_read() -> None:
    clock, net = network(Weather(buffer_bytes=10))
    client, server = pair(clock, net)
    hints: list[tuple[int, int]] = []
    client.watch(lambda what: hints.append((what, clock.now)))
    assert client.send(bytes(11)) == 10
    clock.run()
    assert client.send(b"x") is None
    read_at = clock.now
    assert server.recv(4) == bytes(4)
    assert client.send(b"x") is None
    clock.run()
    assert hints == [(WRITE, read_at + MS)]
    assert client.send(bytes(11)) == 4


def test_deadlines_of_one_direction_never_tie() -> None:
    clock, net = network(Weather(segments_max=9), Choices.listed({"network": [8]}))
    client, _ = pair(clock, net)
    client.send(bytes(9))
    client.send_eof()
    assert len({when for when, _, _ in clock.timers}) == len(clock.timers) == 10


# --- half-close, close, reset ---------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, 1])
def test_a_half_close_leaves_the_other_direction_open(first: int) -> None:
    clock, net = network()
    ends = pair(clock, net)
    one, other = ends[first], ends[1 - first]
    one.send_eof()
    one.send_eof()  # a second call does nothing
    assert outcome(one.send, b"x") is BrokenPipeError
    clock.run()
    assert other.recv(9) == b""
    assert other.send(b"still") == 5
    other.send_eof()
    clock.run()
    assert [one.recv(9), one.recv(9), one.recv(9)] == [b"still", b"", b""]


def test_a_reset_comes_after_what_was_sent_and_stays() -> None:
    clock, net = network()
    client, server = pair(clock, net)
    hints: list[int] = []
    client.watch(hints.append)
    server.send(b"abc")
    server.abort()
    clock.run()
    assert hints == [READ, READ | WRITE]
    assert client.recv(2) == b"ab"
    assert client.recv(2) == b"c"
    for _ in range(2):
        assert outcome(client.recv, 2) is ConnectionResetError
        assert outcome(client.send, b"x") is ConnectionResetError
        assert outcome(client.send_eof) is ConnectionResetError
    client.close()
    assert net.connections == ()


@pytest.mark.parametrize("end", ["close", "abort"])
def test_a_reset_connection_sends_nothing_more(end: str) -> None:
    clock, net = network()
    client, server = pair(clock, net)
    server.abort()
    clock.run()
    getattr(client, end)()
    assert clock.timers == []


def test_close_with_unread_bytes_resets_the_peer() -> None:
    clock, net = network()
    client, server = pair(clock, net)
    client.send(b"unread")
    clock.run()
    server.close()
    clock.run()
    assert outcome(client.recv, 9) is ConnectionResetError


def test_bytes_for_a_closed_end_are_answered_by_a_reset_after_its_end() -> None:
    clock, net = network()
    client, server = pair(clock, net)
    server.close()
    assert [client.send(b"late"), client.send(b"later")] == [4, 5]
    observer = clock.observer = Transcript()
    clock.run()
    assert client.recv(9) == b""
    assert outcome(client.send, b"x") is BrokenPipeError
    assert observer.lines == ["closed eof", "closed reset"]  # one reset for both


def test_after_close_every_call_is_ebadf_and_closing_again_is_nothing() -> None:
    clock, net = network()
    client, server = pair(clock, net)
    for end in (client, server):
        end.close()
        end.close()
        end.abort()
        assert [outcome(end.recv, 1), outcome(end.send, b""), outcome(end.send_eof)] == [errno.EBADF] * 3
    clock.run()
    assert net.connections == ()


@pytest.mark.parametrize("n", [0, -1])
def test_a_receive_of_nothing_is_refused(n: int) -> None:
    client, _ = pair(*network())
    with pytest.raises(ValueError, match="at least 1 byte"):
        client.recv(n)


def test_no_bytes_are_sent_at_once() -> None:
    client, _ = pair(*network(Weather(buffer_bytes=1)))
    assert [client.send(b"x"), client.send(b"x"), client.send(b"")] == [1, None, 0]


def test_an_unwatched_watcher_is_called_no_more() -> None:
    clock, net = network()
    client, server = pair(clock, net)
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
    clock, net = network()
    client, server = pair(clock, net)
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


# --- listening, connecting, names -----------------------------------------------------------------------


def test_nobody_listens() -> None:
    clock, net = network()
    (answer,) = ask(clock, net)
    assert isinstance(answer, ConnectionRefusedError)
    assert answer.errno == errno.ECONNREFUSED


@given(st.integers(1, 5), st.integers(0, 5))
def test_a_full_backlog_refuses_exactly_what_is_over_it(backlog: int, accepted: int) -> None:
    clock, net = network()
    listener = net.listen(("server", 80), backlog)
    answers: list[Conn | OSError] = []
    for _ in range(backlog + 2):
        net.connect(listener.address, answers.append)
    clock.run()
    refused = [isinstance(answer, ConnectionRefusedError) for answer in answers]
    assert refused == [False] * backlog + [True] * 2
    taken = [listener.accept() for _ in range(accepted)]
    assert [conn is not None for conn in taken] == [i < backlog for i in range(accepted)]
    answers.clear()
    for _ in range(backlog):
        net.connect(listener.address, answers.append)
    clock.run()
    assert sum(isinstance(answer, ConnectionRefusedError) for answer in answers) == max(0, backlog - accepted)


def test_connections_are_accepted_in_the_order_of_their_arrival() -> None:
    clock, net = network()
    listener = net.listen(("server", 80))
    answers: list[Conn | OSError] = []
    for _ in range(3):
        net.connect(listener.address, answers.append)
    clock.run()
    clients = [answer for answer in answers if not isinstance(answer, OSError)]
    servers = [conn for conn in iter(listener.accept, None) if conn is not None]
    assert [server.remote for server in servers] == [client.local for client in clients]
    assert [client.local[1] for client in clients] == [49152, 49153, 49154]
    assert {server.local for server in servers} == {client.remote for client in clients} == {("10.0.0.2", 80)}


def test_closing_a_listener_resets_who_waits_and_refuses_who_comes() -> None:
    clock, net = network()
    listener = net.listen(("server", 80))
    (client,) = ask(clock, net)
    listener.close()
    listener.close()
    assert outcome(listener.accept) == errno.EBADF
    clock.run()
    assert not isinstance(client, OSError)
    assert outcome(client.recv, 1) is ConnectionResetError
    assert isinstance(ask(clock, net)[0], ConnectionRefusedError)
    net.listen(("server", 80))  # the place is free again


def test_an_address_that_no_host_has() -> None:
    clock, net = network()
    answers: list[Conn | OSError] = []
    net.connect(("192.0.2.1", 80), answers.append)
    clock.run()
    (answer,) = answers
    assert isinstance(answer, OSError)
    assert answer.errno == errno.EHOSTUNREACH


def test_listening_where_one_cannot() -> None:
    _, net = network()
    net.listen(("server", 80))
    assert outcome(net.listen, ("server", 80)) == errno.EADDRINUSE
    assert outcome(net.listen, ("nowhere", 80)) == errno.EADDRNOTAVAIL
    with pytest.raises(ValueError, match=r"backlog is 0"):
        net.listen(("server", 81), 0)
    with pytest.raises(ValueError, match=r"port is 65536"):
        net.listen(("server", 65536))
    ports = [net.listen(("server", 0)).address[1] for _ in range(3)]
    assert len(set(ports)) == 3


def test_names() -> None:
    clock, net = network(Weather(scripted={"ghost": Fault.NO_SUCH_HOST}))
    net.add_host("ghost")
    assert net.add_host("SERVER") == net.add_host("server")
    answers: list[object] = []
    for host in ("server", "Server", "10.0.0.2", "ghost", "unknown"):
        net.resolve(host, answers.append)
        assert len(answers) == 0  # never before resolve has returned
    clock.run()
    assert answers[:3] == [("10.0.0.2",)] * 3
    for answer in answers[3:]:
        assert isinstance(answer, socket.gaierror)
        assert answer.errno == socket.EAI_NONAME
    with pytest.raises(ValueError, match="needs a name"):
        net.add_host("")


# --- faults ---------------------------------------------------------------------------------------------


def test_scripted_faults_happen_every_time_and_draw_nothing() -> None:
    choices = Choices.seeded(3)
    weather = Weather(
        faults=tuple(Fault),
        scripted={"shut": Fault.REFUSED, "dead": Fault.SILENT, "torn": Fault.RESET},
    )
    clock, net = network(weather, choices)
    for host in ("shut", "dead", "torn"):
        net.add_host(host)
        net.listen((host, 80))
    for _ in range(3):
        assert isinstance(ask(clock, net, "shut")[0], ConnectionRefusedError)
        assert ask(clock, net, "dead") == []
        (torn,) = ask(clock, net, "torn")
        assert not isinstance(torn, OSError)
        assert torn.send(b"x") == 1
        clock.run()
        assert outcome(torn.recv, 1) is ConnectionResetError
    assert choices.drawn()["faults"] == []


def test_drawn_faults_of_a_connection_by_number() -> None:
    """0 is no fault; 1, 2, 3 are refused, reset, silent; what is above is none again."""
    weather = Weather(faults=(Fault.SILENT, Fault.REFUSED, Fault.RESET), fault_one_in=2)

    def draw(*faults: int) -> tuple[Fault | None, int]:
        return weather.connection_fault("server", Choices.listed({"faults": faults}))

    assert [draw(), draw(4), draw(5), draw(99)] == [(None, 0)] * 4  # so it is one of six numbers in two
    assert [draw(1), draw(1, 5)] == [(Fault.REFUSED, 0)] * 2
    assert [draw(2), draw(2, 5), draw(2, 99)] == [
        (Fault.RESET, 0),
        (Fault.RESET, 5),
        (Fault.RESET, STRIKES - 1),
    ]
    assert draw(3, 1) == (Fault.SILENT, 1)


def test_a_drawn_reset_strikes_after_so_many_segments_and_tells_both_ends() -> None:
    weather = Weather(faults=(Fault.RESET,))
    clock, net = network(weather, Choices.listed({"faults": [1, 2]}))
    client, server = pair(clock, net)
    client.send(b"1")
    server.send(b"2")
    client.send(b"3")
    clock.run()
    for end, got in ((client, b"2"), (server, b"1")):
        assert end.recv(9) == got
        assert outcome(end.recv, 9) is ConnectionResetError


def test_a_drawn_silence_swallows_data_and_end_and_keeps_the_room() -> None:
    weather = Weather(faults=(Fault.SILENT,), buffer_bytes=4)
    clock, net = network(weather, Choices.listed({"faults": [1, 1]}))
    client, server = pair(clock, net)
    assert client.send(b"1") == 1
    clock.run()
    assert client.send(b"2345") == 3
    assert client.send(b"5") is None
    clock.run()
    assert server.recv(9) == b"1"
    server.close()
    clock.run()
    assert client.send(b"5") is None  # neither the window update nor the end came through
    assert client.recv(9) is None


def test_a_drawn_look_up_failure() -> None:
    weather = Weather(faults=(Fault.NO_SUCH_HOST,))
    clock, net = network(weather, Choices.listed({"faults": [1]}))
    answers: list[object] = []
    net.resolve("server", answers.append)
    clock.run()
    net.resolve("server", answers.append)
    clock.run()
    assert [type(answer) for answer in answers] == [socket.gaierror, tuple]


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
        Weather(**fields)  # type: ignore[arg-type]  # one field at a time, of several types


# --- against real sockets -------------------------------------------------------------------------------

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="compared with the sockets of Linux")


def loopback() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        server, _ = listener.accept()
    return client, server


@needs_linux
@pytest.mark.parametrize("ending", ["abort", "unread"])
def test_a_real_reset_also_comes_after_what_was_sent(ending: str) -> None:
    client, server = loopback()
    sim_clock, net = network()
    sim_client, sim_server = pair(sim_clock, net)
    server.sendall(b"abc")
    sim_server.send(b"abc")
    if ending == "abort":
        server.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sim_server.abort()
    else:
        client.sendall(b"unread")
        select.select([server], [], [])
        sim_client.send(b"unread")
        sim_clock.run()
        sim_server.close()
    server.close()
    sim_clock.run()
    with client:
        real = [outcome(client.recv, 2) for _ in range(3)]
    simulated = [outcome(sim_client.recv, 2) for _ in range(3)]
    assert real == simulated == [b"ab", b"c", ConnectionResetError]


@needs_linux
def test_a_real_end_also_stays_the_end_when_a_reset_follows() -> None:
    client, server = loopback()
    sim_clock, net = network()
    sim_client, sim_server = pair(sim_clock, net)
    server.sendall(b"abc")
    server.close()
    sim_server.send(b"abc")
    sim_server.close()
    sim_clock.run()
    assert client.recv(9) == sim_client.recv(9) == b"abc"
    assert client.recv(9) == sim_client.recv(9) == b""
    assert client.send(b"x") == sim_client.send(b"x") == 1
    sim_clock.run()
    poll = select.poll()
    poll.register(client, 0)
    poll.poll()  # until the reset is there: it is reported unasked
    with client:
        assert client.recv(9) == sim_client.recv(9) == b""
        assert outcome(client.send, b"x") is outcome(sim_client.send, b"x") is BrokenPipeError
