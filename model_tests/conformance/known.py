"""What a version of asyncio is known for, and when that excuses a subject.

Theory of operation.  The bugs stand in `vectors/known.py`; each is about the first of the rules that it breaks.  A bug
excuses what is seen only where the subject took the thing from asyncio, or derives its own from asyncio's; a thing of
its own has no version that excuses it.
"""

from __future__ import annotations

import sys
from typing import Final

from ..vectors.known import BUGS, Bug

THIS: Final = sys.version_info[:3]


def known(rule: str, own: frozenset[str] = frozenset(), version: tuple[int, ...] = THIS) -> Bug | None:
    """The known bug of that version that breaks `rule`, unless it is in a name of the subject's own."""
    for bug in BUGS:
        if rule == bug.rules[0] and bug.meets(version) and bug.name not in own:
            return bug
    return None
