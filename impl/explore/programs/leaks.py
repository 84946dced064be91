"""Leaks: tasks and other things that a program has left behind when `main` returns, as an error of the run.

`main` is wrapped: when it has returned, or was ended by an injected cancel, the wrapper looks around in the same step.
So a leak is an error like any other: its run replays, shrinks and is reported.  A task that was asked to cancel, and a
transport that is closing, are on their way and no leaks.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator
from functools import wraps
from typing import Any, Final, TypeAlias

from ...sim.choices import Freedom
from ...sim.frames import shown_file
from .program import Ended, Program, Setup, UserMain, WrappedProgram

#: A loop of impl or of asyncio, one of its tasks, an asynchronous generator, a result.
Theirs: TypeAlias = Any

#: The leaks that can be errors: name -> the kind of thing in a message.
LEAKS: Final = {
    "tasks": "task",
    "asyncgens": "asynchronous generator",
    "transports": "transport",
    "servers": "server",
    "unretrieved": "exception",
    "messages": "message to the exception handler",
    "unreferenced": "unreferenced task",
}
#: Those that "all" means: to collect garbage at moves of the clock makes a search slow.
ALL: Final = tuple(name for name in LEAKS if name != "unreferenced")
#: The leaks of asyncio only: a program of impl has no transports, and its loop refers to its tasks.
_OF_ASYNCIO: Final = ("transports", "servers", "unreferenced")


class Leaked(Exception):
    """The program ended and left something behind; the text lists it."""


def checked(names: Iterable[str], on_asyncio: bool) -> tuple[str, ...]:
    """The names; without those of asyncio, unless the program is one.

    Raises:
        ValueError: a name is unknown.
    """
    wanted = tuple(names)
    if unknown := [name for name in wanted if name not in LEAKS]:
        raise ValueError(f"no such leak: {', '.join(unknown)}; they are {', '.join(LEAKS)}")
    return tuple(name for name in wanted if on_asyncio or name not in _OF_ASYNCIO)


class Tidy(WrappedProgram):
    """Another program; a run that leaves one of `names` behind fails.

    Parameters:
        names: of LEAKS.
        running: returns the running loop.
        at_end: called when `main` has ended.
    """

    def __init__(
        self,
        program: Program,
        names: tuple[str, ...],
        running: Callable[[], Theirs],
        at_end: Callable[[], object],
    ) -> None:
        super().__init__(program.like(self._wrapped(program.setup.main)))
        self._plain, self._names, self._running, self._at_end = program, names, running, at_end

    @property
    def setup(self) -> Setup:
        return self._plain.setup

    def like(self, main: UserMain) -> Tidy:
        return Tidy(self._plain.like(main), self._names, self._running, self._at_end)

    def _wrapped(self, main: UserMain) -> UserMain:
        @wraps(main)
        def begin() -> Coroutine[Theirs, Theirs, Theirs]:
            coro: Theirs = self._watch(main)
            # Injected cancels and reports name tasks by it.
            coro.__name__ = getattr(main, "__name__", coro.__name__)
            coro.__qualname__ = getattr(main, "__qualname__", coro.__qualname__)
            made: Coroutine[Theirs, Theirs, Theirs] = coro
            return made

        return begin

    async def _watch(self, main: UserMain) -> Theirs:
        loop = self._running()
        messages: list[str] = []

        def note(loop: Theirs, context: dict[str, Theirs]) -> None:
            messages.append(_message(context))

        lost: list[str] = []
        if "unreferenced" in self._names:
            tell = loop.kernel.choices.tell

            def collected(name: str, place: tuple[str, int]) -> None:
                lost.append(f"{name} at {shown_file(place[0])}:{place[1]}" if place[0] else name)
                tell(Freedom.COLLECTED, place)

            loop.collect_tasks(collected)
        if "unretrieved" in self._names or "messages" in self._names:
            loop.set_exception_handler(note)
        result = error = None
        try:
            result = await main()
        except BaseException as raised:
            if isinstance(raised, GeneratorExit) or self.failed(Ended(None, raised)):
                raise
            error = raised
        self._at_end()
        if self._names and (left := list(self._left(loop, messages, lost))):
            raise Leaked("the program has left behind: " + "; ".join(left)) from error
        if error is not None:
            raise error
        return result

    def _left(self, loop: Theirs, messages: list[str], lost: list[str]) -> Iterator[str]:
        found: dict[str, Iterable[str]] = {
            "tasks": _tasks(loop),
            "asyncgens": (each.__qualname__ for each in loop.unfinished_generators()),
            "transports": _sockets(loop, False),
            "servers": _sockets(loop, True),
            "unretrieved": (text for text in messages if "never retrieved" in text),
            "unreferenced": lost,
            "messages": (text for text in messages if "never retrieved" not in text),
        }
        for name in self._names:
            for text in found[name]:
                yield f"{LEAKS[name]} {text}"


def _tasks(loop: Theirs) -> Iterator[str]:
    """The tasks of a loop but the first, which is main."""
    for task in list(loop.live)[1:]:
        if not task.done() and not task.cancelling():
            yield task.get_name()


def _sockets(loop: Theirs, servers: bool) -> Iterator[str]:
    for _, sock in sorted(getattr(loop, "descriptors", {}).items()):
        if not sock.closing and (sock.listener is not None) == servers:
            address = sock.getsockname()
            yield f"at {address[0]}:{address[1]}"


def _message(context: dict[str, Theirs]) -> str:
    error = context.get("exception")
    return str(context.get("message", "")) + (f": {error!r}" if error is not None else "")
