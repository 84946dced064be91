"""A subject in asyncio's place, for the script of a finding."""

from typing import Any

from .loops.runtimes import install
from .subjects.subject import NEW_LOOP, ORIGINAL_TASK, SubjectNames, load, own_loop, profiled
from .subjects.surface import surfaced

# Any in this file: as in subject.py.


class StandIn(SubjectNames):
    """A subject in asyncio's place; the first task of its loop is asyncio's."""

    def __init__(self, name: str) -> None:
        super().__init__(load(name))
        surfaced(self.subject, profiled(name)[1].left_out)

    def loop(self) -> Any:
        if make := own_loop(self.subject):
            return make()
        loop: Any = NEW_LOOP()
        install(loop, self.subject)
        factory = loop.get_task_factory()

        def first(loop: Any, coro: Any, **keywords: Any) -> Any:
            loop.set_task_factory(factory)
            return ORIGINAL_TASK(coro, loop=loop, **keywords)

        loop.set_task_factory(first)
        return loop
