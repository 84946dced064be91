"""The mocks in the arguments of `mock.patch` around a test: each run begins with them as they were.

A decorator makes its arguments once, so a run would find the calls of the runs before it.
"""

from collections.abc import Iterator
from typing import Any

from impl.explore.module_state.held import Held, held_by

# Any in this file: a test function, and the arguments of a patch.

#: The most items of a list of calls; a longer one is left as it is.
_CALLS_MAX = 5_000


class PatchMocks:
    """The mocks of the patches around a test, as they are now."""

    def __init__(self, test: Any) -> None:
        self._held: list[Held] = []
        if patches := getattr(test, "patchings", ()):
            self._held.extend(_walk([value for patch in patches for value in (patch.new, *patch.kwargs.values())]))

    def restore(self) -> None:
        """Give them the calls and the attributes that they had at first."""
        for held in self._held:
            if not held.same(held.read()):
                held.write(held.first)


def _walk(left: list[Any]) -> Iterator[Held]:
    from unittest.mock import NonCallableMock  # a test that has patches has imported it

    seen: dict[int, Any] = {}  # by id, with the mock, which keeps the id
    while left:
        mock = left.pop()
        kind = type(mock)  # isinstance would ask a mock for its class
        if not issubclass(kind, NonCallableMock | list | dict) or id(mock) in seen:
            continue
        seen[id(mock)] = mock
        for held in held_by("", mock, lambda cls: issubclass(cls, NonCallableMock), _CALLS_MAX):
            yield held
            left += (each for item in held.first for each in (item if type(item) is tuple else (item,)))
