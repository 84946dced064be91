"""`--preempt`: an access of shared state is a point, at which another thread may go on (threads/group.py).

The program is rewritten for all runs, as for a recorded one (rewrite.py): its code tells the log of each
access of a variable that functions share, of a key, an index or an attribute.  The point is before that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import wraps
from typing import Any, Final, TypeAlias

from ...bridges.simulation import simulation
from ...sim.frames import is_users
from ...threads.group import preempting
from ..programs.program import Setup, UserMain, WrappedProgram
from .footprint import Log
from .program import NotRewritable, begin_run, followed, rewritten

#: A method of the log.
Method: TypeAlias = Callable[..., Any]

_ACCESSES: Final = ("read_variable", "write_variable", "read_key", "write_key", "read_all", "write_all")


class Preempted(WrappedProgram):
    """Another program, with these points."""

    def context(self) -> AbstractContextManager[object]:
        return _preempting(self.setup)

    def like(self, main: UserMain) -> Preempted:
        return Preempted(self._program.like(main))

    def before_run(self) -> None:
        begin_run(self.setup.main)  # the log forgets the objects of the run before


@contextmanager
def _preempting(setup: Setup) -> Iterator[None]:
    """Rewrite the user's modules, and make their accesses of shared state points.

    Raises:
        ValueError: the file of the program cannot be rewritten.
    """
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    before = {name: vars(Log)[name] for name in _ACCESSES}
    with ExitStack() as stack:
        used = followed(filter(is_users, filter(None, files)), setup.main, setup.follow)
        try:
            stack.enter_context(rewritten(setup.main, used))
        except (NotRewritable, SyntaxError) as error:
            raise ValueError(f"preempt: {error}") from None
        stack.enter_context(preempting())
        for name, method in before.items():
            setattr(Log, name, _after_point(method))
        try:
            yield
        finally:
            for name, method in before.items():
                setattr(Log, name, method)


def _after_point(method: Method) -> Method:
    @wraps(method)
    def accessed(*args: Any) -> Any:
        here = simulation()
        if here is not None and here.threads is not None:
            here.threads.point()
        return method(*args)

    return accessed
