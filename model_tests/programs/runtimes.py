"""Runtimes that play programs: the reference, asyncio with C and with pure-Python tasks, a bridge, uvloop.

A program (vectors/FORMAT.md) is played by a `Player` on a `Runtime`: an event loop, and a namespace with asyncio's
names.  `observe(program, name)` returns the lines of the runtime with that name:

impl         the reference, `impl`; a deadlock is not an error here but the idle state that ends a program.
asyncio      the stock loop with its C futures and tasks, in virtual time.
asyncio-py   the same with the futures and tasks that CPython has in pure Python (`asyncio.futures`, `asyncio.tasks`).
bridge       the reference's names on asyncio's loop (impl/bridges/on_asyncio/names.py), its futures and tasks too.
uvloop       its own loop, with a clock that cannot be replaced: programs without timers only.  It cannot report that
             nothing is left to happen, so a program counts as idle after IDLE_TURNS iterations.
"""

import asyncio
import sys
from collections.abc import Callable
from contextvars import Context
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

import impl
from impl.bridges.on_asyncio import host
from impl.bridges.on_asyncio import names as asyncio_names

from .stages import Staged
from .vectors.runtime import Runtime

# `Any` in this file: programs are JSON, and a runtime's loop is of any class (player.py).
Program = dict[str, Any]
Line = list[Any]

#: Iterations of a loop that cannot report that it is idle: far above the need of bodies without loops.
IDLE_TURNS: Final = 400
#: Iterations of impl's loop at one instant after which a program is a livelock, as on the stock loop (player.py).
TURNS_MAX: Final = 2000
#: How often the remaining tasks are cancelled at the end; a task may catch many cancels.
ROUNDS_MAX: Final = 100


class QuickLoop(impl.Loop):
    """impl's loop with a DeadlockError without text: to write one takes longer than most programs run."""

    __slots__ = ()

    def deadlocked(self) -> impl.DeadlockError:
        return impl.DeadlockError()


class Ours(Runtime):
    """The reference; `names` and `loop` replace the namespace and the loop under test."""

    def __init__(self, names: Any = impl, loop: impl.Loop | None = None) -> None:
        self.names = names
        self.loop = QuickLoop(turns_max=TURNS_MAX) if loop is None else loop

    def eager(self) -> None:
        self.loop.close()
        self.loop = type(self.loop)(turns_max=TURNS_MAX, eager=True)

    def rest(self) -> bool:
        try:
            self.loop.run_forever()
        except impl.LivelockError:  # a DeadlockError too
            return False
        except impl.DeadlockError:
            pass
        return True


def namespace(name: str, thing: Any) -> ModuleType:
    """impl's names with `thing` for `name`, as a module that the conformance kit can put to the test."""
    module = ModuleType(name)
    vars(module).update({each: getattr(impl, each) for each in impl.__all__}, **{name: thing})
    if name == "Timeout":  # impl's functions would make impl's
        vars(module)["timeout"] = lambda delay: thing(None if delay is None else impl.get_running_loop().time() + delay)
        vars(module)["timeout_at"] = thing
    classes = {"future" if name == "Future" else "task": thing} if name in ("Future", "Task") else {}
    loop = loop_of(**classes) if classes else impl.Loop
    vars(module)["new_event_loop"] = lambda: loop(turns_max=TURNS_MAX)
    return module


def loop_of(future: type[impl.Future[Any]] = impl.Future, task: type[impl.Task[Any]] = impl.Task) -> type[impl.Loop]:
    """A loop class that makes its futures and tasks of these classes."""

    class OtherLoop(impl.Loop):
        def create_future(self) -> impl.Future[Any]:
            return future(self)

        def create_task(
            self,
            coro: Any,
            *,
            name: str | None = None,
            context: Context | None = None,
            eager_start: bool | None = None,
        ) -> impl.Task[Any]:
            eager = self._running and (self._eager if eager_start is None else eager_start)
            more = {"eager_start": True} if eager else {}
            return task(coro, self, name, self._context(context), **more)

    return OtherLoop


def tell_c_of_pure_tasks() -> None:
    """Have asyncio's tasks in pure Python register where current_task() and all_tasks(), which are in C, look.

    Since 3.14 they call functions of their own, `_py_register_task` and so on; before that, those of C.
    """
    for name, function in list(vars(asyncio.tasks).items()):
        if name.startswith("_c_") and sys.version_info >= (3, 14):
            setattr(asyncio.tasks, name.replace("_c_", "_py_"), function)
            vars(host)["_TWO_REGISTRIES"] = False  # the bridge has looked before


