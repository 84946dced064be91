"""CPython's tests of its own internals: no other implementation passes them, so each is listed with its reason.

A test that fails and is not listed is a fault, and so is a listed one that passes or is not there any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Internal:
    """Tests of a class, and why only CPython passes them."""

    where: str  #: FILE.CLASS
    names: tuple[str, ...]
    why: str
    since: tuple[int, ...] = (3, 11)  #: the first release that has them
    until: tuple[int, ...] = (4,)  #: the first release that has them no more


INTERNALS: Final = (
    Internal(
        "test_graph.TestCallStackPy",
        (
            *("test_stack_as_completed", "test_stack_as_completed_timeout", "test_stack_tgroup"),
            *("test_stack_wait", "test_stack_wait_for_non_positive_timeout"),
        ),
        "compares the names of asyncio's private functions",
        (3, 14),
    ),
    Internal(
        "test_graph.TestCallStackPy",
        ("test_stack_future",),
        "the text must show an address: ours has none, so that equal runs print equal graphs",
        (3, 14),
    ),
)


def internals(release: tuple[int, ...], table: tuple[Internal, ...] = INTERNALS) -> Iterator[tuple[str, str]]:
    """Yield the tests of a release that only CPython passes, each with its reason."""
    for entry in table:
        if entry.since <= release < entry.until:
            for name in entry.names:
                yield f"{entry.where}.{name}", entry.why
