"""Laws for every script, network conditions and list of choices: data arrives complete and in order, then the end.

Hypothesis writes a script of sends, receives, half-closes and clock steps.  `Line` has two connected ends and a model:
the bytes that each end has accepted, and those that it has returned.  The laws are checked after each line of the
script.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from impl.net import READ, WRITE, Conn, Fault, NetworkConditions
from impl.net.simulated.faults import STRIKES
from impl.sim.choices import Choices

from .helpers import network, pair


class End:
    """One end, its input and output, and whether every change of readiness was announced."""

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
        """Call recv (READ), send (WRITE) or send_eof (0); a call that would block blocks until a hint."""
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

    def send(self, n: int) -> int:
        """Send; return how many bytes were accepted."""
        if self.sent_eof or self.failed:
            return 0
        start = len(self.accepted)
        # Its period is no power of two: a shift would be detected.
        data = bytes((start + i) % 251 for i in range(n))
        taken = self.call(lambda: self.conn.send(data), WRITE)
        if isinstance(taken, int):
            assert 0 < taken <= n
            self.accepted += data[:taken]
        return taken if isinstance(taken, int) else 0

    def recv(self, n: int) -> bool:
        """Receive; return whether bytes arrived."""
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
            self.call(self.conn.send_eof, 0)
            self.sent_eof |= not self.failed  # a second call that fails does not take the first one back


class Line:
    """Two ends under a script, and the laws that hold after each of its lines."""

    def __init__(self, conditions: NetworkConditions, choices: Choices) -> None:
        self.conditions = conditions
        self.clock, net = network(conditions, choices)
        client, server = pair(self.clock, net)
        self.ends = (End(client), End(server))

    def play(self, script: Script) -> None:
        """Do each line of the script, then let everything arrive, and check the laws to the end."""
        for what, side, n in script:
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
        self.drain()

    def check(self) -> None:
        for source, sink in (self.ends, self.ends[::-1]):
            assert source.accepted.startswith(sink.received)
            assert len(source.accepted) - len(sink.received) <= self.conditions.buffer_bytes
            if sink.got_eof:
                assert source.sent_eof
                assert sink.received == source.accepted

    def drain(self) -> None:
        """Let everything arrive and receive it all."""
        more = True
        while more:
            self.clock.run()
            more = sum(end.recv(1000) for end in self.ends) > 0
            self.check()


WEATHERS = st.builds(
    NetworkConditions,
    latency_ms_min=st.integers(0, 2),
    latency_ms_max=st.integers(2, 5),
    segments_max=st.integers(1, 4),
    buffer_bytes=st.integers(1, 40),
)
INTS = st.lists(st.integers(0, 50), max_size=40)
CHOICES = st.fixed_dictionaries({"network": INTS, "schedule": INTS}).map(Choices.listed)
CALLS = st.sampled_from(["send", "recv", "step", "step", "eof"])
SCRIPTS = st.lists(st.tuples(CALLS, st.integers(0, 1), st.integers(1, 50)), max_size=50)
Script = list[tuple[str, int, int]]


@given(WEATHERS, CHOICES, SCRIPTS)
def test_bytes_arrive_in_order_none_lost_and_the_end_after_all(
    conditions: NetworkConditions, choices: Choices, script: Script
) -> None:
    line = Line(conditions, choices)
    line.play(script)
    for source, sink in (line.ends, line.ends[::-1]):
        assert sink.received == source.accepted
        assert sink.got_eof == source.sent_eof
    for end in line.ends:
        if not end.sent_eof:
            told = end.send(1000)  # up to half of the buffer may be free without a window update
            assert conditions.buffer_bytes < 2 * told <= 2 * conditions.buffer_bytes
            line.drain()
            assert end.send(1000) == conditions.buffer_bytes  # now exactly all of it is free again
            assert end.conn.send(b"x") is None


@given(INTS, st.integers(1, 3), st.integers(0, STRIKES - 1), SCRIPTS)
def test_what_comes_through_a_fault_is_a_prefix(values: list[int], kind: int, strike: int, script: Script) -> None:
    conditions = NetworkConditions(
        faults=(Fault.RESET, Fault.SILENT), segments_max=3, buffer_bytes=20, latency_ms_max=3
    )
    faults = [kind, max(strike, 1)]  # silence at 0 would block the connect; kind 3 is no fault
    line = Line(conditions, Choices.listed({"network": values, "faults": faults}))
    line.play(script)
    failed = {end.failed for end in line.ends}
    if kind != 1:
        assert failed == {False}  # silence is not reported
    if kind == 3:
        assert [end.received for end in line.ends] == [end.accepted for end in line.ends[::-1]]
