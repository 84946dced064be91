"""The names of asyncio that a program uses, and how it calls their methods.

A program is data, so this is read from it without running it: the class of a thing is that of the call that makes it.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from .enumeration import Json, Program
from .shrink import all_blocks

#: The class of the result of a call, if it is not of the name that is called.
MAKES: Final = {
    **dict.fromkeys(("loop.create_task", "create_task", "ensure_future"), "Task"),
    **dict.fromkeys(("loop.create_future", "shield", "gather"), "Future"),
    **dict.fromkeys(("timeout", "timeout_at"), "Timeout"),
    "as_completed": "AsCompleted",
}


class Use(NamedTuple):
    """A use of a name: a call of it, or of one of its methods.  `given` are the things that it is called with."""

    name: str
    member: str = ""
    places: int = 0  #: the number of positional arguments
    keywords: tuple[str, ...] = ()
    given: tuple[str, ...] = ()  #: the classes of those arguments that are things

    def __str__(self) -> str:
        return f"{self.name}.{self.member}" if self.member else self.name


#: The uses of a program with eager tasks.
EAGER: Final = (
    Use("eager_task_factory"),
    Use("create_eager_task_factory"),
    Use("Task", keywords=("eager_start",)),
)


def uses(program: Program) -> list[Use]:
    """Return the uses of a program, each once."""
    return list(dict.fromkeys(_Reader(program).read()))


class _Reader:
    """Reads one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.statements = [statement for block in all_blocks(program) for statement in block]
        #: By thing, its class: names are given once, or to things of one class.
        self.classes = {"main": "Task", **dict(self.bound())}

    def bound(self) -> Iterator[tuple[str, str]]:
        """Yield each thing with its class."""
        for kind, *rest in self.statements:
            if kind == "let":
                yield rest[0], made_by(rest[1])
            elif kind == "with" and rest[1]:
                yield rest[1], made_by(rest[0])

    def read(self) -> list[Use]:
        found = [*EAGER] if "eager" in self.program.get("how", ()) else []
        for kind, *rest in self.statements:
            if kind == "with":
                thing = rest[0]
                name = made_by(thing) if isinstance(thing, list) else self.classes.get(thing, "")
                found += Use(name, "__aenter__"), Use(name, "__aexit__")
            if kind == "async for":
                found.append(Use(made_by(rest[1]), "__aiter__"))
            if kind == "try":
                found += [Use(name) for name, _ in rest[1]]
            elif kind in ("let", "for", "async for"):
                self.calls(rest[1], found)
            elif kind not in ("turn", "repeat") and rest:
                self.calls(rest if kind == "raise" else rest[0], found)
        for acts in self.program.get("callbacks", {}).values():
            for e in acts:
                self.calls(e, found)
        return found

    def calls(self, e: Json, found: list[Use]) -> None:
        """Append the uses in an expression."""
        if not isinstance(e, list) or not e:
            return
        head, *args = e
        keywords = args.pop() if args and isinstance(args[-1], dict) else {}
        for arg in (*args, *keywords.values()):
            self.calls(arg, found)
        if head == "getattr":
            found.append(Use(self.classes.get(args[0], ""), args[1]))
            return
        thing, _, member = head.rpartition(".")
        name = self.classes.get(thing, thing) if thing else head
        given = [self.classes.get(arg, "") for arg in args if isinstance(arg, str)]
        found.append(Use(name, member if thing else "", len(args), tuple(keywords), tuple(filter(None, given))))
        if head in MAKES or member == "create_task":
            found.append(Use(MAKES.get(head, "Task")))


def made_by(e: Json) -> str:
    """Return the class of the value of an expression."""
    if not isinstance(e, list) or not isinstance(e[0], str):
        return ""
    return "Task" if e[0].endswith(".create_task") else MAKES.get(e[0], e[0])
