"""Write a program as a script of plain asyncio, statement for statement, that prints the outcomes of the program.

A body becomes an `async def`, a callback a `def`, a thing a global variable, which is created when the program names
it.  The script prints the lines that the player notes (programs/vectors/player.py), in the same words (`spoken`).  So
its output on a runtime is the result of `observe` there.  The prelude for this is short and the same in all scripts.
The loop is asyncio's with a clock that jumps, as in programs/vectors/runtime.py; it stops when nothing is left to wait
for.

`ScriptSubject` describes the implementation under test, if it is not asyncio itself: its import lines, its spelling of
asyncio's names and, if it has one, its own loop.  That loop runs IDLE_TURNS iterations, more than any program needs.
With timers, it runs on the real clock, for a little longer than all timers together take.
"""

import asyncio
import builtins
import contextvars
import json
import keyword
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

from .prelude import AGEN, AMBIENT, BARE, CLOCK, END, GREW, HOW, OUTSIDE, PRELUDE, REPORTS, RUN, TURNS
from .runtimes import DELAYS, TIMERS, Line, Program, timed
from .shrink import made, said
from .stages import FIRST, ROUNDS
from .vectors.player import LOOKS, text

# `Any` in this file: programs are JSON (vectors/FORMAT.md).


@dataclass(frozen=True)
class ScriptSubject:
    """The implementation that a script runs on: its import lines, its spelling of asyncio's names, and how to make its
    loop.
    """

    imports: str
    spell: Callable[[str], str]
    loop: str | None = None
    patches: str = ""  #: the decorators of a test that put it in place in asyncio


#: Modules, as a name of them is spelled.
SPACES: Final = (("", builtins), ("contextvars.", contextvars))


def usual(name: str) -> str:
    """Spell a name as asyncio, Python or contextvars has it."""
    if hasattr(asyncio, name) or name.endswith("eager_task_factory"):
        return f"asyncio.{name}"
    return next((f"{space}{name}" for space, has in SPACES if hasattr(has, name)), f"asyncio.{name}")


ASYNCIO: Final = ScriptSubject("", usual)


def script(
    program: Program,
    expected: list[Line] | None = None,
    seen: list[Line] | None = None,
    subject: ScriptSubject = ASYNCIO,
) -> str:
    """Return the text of a script, for Python 3.11 and later, that runs a program and prints its outcomes.

    Parameters:
        expected, seen: the right output, and the output that was seen; they become comments at its end.
        subject: the implementation that replaces asyncio.
    """
    return "".join(Script(program, subject).parts()) + comments(expected, seen)


def eager_factory(subject: ScriptSubject) -> str:
    """Return the expression of a subject's factory of eager tasks."""
    given = subject.spell("eager_task_factory")
    task = subject.spell("Task")
    return given if task == usual("Task") else f"{subject.spell('create_eager_task_factory')}({task})"


def spoken(line: Line) -> str:
    """Format a line as a script prints it."""
    _, actor, what, outcome = line
    return f"{actor}: {what}" + (f" -> {outcome}" if outcome else "")


def comments(expected: list[Line] | None, seen: list[Line] | None) -> str:
    """Format both as comments; lines that occur in only one of them are marked."""
    told = ""
    for title, lines, others in (("expected", expected, seen), ("seen", seen, expected)):
        if lines is None:
            continue
        told += f"\n# {title}:\n"
        alike = shared(lines, lines if others is None else others)
        for place, line in enumerate(lines):
            mark = " " if place in alike else "!"
            when = f"  ({line[0]} ms)" if line[0] else ""
            told += f"# {mark} {spoken(line)}{when}\n"
    return told


def shared(lines: list[Line], others: list[Line]) -> set[int]:
    """Return the indices of the lines that `others` has too, in that order."""
    matcher = SequenceMatcher(None, list(map(tuple, lines)), list(map(tuple, others)), autojunk=False)
    return {place for block in matcher.get_matching_blocks() for place in range(block.a, block.a + block.size)}


