"""A subject in asyncio's place, for the script of a finding."""

from __future__ import annotations

from typing import Any

import impl

from .subject import NEW_LOOP, ORIGINAL_TASK, Names, install, load, profiled
from .surface import surfaced

# Any in this file: as in subject.py.


class StandIn(Names):
    """A subject in asyncio's place; the first task of its loop is asyncio's."""

    def __init__(self, name: str) -> None:
        super().__init__(load(name))
        surfaced(self.subject, profiled(name)[1].left_out)

    def loop(self) -> Any:
        loop = getattr(self.subject, "new_event_loop", NEW_LOOP)()
        if isinstance(loop, impl.Loop):
            return loop
        install(loop, self.subject)
        factory = loop.get_task_factory()

        def first(loop: Any, coro: Any, **keywords: Any) -> Any:
            loop.set_task_factory(factory)
            return ORIGINAL_TASK(coro, loop=loop, **keywords)

        loop.set_task_factory(first)
        return loop
