"""The tests that are known to fail, and why: those of the peers on the simulated loop, and of CPython's internals.

An entry names a test, or a class of tests, of a file, and the thing that it would need; an entry that ends in `]`
names one of a test's parameter sets.  A failing test without an entry, and an entry for a passing test, are both
faults of the list.  `OURS` marks gaps of loopspec that could be closed; the other reasons are outside the purpose
of a simulated loop.  A goal of the project: at most one in twenty of the tests that need none of NEEDS fails.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

DESCRIPTOR: Final = "needs a real descriptor"
THREADS: Final = "needs threads"
SIGNALS: Final = "needs signals"
WALL_CLOCK: Final = "needs the wall clock"
OURS: Final = "ours"
#: CPython's tests of its own internals, which no other implementation passes.
INTERNAL: Final = "internal"
NEEDS: Final = (DESCRIPTOR, THREADS, SIGNALS, WALL_CLOCK)


@dataclass(frozen=True, slots=True)
class KnownFailures:
    """Tests that fail: in `file` (as `package: path`; of CPython FILE.CLASS), those with these names."""

    file: str
    names: tuple[str, ...]
    reason: str
    why: str
    since: tuple[int, ...] = (3, 11)
    until: tuple[int, ...] = (4,)  #: the first Python that it does not apply to

    def meets(self, version: tuple[int, ...]) -> bool:
        """Return whether it applies to that Python."""
        return self.since <= version < self.until

    def covers(self, file: str, test: str) -> bool:
        """Return whether it applies to the test."""
        return file == self.file and any(
            test == name or test.startswith((f"{name}[", f"{name}::")) for name in self.names
        )


_STREAMS: Final = tuple(
    f"TestTLSStream::test_{name}"
    for name in (
        *("send_receive", "extra_attributes", "unwrap", "alpn_negotiation", "ragged_eofs"),
        *("ragged_eof_on_receive", "receive_send_after_eof", "send_eof_not_implemented"),
    )
)

KNOWN: Final = (
    KnownFailures("aiohttp: tests/test_connector.py", ("test_tcp_connector_happy_eyeballs",), OURS,
        "the simulated network has no IPv6"),
    KnownFailures("aiohttp: tests/test_connector.py",
        ("test_unix_connector", "test_unix_connector_not_found", "test_unix_connector_permission"), DESCRIPTOR,
        "a Unix socket, a file"),
    KnownFailures("aiohttp: tests/test_client_functional.py",
        ("test_keepalive_timeout_async_sleep", "test_keepalive_timeout_sync_sleep"), DESCRIPTOR,
        "a fixture binds a socket before any loop runs"),
    KnownFailures("aiohttp: tests/test_client_ws_functional.py",
        ("test_stashed_frames_survive_connection_loss", "test_data_discarded_after_protocol_error",
         "test_tail_bounded_while_a_trace_callback_suspends"), DESCRIPTOR,
        "a fixture binds a socket before any loop runs"),
    KnownFailures("anyio: tests/streams/test_file.py", ("TestFileReadStream", "TestFileWriteStream"), THREADS,
        "files are read in threads of anyio's own"),
    KnownFailures("anyio: tests/streams/test_tls.py",
        (*_STREAMS, "TestTLSListener::test_handshake_fail", "TestTLSListener::test_extra_attributes"), THREADS,
        "the other side is a blocking socket in a thread"),
    KnownFailures("uvloop: tests/test_base.py",
        ("TestBaseUV::test_call_soon_threadsafe_safety", "TestBaseUV::test_check_thread",
         "TestBaseUV::test_thread_name_prefix_in_default_executor"), THREADS,
        "another thread calls the loop, or is asked for its name"),
    KnownFailures("uvloop: tests/test_base.py",
        ("TestBaseUV::test_call_at", "TestBaseUV::test_call_later_1", "TestBaseUV::test_call_later_2"), WALL_CLOCK,
        "the real time of a run is measured from outside of it"),
    KnownFailures("uvloop: tests/test_base.py",
        ("TestBaseUV::test_debug_slow_callbacks", "TestBaseUV::test_debug_slow_timer_callbacks",
         "TestBaseUV::test_debug_slow_task_callbacks"), WALL_CLOCK,
        "debugging tells of slow callbacks; here a callback takes no time"),
)  # fmt: skip


def known(file: str, test: str, version: tuple[int, ...] = sys.version_info[:3]) -> KnownFailures | None:
    """Return the entry for a test, or None."""
    return next((entry for entry in KNOWN if entry.meets(version) and entry.covers(file, test)), None)


INTERNALS: Final = (
    KnownFailures("test_graph.TestCallStackPy",
        ("test_stack_as_completed", "test_stack_as_completed_timeout", "test_stack_tgroup", "test_stack_wait",
         "test_stack_wait_for_non_positive_timeout"), INTERNAL,
        "compares the names of asyncio's private functions", (3, 14)),
    KnownFailures("test_graph.TestCallStackPy", ("test_stack_future",), INTERNAL,
        "the text must show an address: ours has none, so that equal runs print equal graphs", (3, 14)),
)  # fmt: skip


def internals(release: tuple[int, ...], table: tuple[KnownFailures, ...] = INTERNALS) -> Iterator[tuple[str, str]]:
    """Yield the tests of a release that only CPython passes, each with its reason."""
    for entry in table:
        if entry.meets(release):
            yield from ((f"{entry.file}.{name}", entry.why) for name in entry.names)