class PurePython(Runtime):
    """asyncio's loop with asyncio's futures and tasks in pure Python."""

    def __init__(self) -> None:
        super().__init__()
        tell_c_of_pure_tasks()
        loop = self.loop
        task: Any = getattr(asyncio.tasks, "_PyTask")  # noqa: B009  # typeshed does not know it
        future: Any = getattr(asyncio.futures, "_PyFuture")  # noqa: B009
        loop.set_task_factory(lambda loop, coro, **keywords: task(coro, loop=loop, **keywords))
        loop.create_future = lambda: future(loop=loop)

    def eager(self) -> None:
        task: Any = getattr(asyncio.tasks, "_PyTask")  # noqa: B009  # as above
        create: Any = getattr(asyncio, "create_eager_task_factory")  # noqa: B009  # since 3.12
        self.loop.set_task_factory(create(task))


class Bridge(Runtime):
    """asyncio's loop with the reference's names, futures and tasks."""

    def __init__(self) -> None:
        super().__init__(asyncio_names)
        loop = self.loop
        loop.set_task_factory(lambda loop, coro, **keywords: asyncio_names.Task(coro, loop=loop, **keywords))
        loop.create_future = lambda: asyncio_names.Future(loop=loop)


class Uvloop(Runtime):
    """uvloop's loop with asyncio's names; no time passes for a program, which is idle after so many iterations."""

    def __init__(self) -> None:
        import uvloop  # here: it need not be there

        self.names, self.loop = asyncio, uvloop.new_event_loop()

    def time(self) -> float:
        return 0.0

    def rest(self) -> bool:
        self.turns(IDLE_TURNS)
        return True

    def turns(self, left: int) -> None:
        """Run so many iterations, counted by a callback in each."""

        def count() -> None:
            nonlocal left
            left -= 1
            if left > 0:
                self.loop.call_soon(count)
            else:
                self.loop.stop()

        self.loop.call_soon(count)
        self.loop.run_forever()


#: The available runtimes, by name.
RUNTIMES: Final[dict[str, Callable[[], Runtime]]] = {
    "impl": Ours,
    "asyncio": Runtime,
    "asyncio-py": PurePython,
    "bridge": Bridge,
    **({"uvloop": Uvloop} if find_spec("uvloop") else {}),
}


class Closing(Staged):
    """A player that leaves nothing running: among thousands of programs, some have tasks that are hard to end."""

    def end(self, named: list[str]) -> None:
        if self.loop.is_closed():
            return
        for _ in range(ROUNDS_MAX):
            left = self.left()
            if not left:
                break
            for task in left:
                task.cancel()
            for name in named:  # a task that re-acquires a condition's lock defers cancels
                thing = self.things[name]
                if hasattr(thing, "notify") and thing.locked():
                    thing.release()
            self.runtime.rest()
        self.loop.close()

    def left(self) -> list[Any]:
        """Return the tasks that are not done; those of a gather, for example, have no name."""
        if isinstance(self.loop, impl.Loop):
            return list(self.loop.live)
        return [task for task in asyncio.all_tasks(self.loop) if not task.done()]


def observe(program: Program, runtime: str | Runtime) -> list[Line]:
    """Return the lines (FORMAT.md) that `program` shows on a runtime, or on a new one of that name, in order.

    Raises:
        KeyError: no runtime has that name, or uvloop is not installed.
    """
    return Closing(program, RUNTIMES[runtime]() if isinstance(runtime, str) else runtime).play()


#: Names that set a timer, and which of their arguments is the delay: none is set if that is 0 or null.
DELAYS: Final = {"sleep": 0, "timeout": 0, "timeout_at": 0, "wait_for": 1}
#: Names that always set a timer: uvloop has its own order even for timers that are due at once.
TIMERS: Final = frozenset({"loop.call_later", "loop.call_at", "loop.time", "later"})


def timed(program: Program) -> bool:
    """Return whether a program may set a timer, so that a loop with its own clock cannot play it."""
    lists = [program["main"], *program["bodies"].values(), *program.get("callbacks", {}).values()]
    return any(sets_timer(part) for part in lists)


def sets_timer(part: object) -> bool:
    """Return whether a statement or an expression, or one in it, may set a timer."""
    if isinstance(part, dict):
        return part.get("timeout") not in (None, 0) or any(map(sets_timer, part.values()))
    if not isinstance(part, list) or not part:
        return False
    head, *args = part
    if isinstance(head, str) and (head in TIMERS or head.endswith(".when")):
        return True
    if head in ("wait", "as_completed") and any(isinstance(arg, dict) and arg.get("timeout") == 0 for arg in args):
        return True  # a timer that is due at once; wait_for sets none
    place = DELAYS.get(head) if isinstance(head, str) else None
    delay = args[place : place + 1] if place is not None else []
    return delay not in ([], [0], [None]) or any(map(sets_timer, part))
