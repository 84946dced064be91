"""Write a program as a short pytest function on plain asyncio, which asserts the one thing that differed.

A body becomes an `async def`, a thing a variable.  Nothing is recorded but what the assertion needs: the state of a
task or primitive at the end, the outcome of one call of main, or a list of what the bodies got, in order.
`function` returns None for a program that this cannot express, such as one that ends the loop.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from ..vectors.player import text
from .asserted import Asserted, Inexpressible
from .prelude import AGEN
from .runtimes import Line, Program
from .script import ASYNCIO, Subject, eager_factory
from .shrink import made, said, words

# `Any` in this file: programs are JSON (vectors/FORMAT.md).

#: The body that a program outside the loop runs first, and the keyword by which that is done on the player's loop.
PROGRAM: Final = "program"
FACTORY: Final = {"loop_factory": "this_loop"}
#: Marks a block whose error is recorded.
MARKED: Final = "marked"
#: How a function names its loop.
LOOP: Final = "loop = asyncio.get_running_loop()"
NAMED: Final = re.compile(r"\bloop\b")
LAMBDA: Final = re.compile(r"lambda loop,.*")
#: Methods and functions that are coroutine functions: a task is made of their call.
COROUTINES: Final = frozenset({"acquire", "get", "put", "join", "wait", "sleep"})


def function(
    name: str,
    program: Program,
    expected: list[Line],
    seen: list[Line],
    subject: Subject = ASYNCIO,
    setup: Sequence[str] = (),
) -> str | None:
    """Return the text of a module with one test function, or None; see the module.

    Parameters:
        subject: the implementation that replaces asyncio; its `loop` is the function that makes its loops, if any.
        setup: lines at the beginning of main, which put the subject in place.
    """
    try:
        return _Function(name, program, expected, seen, subject, setup).text()
    except Inexpressible:
        return None


class _Function(Asserted):
    """One function in the making."""

    def text(self) -> str:
        """Return the module."""
        body = named_once("".join(self.main()))
        self.imports += [name for name in ("gc", "contextvars") if f"{name}." in body]
        imports = "".join(f"import {name}\n" for name in sorted(self.imports))
        if self.outside:
            return f"{imports}{self.subject.imports}\n\ndef test_{self.name}():\n{body}"
        head = f"\n\ndef test_{self.name}():\n    async def main():\n"
        debug = ", debug=True" * ("debug" in self.how)
        main = "asyncio.wait_for(main(), 9)" if self.hangs else "main()"
        run = [f"asyncio.run({main}{debug})"]
        if self.subject.loop:
            made = f"asyncio.Runner(loop_factory={self.subject.loop}{debug})"
            run = [f"with {made} as runner:", f"    runner.run({main})"]
        if self.leaves:
            run = [f"with pytest.raises({self.leaves}):", *(f"    {line}" for line in run)]
        return f"{imports}{self.subject.imports}{head}{body}\n" + "".join(f"    {line}\n" for line in run)

    def main(self) -> Iterator[str]:
        """Yield the lines of main."""
        depth = 1 if self.outside else 2
        indent = "    " * depth
        yield from (f"{indent}{line}\n" for line in self.setup)
        if "eager" in self.how:
            factory = eager_factory(self.subject)
            yield f"{indent}asyncio.get_running_loop().set_task_factory({factory})\n"
        if self.recorded:
            yield f"{indent}seen = []\n"
        self.loops = (
            not said(self.program).isdisjoint(("loop", "later")) or ("handler", "report") in self.recorded
        )
        if self.loops:
            yield f"{indent}loop = " + ("None" if self.outside else "asyncio.get_running_loop()") + "\n"
        if ("handler", "report") in self.recorded:
            yield f"{indent}loop.set_exception_handler(lambda loop, context: seen.append(context))\n"
        shared = self.names = self.shared()
        if shared:
            yield f"{indent}{' = '.join(shared)} = None\n"
        yield from self.functions(indent)
        if self.as_task:
            yield f"\n{indent}async def first():\n"
            yield from self.outer("main", self.program["main"], shared, 3)
            yield f"\n{indent}main = asyncio.create_task(first())\n"
        elif self.ends_in:
            yield f"{indent}with pytest.raises({self.ends_in}):\n"
            yield from self.block("main", self.program["main"], depth + 1)
        else:
            yield from self.block("main", self.program["main"], depth)
        if (self.last or self.leaves or self.as_task) and not self.outside:
            yield f"{indent}await asyncio.sleep({self.sleeps:g})\n"
        if self.last:
            yield f"{indent}assert {self.last}\n"

    def shared(self) -> list[str]:
        """Return the names that one function makes and another uses, where that is not main."""
        parts = {**self.program["bodies"], "main": self.program["main"]}
        asserted = set(re.findall(r"\w+", " ".join([self.last, *self.asserts.values()])))
        names: set[str] = set()
        for name, body in parts.items():
            if name != "main" or self.as_task:
                others = [
                    said({"main": other, "bodies": {}}) for each, other in parts.items() if each != name
                ]
                calls = [words(acts) for acts in self.callbacks.values()]
                names |= made({"main": body, "bodies": {}}) & asserted.union(*others, *calls)
        return sorted(names)

    def functions(self, indent: str) -> Iterator[str]:
        """Yield the callbacks and bodies; equal bodies are one function."""
        if "agen" in self.things:
            yield from (f"{indent}{line}\n" if line else "\n" for line in AGEN.splitlines()[1:])
        for name, acts in self.callbacks.items():
            yield f"\n{indent}def {name}(*args):\n"
            lines = [f'seen.append("{self.label(name, "called")}")\n'] * ((name, "called") in self.recorded)
            for e in acts:
                lines += self.call((name, text(e)), self.value(e))
            if acts and not any(key == (name, text(acts[-1])) for key in self.recorded):
                lines[-1] = f"return {lines[-1]}"
            yield from (f"{indent}    {line}" for line in lines or ["pass\n"])
        self.same: dict[str, str] = {}
        texts: dict[str, str] = {}
        for name, body in self.program["bodies"].items():
            if self.is_call(name):
                continue
            code = "".join(self.outer(name, body, self.names, len(indent) // 4 + 1))
            self.same[name] = texts.setdefault(code, name)
        for code, name in texts.items():
            yield f"\n{indent}async def {self.function(name)}():\n{code}"
        if texts or self.callbacks:
            yield "\n"

    def value(self, e: Any, new: str = "") -> str:
        if isinstance(e, list) and e[-1] == FACTORY:  # the test has no other loop
            return super().value(e[:-1])
        if isinstance(e, list) and e[0] == "body" and self.is_call(e[1]):
            return super().value(self.program["bodies"][e[1]][0][1])
        return super().value(e, new)

    def is_call(self, name: str) -> bool:
        """Return whether a body is one call of a coroutine function, and its result does not matter."""
        body = self.program["bodies"][name]
        call = body[0][1] if len(body) == 1 and body[0][0] == "await" else None
        if (
            not isinstance(call, list)
            or any(actor == name for actor, _ in self.recorded)
            or ".result(" in self.last
        ):
            return False
        return bool(call[0].rpartition(".")[2] in COROUTINES)

    def function(self, body: str) -> str:
        return super().function(getattr(self, "same", {}).get(body, body))

    def outer(self, name: str, body: list[Any], names: list[str], depth: int) -> Iterator[str]:
        """Yield the block of a function, with the names that it shares."""
        if self.outside and name == PROGRAM and self.loops:
            yield f"{'    ' * depth}nonlocal loop\n"
            yield f"{'    ' * depth}loop = asyncio.get_running_loop()\n"
        mine = [each for each in names if each in made({"main": body, "bodies": {}})]
        if mine:
            yield f"{'    ' * depth}nonlocal {', '.join(mine)}\n"
        yield from self.block(name, body, depth)

    def statement(self, actor: str, kind: str, *rest: Any) -> Iterator[str]:
        key = actor, self.what([kind, *rest])
        if kind in ("do", "await"):
            call = ("await " if kind == "await" else "") + self.value(rest[0])
            yield from self.call(key, call)
        elif kind == "let":
            yield f"{rest[0]} = {self.value(rest[1], rest[0])}\n"
        elif kind == "turn":
            times = rest[0] if rest else 1
            turn = f"await {self.subject.spell('sleep')}(0)\n"
            yield from [turn] * times if times < 3 else [f"for _ in range({times}):\n", f"    {turn}"]
        elif kind == MARKED:
            yield "seen.append(repr(error))\n"
            yield "raise\n"
        elif kind == "see":
            if key in self.asserts:
                yield f"assert {self.asserts[key]}\n"
        elif kind == "yield":
            value = self.value(rest[0])
            yield f'await type("Bare", (), {{"__await__": lambda self: iter([{value}])}})()\n'
        elif kind == "forget":
            yield f"del {rest[0]}\n"
            yield "gc.collect()\n"
        elif kind in ("repeat", "measure"):
            yield from super().statement(actor, kind, *rest)
        elif kind == "return":
            yield f"return {self.value(rest[0])}\n"
        elif kind == "raise":
            error = f" {self.subject.spell(rest[0])}({', '.join(map(self.value, rest[1:]))})" if rest else ""
            yield f"raise{error}\n"

    def call(self, key: tuple[str, str], call: str) -> Iterator[str]:
        """Yield a call, with what is recorded or asserted of it."""
        how = self.recorded.get(key)
        if key in self.raises:
            yield f"with pytest.raises({self.raises[key]}):\n"
            yield f"    {call}\n"
        elif key in self.asserts:
            call = f"({call})" if call.startswith("await") else call
            yield f"assert {self.asserts[key].replace('({})', call)}\n"
        elif how == "value":
            yield f"seen.append({call})\n"
        elif how == "before":
            yield f"{call}\n"
            yield "assert not seen\n"
        elif how == "error":
            yield "try:\n"
            yield f"    {call}\n"
            yield "except BaseException as error:\n"
            yield "    seen.append(repr(error))\n"
            yield "    raise\n"
        elif how == "label" and any(
            line[1:3] == [*key] and line[3].startswith("raised ") for line in self.expected
        ):
            yield "try:\n"
            yield f"    {call}\n"
            yield "finally:\n"
            yield f"    seen.append({json.dumps(self.label(*key))})\n"
        else:
            yield f"{call}\n"
            if how == "label":
                yield f"seen.append({json.dumps(self.label(*key))})\n"

    def inner(self, kind: str, *rest: Any) -> Iterator[tuple[str, list[Any]]]:
        leaves = kind == "with" and f"end with {text(rest[0])}" in {what for _, what in self.recorded}
        if leaves and rest[-1] != MARKED:
            yield "try:", [["with", *rest, MARKED]]
            yield "except BaseException as error:", [[MARKED]]
        elif kind == "with":
            yield f"async with {self.value(rest[0])}{f' as {rest[1]}' if rest[1] else ''}:", rest[2]
        else:
            yield from super().inner(kind, *rest)

    def block(self, actor: str, statements: list[Any], depth: int) -> Iterator[str]:
        lines = list(super().block(actor, list(turns(statements)), depth))
        yield from lines or [f"{'    ' * depth}pass\n"]


def turns(statements: list[Any]) -> Iterator[Any]:
    """Yield statements; adjacent ones that give up turns are one."""
    for gives, some in groupby(statements, lambda statement: statement[0] == "turn"):
        if gives:
            yield ["turn", sum(statement[1] if statement[1:] else 1 for statement in some)]
        else:
            yield from some


def named_once(body: str) -> str:
    """Return the lines with the loop in the place of its name, if that is used once."""
    left = body.replace(f"        {LOOP}\n", "", 1)
    uses = [line for line in left.splitlines() if NAMED.search(LAMBDA.sub("", line))]
    if left == body or len(uses) != 1 or len(NAMED.findall(LAMBDA.sub("", uses[0]))) != 1:
        return body
    return left.replace(uses[0], NAMED.sub(LOOP.partition("= ")[2], uses[0], count=1), 1)
