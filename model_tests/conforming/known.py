"""Bugs that released versions of asyncio are known for: what the kit names, and does not hold against a subject.

Theory of operation.  A known bug excuses what is seen only where the subject took the thing from asyncio, or derives
its own from asyncio's; a thing of its own has no version that excuses it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Final

Version = tuple[int, int, int]


@dataclass(frozen=True)
class Bug:
    """A known bug: the name it is in, the rules that it breaks, the first version with it and the first without."""

    issue: str
    name: str
    rules: tuple[str, ...]
    since: Version
    before: Version

    def meets(self, version: Version) -> bool:
        """Whether that version has it."""
        return self.since <= version < self.before


BUGS: Final = (
    Bug("gh-86296", "wait_for", ("WAITFOR-4",), (3, 8, 0), (3, 12, 0)),
    Bug("gh-112202", "Condition", ("COND-6",), (3, 4, 0), (3, 13, 0)),
    Bug("gh-116720", "Task", ("CANCEL-6",), (3, 11, 0), (3, 13, 0)),
    Bug("gh-116720", "TaskGroup", ("GROUP-5",), (3, 11, 0), (3, 13, 0)),
    Bug("gh-111693", "Condition", ("COND-5",), (3, 9, 0), (3, 13, 0)),
    Bug("gh-112182", "Future", ("FUT-7",), (3, 4, 0), (3, 13, 0)),
    Bug("gh-158004", "as_completed", ("ASDONE-3",), (3, 13, 0), (3, 15, 1)),
)
THIS: Final[Version] = sys.version_info[:3]


def known(rule: str, own: frozenset[str] = frozenset(), version: Version = THIS) -> Bug | None:
    """The known bug of that version that breaks `rule`, unless it is in a name of the subject's own."""
    for bug in BUGS:
        if rule in bug.rules and bug.meets(version) and bug.name not in own:
            return bug
    return None
