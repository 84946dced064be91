"""The programs that the specification of tasks covers completely, and their populations.

The specification (spec/task/loop.py) has a fixed population, created at the beginning, and the first task runs first.
So it covers a program of this form:

- main begins with a *prelude* that creates all futures, tasks and shields; nothing is created after it;
- the bodies await these, give up loop iterations, cancel and uncancel, resolve, and look at states;
- no tasks await each other in a circle, which the specification does not allow.

`read` returns the population, or raises an exception that names a part without a specification.  A program is
never covered in part.
"""

import builtins
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

# `Any` in this file: programs are JSON (vectors/FORMAT.md).
Program = dict[str, Any]
Statement = list[Any]

_LOOKS: Final = frozenset({"cancel", "cancelled", "done", "result", "exception"})
#: The methods that may be called on each kind of thing.
METHODS: Final = {
    "task": _LOOKS | {"cancelling", "uncancel"},
    "future": _LOOKS | {"set_result", "set_exception"},
    "shield": _LOOKS,
}
MAKERS: Final = frozenset({"loop.create_task", "create_task", "ensure_future"})
#: Classes that a program may catch beside the ordinary ones.
_CAUGHT: Final = frozenset({"BaseException", "CancelledError", "InvalidStateError"})
#: Python treats these specially.
_STOPS: Final = frozenset({"StopIteration", "StopAsyncIteration"})


class Beyond(ValueError):
    """The program uses something that the specification does not cover; the text names it."""


@dataclass
class Cast:
    """The population: names in order of creation, main the first task; the future behind each shield; the bodies."""

    tasks: list[str] = field(default_factory=lambda: ["main"])
    futures: list[str] = field(default_factory=list)
    shields: dict[str, str] = field(default_factory=dict)
    bodies: dict[str, str] = field(default_factory=lambda: {"main": "main"})

    @property
    def everything(self) -> list[str]:
        """All names, in the order of their numbers in a model."""
        return [*self.tasks, *self.futures, *self.shields]

    def kind(self, name: str) -> str:
        return "task" if name in self.tasks else "future" if name in self.futures else "shield"


def covers(program: Program) -> str:
    """Return why the specification does not cover the program; "" if it does."""
    try:
        read(program)
    except Beyond as why:
        return str(why)
    return ""


def read(program: Program) -> Cast:
    """Return the population of a program.

    Raises:
        Beyond: the specification does not cover it.
    """
    reading = _Reading(program)
    statements = reading.prelude(program["main"])
    reading.whole(statements)
    return reading.cast


def require(holds: bool, why: str) -> None:
    if not holds:
        raise Beyond(why)


class _Reading:
    """A program that is being read: the population so far, and which thing awaits which."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.cast = Cast()
        self.taken = {"loop", "main", *program.get("callbacks", {})}
        self.awaited: list[str] = []

    # --- the prelude -----------------------------------------------------------------------------------------

    def prelude(self, statements: list[Statement]) -> list[Statement]:
        """Read the creations at the beginning of main; return the other statements."""
        made = 0
        while made < len(statements) and statements[made][0] == "let":
            self.make(*statements[made][1:])
            made += 1
        return statements[made:]

    def make(self, name: str, e: Any) -> None:
        require(name not in self.taken, f"the name {name} is given twice")
        require(isinstance(e, list), "a name is given to what was not made")
        self.taken.add(name)
        if e == ["loop.create_future"]:
            self.cast.futures.append(name)
        elif e[0] in MAKERS and len(e) == 2 and isinstance(e[1], list) and e[1][:1] == ["body"]:
            self.cast.tasks.append(name)
            self.cast.bodies[name] = e[1][1]
        elif e[0] == "shield" and len(e) == 2 and self.thing(e[1]):
            self.cast.shields[name] = e[1]
        else:
            raise Beyond(f"a thing is made by {e[0]}")

    def thing(self, e: Any) -> bool:
        return isinstance(e, str) and e in self.cast.everything

    # --- the rest --------------------------------------------------------------------------------------------

    def whole(self, main: list[Statement]) -> None:
        bodies = {"main": main, **self.program["bodies"]}
        edges: dict[str, list[str]] = {}
        for task, name in self.cast.bodies.items():
            self.awaited = []
            self.block(bodies[name])
            edges[task] = [other for other in self.awaited if other in self.cast.tasks]
        while free := [task for task, others in edges.items() if not set(others) & set(edges)]:
            for task in free:
                del edges[task]
        require(not edges, "tasks may await each other in a circle")

    def block(self, statements: list[Statement]) -> None:
        for kind, *rest in statements:
            check: Callable[..., None] | None = getattr(self, f"on_{kind}", None)
            if check is None:
                raise Beyond(f"the statement {kind}")
            check(*rest)

    def on_do(self, e: Any) -> None:
        """Read a call of a method that has an action in the specification, or that looks at a state."""
        require(isinstance(e, list), "a value is shown")
        name, _, method = e[0].rpartition(".")
        require(self.thing(name), f"a call of {e[0] if name in ('', 'loop') else method}")
        require(method in METHODS[self.cast.kind(name)], f"{method} of a {self.cast.kind(name)}")
        if method == "set_exception":
            require(len(e) == 2 and isinstance(e[1], list), "an exception that is no class")
            self.error(*e[1])
        else:
            most = {"cancel": 2, "set_result": 2}.get(method, 1)
            require(len(e) <= most and all(map(self.literal, e[1:])), f"the arguments of {method}")
            require(method != "set_result" or len(e) == 2, "the arguments of set_result")

    def on_await(self, e: Any) -> None:
        if self.thing(e):
            self.awaited.append(e)
            return
        require(isinstance(e, list), "an await of what cannot be awaited")
        require(e[0] == "sleep", f"an await of {e[0].rpartition('.')[2]}")
        require(e[1:2] == [0] and len(e) <= 3 and all(map(self.literal, e[1:])), "time passes")

    def on_turn(self, number: int = 1) -> None:
        pass

    def on_see(self, name: str) -> None:
        require(self.thing(name), "a look at what the text does not have")

    def on_return(self, e: Any = None) -> None:
        require(self.literal(e), "a task returns what is no literal")

    def on_raise(self, *e: Any) -> None:
        if e and list(e) != ["CancelledError"]:
            self.error(*e)

    def on_try(self, first: list[Statement], clauses: list[Any], last: list[Statement] | None = None) -> None:
        for name, statements in clauses:
            require(name in _CAUGHT or ordinary(name), f"the class {name}")
            self.block(statements)
        self.block(first)
        self.block(last or [])

    def error(self, name: str, *args: Any) -> None:
        require(ordinary(name), f"the class {name}")
        require(all(map(self.literal, args)), "an exception of what is no literal")

    def literal(self, e: Any) -> bool:
        """Return whether e is a literal; a string may also be the name of a thing."""
        return e is None or isinstance(e, (bool, int, float)) or (isinstance(e, str) and e not in self.taken)


def ordinary(name: str) -> bool:
    """Return whether it is a Python error class without a special meaning for coroutines."""
    known = getattr(builtins, name, None)
    return isinstance(known, type) and issubclass(known, Exception) and name not in _STOPS