def quoted(value: Any) -> str:
    """Format a literal, strings in double quotes."""
    return json.dumps(value) if isinstance(value, str) else repr(value)


class Script:
    """One script in the making."""

    def __init__(self, program: Program, subject: ScriptSubject) -> None:
        self.program = program
        self.subject = subject
        self.callbacks: dict[str, list[Any]] = program.get("callbacks", {})
        self.how = program.get("how", ())
        self.things = {"loop", "main", *self.callbacks, *made(program)}
        self.things |= {"this_loop"} if "outside" in self.how else set()
        self.things |= {"agen"} & said(program)

    def parts(self) -> Iterator[str]:
        imports = ["asyncio", "contextlib", "contextvars", "gc", "os", "selectors", "traceback", "types"]
        yield "".join(f"import {name}\n" for name in imports) + self.subject.imports
        yield f"\nNAMES = {json.dumps(sorted(self.things))}\n\n" + PRELUDE.replace("{looks}", self.looks())
        yield BARE + GREW
        yield AGEN if "agen" in self.things else ""
        ambient = "ambient" in self.how
        yield AMBIENT if ambient else ""
        for name, acts in self.callbacks.items():
            yield f"\n\ndef {name}(*args):\n"
            yield f'    note({quoted(name)}, "called", show(args))\n    value = None\n'
            for e in acts:
                yield f"    with noted({quoted(name)}, {quoted(text(e))}) as got:\n"
                yield f"        got.append({self.value(e)})\n"
                yield "    value = got[0]\n"
            yield "    return value\n"
        for name, body in {**self.program["bodies"], "main": self.program["main"]}.items():
            outside = name == "main" and "outside" in self.how
            yield ("\n\n" + "@within\n" * ambient + "async " * (not outside) + f"def {self.function(name)}():\n")
            names = sorted(made({"main": body, "bodies": {}}))
            yield f"    global {', '.join(names)}\n" if names else ""
            yield from self.block(name, body, 1)
        own = self.subject.loop
        yield f"\n\n{CLOCK.strip()}\n" if own is None else f"\nloop = {own}\n"
        eager = eager_factory(self.subject)
        yield REPORTS + "".join(HOW.get(word, "").format(eager=eager) for word in self.how)
        run = OUTSIDE if "outside" in self.how else RUN
        yield run.format(main=self.function("main"), until=self.until() if own else "")
        yield END.format(unseen=json.dumps(["loop", "this_loop", *self.callbacks]))

    def looks(self) -> str:
        """Return the list of the attributes that the script looks at."""
        unseen = self.program.get("unseen", ())
        return f"[{', '.join(quoted(look) for look in LOOKS if look not in unseen)}]"

    def until(self) -> str:
        """Return the statement that ends the run of a loop with its own clock."""
        if not timed(self.program):
            return "\n" + TURNS
        return f"loop.call_later({0.2 + sum(delays(self.program)):.3f}, loop.stop)"

    def function(self, body: str) -> str:
        """Return the name of a body's function; no thing has it."""
        return f"body_{body}" if body in self.things or keyword.iskeyword(body) else body

    # --- statements ------------------------------------------------------------------------------------------

    def block(self, actor: str, statements: list[Any], depth: int) -> Iterator[str]:
        for statement in statements:
            for line in self.statement(actor, *statement):
                yield "    " * depth + line
            for head, inner in self.inner(*statement):
                within = depth + (1 if head else 2)
                yield "    " * depth + head + "\n" if head else ""
                yield from self.block(actor, inner, within)
        if not statements:
            yield "    " * depth + "pass\n"

    def statement(self, actor: str, kind: str, *rest: Any) -> Iterator[str]:
        """Yield the lines of a statement before its blocks."""
        if kind in ("do", "await"):
            waits = "await " * (kind == "await")
            yield f"with noted({quoted(actor)}, {quoted(waits + text(rest[0]))}) as got:\n"
            yield f"    got.append({waits}{self.value(rest[0])})\n"
        elif kind == "let":
            yield f"{rest[0]} = {self.value(rest[1], rest[0])}\n"
        elif kind == "turn":
            turn = f"await {self.subject.spell('sleep')}(0)\n"
            yield from [turn] * (rest[0] if rest else 1)
        elif kind == "see":
            yield f"note({quoted(actor)}, {quoted('see ' + rest[0])}, state({rest[0]}))\n"
        elif kind == "yield":
            yield f"await bare({self.value(rest[0])})\n"
        elif kind == "forget":
            yield f"del globals()[{quoted(rest[0])}]\n"
            yield "gc.collect()\n"
        elif kind == "return":
            yield f"return {self.value(rest[0])}\n"
        elif kind == "repeat":
            yield "sizes = []\n"
        elif kind == "measure":
            yield "gc.collect()\n"
            yield "sizes.append(len(gc.get_objects()))\n"
        elif kind == "raise" and rest:
            yield f"raise {self.subject.spell(rest[0])}({', '.join(map(self.value, rest[1:]))})\n"
        elif kind == "raise":
            yield "raise\n"
        elif kind == "with":
            name = f" as {rest[1]}" if rest[1] else ""
            yield f"with noted({quoted(actor)}, {quoted('end with ' + text(rest[0]))}):\n"
            yield f"    async with {self.value(rest[0])}{name}:\n"
            yield f"        note({quoted(actor)}, {quoted('with ' + text(rest[0]))})\n"

    def inner(self, kind: str, *rest: Any) -> Iterator[tuple[str, list[Any]]]:
        """Yield the blocks of a statement, each with its head, if it has its own."""
        if kind == "with":
            yield "", rest[2]
        elif kind in ("for", "async for"):
            yield f"{kind} {rest[0]} in {self.value(rest[1])}:", rest[2]
        elif kind == "repeat":
            yield f"for _ in range({FIRST + ROUNDS}):", [*rest[0], ["measure"]]
        elif kind == "try":
            yield "try:", rest[0]
            for name, handler in rest[1]:
                yield f"except {self.subject.spell(name)}:", handler
            if rest[2:] or not rest[1]:
                yield "finally:", rest[2] if rest[2:] else []

    # --- expressions -----------------------------------------------------------------------------------------

    def value(self, e: Any, new: str = "") -> str:
        """Format an expression as Python; the name `new` is still unused."""
        if not isinstance(e, list):
            return e if isinstance(e, str) and e in self.things and e != new else quoted(e)
        head, *rest = e
        keywords = rest.pop() if rest and isinstance(rest[-1], dict) else {}
        if head == "run":  # see prelude.py
            keywords = {key: keywords[key] for key in keywords if key != "loop_factory"}
        given = [self.value(arg, new) for arg in rest]
        args = ", ".join(given + [f"{key}={self.value(arg, new)}" for key, arg in keywords.items()])
        if head == "list":
            return f"[{args}]"
        if head == "later":
            return f"loop.time() + {args}"
        if head == "body":
            return f"{self.function(rest[0])}()"
        if head == "awaitable":
            return f'type("Awaitable", (), {{"__await__": {args}.__await__}})()'
        if head == "derive":
            return f"type({quoted(rest[0])}, ({self.subject.spell(rest[1])},), {{}})"
        known = head.partition(".")[0] in self.things or head == "grew"
        return f"{head if known else self.subject.spell(head)}({args})"


def delays(e: Any) -> Iterator[float]:
    """Return all delays in a program or a part of it, in seconds."""
    parts = list(e.values()) if isinstance(e, dict) else e if isinstance(e, list) else []
    if isinstance(e, dict) and "timeout" in e:
        yield from numbers([e["timeout"]])
    elif parts and isinstance(parts[0], str) and parts[0] in DELAYS.keys() | TIMERS:
        yield from numbers(parts)
    for part in parts:
        yield from delays(part)


def numbers(parts: list[Any]) -> list[float]:
    return [part for part in parts if isinstance(part, int | float) and 0 < part < 60]
