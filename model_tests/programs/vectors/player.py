"""Play programs: small asynchronous programs as data, on any runtime, and on any Python from 3.6 on with nothing else.

FORMAT.md describes programs.  A `Player` interprets one on a runtime, an event loop and a namespace with asyncio's
names (`runtime.py`).  It records lines [milliseconds, actor, what, outcome]; the actor is a body or a callback.
"""

import asyncio
import builtins
import contextlib
import gc
import sys
import traceback
import types
from functools import partial
from typing import Any, Dict, Iterator, List, Sequence

# `Any` in this file: JSON, and the objects of the namespace under test.
LOOKS = ("qsize", "full", "locked", "is_set", "expired", "n_waiting", "broken")
MAY_WAIT = ("await", "with", "turn", "async for")
bare = types.coroutine(lambda value: (yield value))  # type: Any


class Player:
    """One run of a program on a runtime: its `loop`, its `names`, `start(main)` and `rest()`."""

    steps = False  # whether a line says when a statement begins that may wait

    def __init__(self, program: Dict[str, Any], runtime: Any) -> None:
        self.program, self.runtime, self.loop = program, runtime, runtime.loop
        self.lines, self.frames = [], sys.maxsize  # type: List[List[Any]], int  # frames: see "grew"
        self.looks = [name for name in LOOKS if name not in program.get("unseen", ())]
        self.time = getattr(runtime, "time", None) or self.loop.time  # type: Any
        self.began = self.time()
        self.things = {"body": self.body, "list": lambda *them: list(them)}  # type: Any
        self.things.update(loop=getattr(runtime, "running", self.loop), later=lambda n: self.loop.time() + n)
        self.things.update((name, partial(self.called, name)) for name in program.get("callbacks", {}))

    def play(self) -> List[List[Any]]:
        """Return the lines that were seen; the last ones, of "end", describe every named thing."""
        self.loop.set_exception_handler(
            lambda loop, told: self.note("handler", "report", self.show(told.get("exception")))
        )
        self.things["main"] = self.runtime.start(self.body("main"))
        self.rest()
        named = list(self.things)[list(self.things).index("main") :]
        with self.runtime.looking():
            for name in [name for name in named if self.state(self.things[name])]:
                self.note("end", name, self.state(self.things[name]))
        lines, self.lines = self.lines, []
        self.end(named)
        return lines

    def end(self, named: List[str]) -> None:
        for _ in range(5):  # a remaining task may catch a cancel or two
            for name in named:
                with contextlib.suppress(RuntimeError):  # a runner may have closed its loop
                    getattr(self.things[name], "cancel", bool)()
            self.rest()
        self.loop.close()

    def rest(self) -> None:
        """Run until the loop is idle, and record the errors that leave the loop on the way."""
        try:
            if not self.runtime.rest():
                self.note("end", "livelock", "")
        except (KeyboardInterrupt, SystemExit) as error:
            if not error.args:  # Ctrl-C: those of the program have a number
                raise
            self.note("loop", "left", "raised " + self.show(error))
            self.rest()

    def note(self, actor: str, what: str, outcome: str) -> None:
        self.lines.append([round((self.time() - self.began) * 1000), actor, what, outcome])

    @contextlib.contextmanager
    def noted(self, actor: str, what: str) -> Iterator[List[Any]]:
        """Record the result of a block: the value that it puts into the list, or the error that it raises."""
        got = []  # type: List[Any]
        try:
            yield got
        except BaseException as error:
            self.note(actor, what, "raised " + self.show(error))
            raise
        self.note(actor, what, self.show(got[0]) if got else "")

    async def body(self, name: str) -> Any:
        got = await self.block(name, self.program["main"] if name == "main" else self.program["bodies"][name])
        return got[0] if got else None

    async def block(self, actor: str, statements: Sequence[Any]) -> Sequence[Any]:
        """Run statements; return [its value] after a return statement, else []."""
        for kind, *rest in statements:
            got = await self.run(actor, kind, *rest)
            if got:
                return got
        return []

    async def run(self, actor: str, kind: str, first: Any = None, *rest: Any) -> Sequence[Any]:
        """Run one statement; return as `block`."""
        if self.steps and kind in MAY_WAIT:
            self.note(actor, "begins", kind)
        if kind in ("do", "await"):
            what = text(first) if kind == "do" else "await " + text(first)
            try:  # not by `noted`, which takes longer than most statements
                got = self.value(first) if kind == "do" else await self.value(first)
            except BaseException as error:
                self.note(actor, what, "raised " + self.show(error))
                raise
            self.note(actor, what, self.show(got))
        elif kind == "let":
            self.things[first] = self.value(rest[0])
        elif kind == "return":
            return [self.value(first)]
        elif kind == "turn":
            for _ in range(first or 1):
                await self.runtime.names.sleep(0)
        elif kind == "yield":
            await bare(self.value(first))
        elif kind == "see":
            self.note(actor, "see " + first, self.state(self.things[first]))
        elif kind == "forget":
            del self.things[first]
            gc.collect()
        elif kind == "raise":
            if first is None:
                raise  # the error that the program's except clause caught
            raise self.named(first)(*map(self.value, rest))
        elif kind == "with":
            with self.noted(actor, "end with " + text(first)):
                async with self.value(first) as thing:
                    self.note(actor, "with " + text(first), "")
                    self.things.update({rest[0]: thing} if rest[0] else {})
                    return await self.block(actor, rest[1])
        elif kind == "for":
            for self.things[first] in self.value(rest[0]):  # noqa: B020  (a thing is bound)
                await self.block(actor, rest[1])
        elif kind == "async for":
            async for self.things[first] in self.value(rest[0]):  # noqa: B020  (a thing is bound)
                await self.block(actor, rest[1])
        elif kind == "try":
            try:
                return await self.block(actor, first)
            except BaseException as error:
                for name, handler in rest[0]:
                    if isinstance(error, self.named(name)):
                        return await self.block(actor, handler)
                raise
            finally:
                await self.block(actor, rest[1] if rest[1:] else [])
        return []

    def called(self, name: str, *args: Any) -> Any:
        """Record a call of a callback; return the value of its last expression."""
        self.note(name, "called", self.show(args))
        got = [None]
        for e in self.program["callbacks"][name]:
            with self.noted(name, text(e)) as got:  # noqa: F811  (the first stands if there is none)
                got.append(self.value(e))
        return got[0]

    def named(self, name: str) -> Any:
        """Look a name up in the namespace under test, then in asyncio, then in Python."""
        spaces = self.runtime.names, asyncio, builtins, sys.modules.get("contextvars")
        return next(getattr(space, name) for space in spaces if hasattr(space, name))

    def value(self, e: Any) -> Any:
        if not isinstance(e, list):
            return self.things.get(e, e) if isinstance(e, str) else e
        head, args = e[0], [self.value(arg) for arg in e[1:] if not isinstance(arg, dict)]
        keywords = {key: self.value(arg) for key, arg in e[-1].items()} if isinstance(e[-1], dict) else {}
        if head == "awaitable":
            return type("Awaitable", (), {"__await__": args[0].__await__})()
        if head == "derive":
            return type(args[0], (self.named(args[1]),), {})
        if head == "grew":
            before, self.frames = self.frames, len(traceback.extract_tb(args[0].__traceback__))
            return self.frames > before
        thing, _, method = head.rpartition(".")
        call = getattr(self.things[thing], method) if thing else self.things.get(head) or self.named(head)
        got = call(*args, **keywords)
        return got - self.began if method in ("time", "when") and got is not None else got

    def show(self, value: Any) -> str:
        """Format a value; of errors only integers and a cancel message: no documentation promises other texts."""
        if value is None or isinstance(value, (bool, int, float, str)):
            return repr(value)
        if isinstance(value, BaseException):
            name, args = type(value).__name__, getattr(value, "exceptions", value.args)
            kinds = (str, type(None)) if name == "CancelledError" else (int, BaseException)
            args = [self.show(arg) for arg in args if isinstance(arg, kinds) and arg != ""]
            return "{}({})".format(name, ", ".join(args))
        if isinstance(value, (list, tuple)):
            return "[{}]".format(", ".join(map(self.show, value)))
        if isinstance(value, (set, frozenset)):
            return "{%s}" % ", ".join(x for x in self.things if any(self.things[x] is y for y in value))
        return next((name for name, thing in self.things.items() if thing is value), "something")

    def state(self, thing: Any) -> str:
        """Describe the state of a thing by its public methods."""
        if hasattr(thing, "add_done_callback"):
            if not thing.done() or thing.cancelled():
                return "cancelled" if thing.done() else "pending"
            error = thing.exception()
            return "gave " + self.show(thing.result()) if error is None else "raised " + self.show(error)
        looks = [(name, getattr(thing, name)) for name in self.looks if hasattr(thing, name)]
        return " ".join(name + "=" + self.show(look() if callable(look) else look) for name, look in looks)


def text(e: Any) -> str:
    """Format an expression as Python would write it."""
    if not isinstance(e, list):
        return e if isinstance(e, str) else repr(e)
    args = [text(arg) for arg in e[1:] if not isinstance(arg, dict)]
    args += [key + "=" + text(arg) for key, arg in (e[-1].items() if isinstance(e[-1], dict) else ())]
    return ("loop.time() + {1}" if e[0] == "later" else "{}({})").format(e[0], ", ".join(args))
