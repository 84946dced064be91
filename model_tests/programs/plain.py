"""Write a program as a short pytest function on plain asyncio that asserts the one difference.

A body becomes an `async def`, a thing a variable.  The function records only the values that it asserts: the state of a
task or primitive at the end, the outcome of one call of main, or a list of the bodies' results, in order.
`functions` yields none for a program that this cannot express, such as one that ends the loop.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, groupby
from typing import Any, Final

from .assertion import FRAMES, RUNNER, WAITS, Asserted, Inexpressible
from .prelude import AGEN
from .runtimes import Line, Program
from .script import ASYNCIO, ScriptSubject, eager_factory
from .shrink import made, said, words
from .vectors.player import text

# `Any` in this file: programs are JSON (vectors/FORMAT.md).

#: The body that a program outside the loop runs first, and the keyword that runs it on the player's loop.
PROGRAM: Final = "program"
FACTORY: Final = {"loop_factory": "this_loop"}
#: Marks a block that records its error.
MARKED: Final = "marked"
#: Marks a block that records its beginning.
ENTERED: Final = "entered"
#: How a function names its loop.
LOOP: Final = "loop = asyncio.get_running_loop()"
NAMED: Final = re.compile(r"\bloop\b")
LAMBDA: Final = re.compile(r"lambda loop,.*")
#: The name of main, in main itself.
CURRENT: Final = re.compile(r"\bmain\b")
#: A line that makes a future, or a task of a body.
SAME: Final = re.compile(r" *(\w+) = ((?:asyncio\.|\b)(?:Future\(\)|create_task\(\w+\(\)\)))\n")
#: The classes of the objects that these functions make.
MAKERS: Final = {"create_task": "Task", "loop.create_task": "Task", "loop.create_future": "Future"}
#: Turns of a loop per second of the clock that makes every timer due; turns that a program without timers needs to end.
TURNS: Final = 64
REST_TURNS: Final = 20
CLOCK: Final = f"lambda: turn / {TURNS}"
#: Methods and functions that are coroutine functions: a task is made of their call.
COROUTINES: Final = frozenset({"acquire", "get", "put", "join", "wait", "sleep"})


def functions(
    name: str,
    program: Program,
    expected: list[Line],
    seen: list[Line],
    subject: ScriptSubject = ASYNCIO,
    setup: Sequence[str] = (),
) -> Iterator[str]:
    """Yield texts of modules with one test function, the plainest first; see the module.

    None is run here: not each one shows the difference (conformance/findings/trial.py).

    Parameters:
        subject: the implementation that replaces asyncio; its `loop` is the function that makes its loops, if any.
        setup: lines at the beginning of main, which put the subject in place.
    """
    for number in count():
        place, form = divmod(number, len(FRAMES))
        try:
            yield _Function(name, program, expected, seen, subject, setup, place, *FRAMES[form]).text()
        except Inexpressible:
            continue
        except IndexError:
            return


class _Function(Asserted):
    """One function in the making."""

    def text(self) -> str:
        """Return the module."""
        body = named_once("".join(self.main()))
        self.imports += [name for name in ("gc", "contextvars", "traceback") if f"{name}." in body]
        imports = "".join(f"import {name}\n" for name in sorted(self.imports))
        head = f"{imports}{self.subject.imports}\n\n{self.subject.patches}def test_{self.name}():\n"
        if self.outside:
            return tidy(head + body)
        given = {"debug": "True"} if "debug" in self.how else {}
        main = "main" if self.in_main_only else "first"
        run = framed(self.subject, given)
        if self.frame == RUNNER:
            seconds = self.sleeps * (1 if self.outer else 2)
            turns = round(seconds * TURNS) if self.timed else REST_TURNS
            run = framed(self.subject, given, turns, self.timed, self.outer, f"{self.task} = {main}()")
        if self.leaves:
            run = [f"with pytest.raises({self.leaves}):", *(f"    {line}" for line in run)]
        return tidy(f"{head}    async def {main}():\n{body}\n" + "".join(f"    {line}\n" for line in run))

    def main(self) -> Iterator[str]:
        """Yield the lines of main."""
        depth = 1 if self.outside else 2
        indent = "    " * depth
        statements = self.program["main"]
        shared = self.names = self.shared()
        yield from self.functions(indent)
        yield from (f"{indent}{line}\n" for line in self.setup)
        if "eager" in self.how:
            factory = eager_factory(self.subject)
            yield f"{indent}asyncio.get_running_loop().set_task_factory({factory})\n"
        if self.recorded:
            yield f"{indent}seen = []\n"
        reports = ("handler", "report") in self.recorded
        if {"loop", "later"} & said(self.program) or reports:
            yield f"{indent}loop = " + ("None" if self.outside else "asyncio.get_running_loop()") + "\n"
        if reports:
            yield f"{indent}loop.set_exception_handler(lambda loop, context: seen.append(context))\n"
        if shared:
            yield f"{indent}{' = '.join(shared)} = None\n"
        if self.ends_in:
            yield f"{indent}with pytest.raises({self.ends_in}):\n"
            yield from self.block("main", statements, depth + 1)
        else:
            last = self.own().index(self.cut) + 1 if self.cut else len(statements)
            yield from self.block("main", statements[:last], depth)
        if ((self.last and "sizes" not in self.last) or self.leaves) and not self.outside:
            turns = (f"for _ in range({REST_TURNS}):", "    await asyncio.sleep(0)")
            rest = [f"await asyncio.sleep({self.sleeps:g})"] if self.timed else turns
            yield from (f"{indent}{line}\n" for line in rest)
        if self.last:
            yield f"{indent}assert {self.last}\n"

    def shared(self) -> list[str]:
        """Return the names that a body makes and another function uses."""
        parts = {**self.program["bodies"], "main": self.program["main"]}
        asserted = set(re.findall(r"\w+", " ".join([self.last, *self.asserts.values()])))
        names: set[str] = set()
        for name, body in parts.items():
            if name != "main":
                others = [said({"main": other, "bodies": {}}) for each, other in parts.items() if each != name]
                calls = [words(acts) for acts in self.callbacks.values()]
                names |= made({"main": body, "bodies": {}}) & asserted.union(*others, *calls)
        return sorted(names)

    def functions(self, indent: str) -> Iterator[str]:
        """Yield the callbacks and bodies; equal bodies are one function."""
        if "agen" in self.things:
            yield from (f"{indent}{line}\n" if line else "\n" for line in AGEN.splitlines()[1:])
        self.short: dict[str, str] = {}
        for name, acts in self.callbacks.items():
            lines = [f'seen.append("{self.label(name, "called")}")\n'] * ((name, "called") in self.recorded)
            for e in acts:
                lines += self.call((name, text(e)), self.value(e))
            if len(lines) == 1 and json.dumps(self.program).count(f'"{name}"') == 2:
                self.short[name] = f"lambda *args: {lines[0].strip()}"
                continue
            if acts and not any(key == (name, text(acts[-1])) for key in self.recorded):
                lines[-1] = f"return {lines[-1]}"
            yield f"\n{indent}def {name}(*args):\n"
            yield from (f"{indent}    {line}" for line in lines or ["pass\n"])
        self.same: dict[str, str] = {}
        texts: dict[str, str] = {}
        for name, body in self.program["bodies"].items():
            if self.is_call(name):
                continue
            code = "".join(self.outer_block(name, body, self.names, len(indent) // 4 + 1))
            self.same[name] = texts.setdefault(code, name)
        for code, name in texts.items():
            yield f"\n{indent}async def {self.function(name)}():\n{code}"
        if texts or len(self.callbacks) > len(self.short):
            yield "\n"

    def value(self, e: Any, new: str = "") -> str:
        if "main" in said({"main": [["do", e]], "bodies": {}}) and self.in_main_only and not self.outside:
            return CURRENT.sub("asyncio.current_task()", super().value(e, new))
        if isinstance(e, list) and not self.setup:  # the subject's things are made by name
            name = MAKERS.get(e[0], "")
            own = bool(name) and self.subject.spell(name) == name
            if own or (name == "Future" and not self.subject.loop):
                e = [name, *e[1:]]
        if isinstance(e, str) and e in getattr(self, "short", ()):
            return self.short[e]
        if isinstance(e, list) and e[0] == "grew":
            return f"len(traceback.extract_tb({self.value(e[1])}.__traceback__))"
        if isinstance(e, list) and e[-1] == FACTORY:  # the test has no other loop
            return super().value(e[:-1])
        if isinstance(e, list) and e[0] == "body" and self.is_call(e[1]):
            call = self.program["bodies"][e[1]][0][1]
            return f"asyncio.wait_for({call}, None)" if isinstance(call, str) else super().value(call)
        return super().value(e, new)

    def is_call(self, name: str) -> bool:
        """Return whether a body is one call of a coroutine function, and its result does not matter."""
        body = self.program["bodies"][name]
        call = body[0][1] if len(body) == 1 and body[0][0] == "await" else None
        if (
            call is None
            or any(actor == name for actor, _ in self.recorded)
            or (".result(" in self.last and name not in self.returned)
        ):
            return False
        return isinstance(call, str) or bool(call[0].rpartition(".")[2] in COROUTINES)

    def function(self, body: str) -> str:
        return super().function(getattr(self, "same", {}).get(body, body))

    def outer_block(self, name: str, body: list[Any], names: list[str], depth: int) -> Iterator[str]:
        """Yield the block of a function, with the names that it shares."""
        if self.outside and name == PROGRAM and {"loop", "later"} & said(self.program):
            yield f"{'    ' * depth}nonlocal loop\n"
            yield f"{'    ' * depth}loop = asyncio.get_running_loop()\n"
        mine = [each for each in names if each in made({"main": body, "bodies": {}})]
        if mine:
            yield f"{'    ' * depth}nonlocal {', '.join(mine)}\n"
        yield from self.block(name, body, depth)

    def statement(self, actor: str, kind: str, *rest: Any) -> Iterator[str]:
        key = actor, self.what([kind, *rest])
        if kind == "await" and actor == "main" and key[1] == self.waits:
            starts = isinstance(rest[0], list) and (rest[0][0] == "body" or rest[0][0].rpartition(".")[2] in COROUTINES)
            make = "create_task" if starts else "ensure_future"
            if isinstance(rest[0], list):
                yield f"{WAITS} = asyncio.{make}({self.value(rest[0])})\n"
        elif kind in ("do", "await"):
            call = ("await " if kind == "await" else "") + self.value(rest[0])
            last = actor in self.returned and [kind, *rest] == self.program["bodies"][actor][-1]
            yield from [f"return {call}\n"] if last else self.call(key, call)
        elif kind == "turn":
            times = rest[0] if rest else 1
            turn = f"await {self.subject.spell('sleep')}(0)\n"
            yield from [turn] * times if times < 3 else [f"for _ in range({times}):\n", f"    {turn}"]
        elif kind == ENTERED:
            yield f"seen.append({json.dumps(self.label(*rest))})\n"
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
        elif kind != "with":  # which is one of the inner blocks here
            yield from super().statement(actor, kind, *rest)

    def call(self, key: tuple[str, str], call: str) -> Iterator[str]:
        """Yield a call, with the record or the assertion about it."""
        how = self.recorded.get(key)
        if key in self.raises:
            yield f"with pytest.raises({self.raises[key]}){' as caught' * bool(self.caught)}:\n"
            yield f"    {call}\n"
            if self.caught:
                yield f"assert repr(caught.value) == {json.dumps(self.caught)}\n"
        elif key in self.asserts:
            call = f"({call})" if call.startswith("await") else call
            yield f"assert {self.asserts[key].replace('({})', call)}\n"
        elif how == "value":
            yield f"seen.append({call})\n"
        elif how == "before":
            yield f"{call}\n"
            yield "assert not seen\n"
        elif how in ("error", "class"):
            yield "try:\n"
            yield f"    {call}\n"
            yield "except BaseException as error:\n"
            yield f"    seen.append({'repr(error)' if how == 'error' else 'type(error).__name__'})\n"
            yield "    raise\n"
        elif how == "label" and any(line[1:3] == [*key] and line[3].startswith("raised ") for line in self.expected):
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
        each = [self.entered(actor, statement) for statement in turns(statements)]
        lines = merged(super().block(actor, each, depth))
        yield from lines or [f"{'    ' * depth}pass\n"]

    def entered(self, actor: str, statement: list[Any]) -> list[Any]:
        """Return a statement; a block that records its beginning notes it first."""
        key = actor, f"with {text(statement[1])}" if statement[0] == "with" else ""
        if key not in self.recorded:
            return statement
        return [*statement[:3], [[ENTERED, *key], *statement[3]], *statement[4:]]


def framed(
    subject: ScriptSubject,
    given: dict[str, str],
    turns: int = 0,
    clock: bool = False,
    asserted: str = "",
    task: str = f"{WAITS} = main()",
) -> list[str]:
    """Return the lines that run main.

    Parameters:
        given: keyword arguments of asyncio.run().
        turns: how many turns a Runner gives main, as a task; 0: main is run to its end.
        clock: whether the time is the number of the turn, so that nothing waits.
        asserted: the assertion about the task of main, if not that it ends without an error.
        task: the names of the task and of main.
    """
    more = {"loop_factory": subject.loop} if subject.loop else {}
    args = ", ".join(f"{key}={value}" for key, value in {**more, **given}.items())
    if not turns and not more:
        return [f"asyncio.run({', '.join(filter(None, ['main()', args]))})"]
    made = f"with asyncio.Runner({args}) as runner:"
    if not turns:
        return [made, "    runner.run(main())"]
    name, _, call = task.partition(" = ")
    return [
        made,
        *[f"    runner.get_loop().time = {CLOCK}"] * clock,
        f"    {name} = runner.get_loop().create_task({call})",
        f"    for {'turn' if clock else '_'} in range({turns}):",
        "        runner.run(asyncio.sleep(0))",
        f"    assert {asserted}" if asserted else f"    {name}.result()",
    ]


def merged(lines: Iterable[str]) -> list[str]:
    """Return lines; adjacent ones that make a thing of the same kind, by a call without arguments, are one."""
    found: list[str] = []
    for call, some in groupby(lines, lambda line: (SAME.fullmatch(line) or ["", "", line])[2]):
        each = list(some)
        if len(each) > 1 and SAME.fullmatch(each[0]):
            names = ", ".join(line.partition(" = ")[0].strip() for line in each)
            indent = each[0][: len(each[0]) - len(each[0].lstrip())]
            each = [f"{indent}{names} = ({call} for _ in range({len(each)}))\n"]
        found += each
    return found


def tidy(code: str) -> str:
    """Return a module without blank lines at the beginning of blocks, or more than one within its function."""
    head, test, body = code.partition("def test_")
    body = re.sub(r"\n\n\n+", "\n\n", re.sub(r":\n\n+", ":\n", body))
    return head + test + body


def turns(statements: list[Any]) -> Iterator[Any]:
    """Yield statements; adjacent ones that give up turns are one."""
    for gives, some in groupby(statements, lambda statement: statement[0] == "turn"):
        if gives:
            yield ["turn", sum(statement[1] if statement[1:] else 1 for statement in some)]
        else:
            yield from some


def named_once(body: str) -> str:
    """Return the lines with the loop in the place of its name, if that is used once, or not at all."""
    left = body.replace(f"        {LOOP}\n", "", 1)
    uses = [line for line in left.splitlines() if NAMED.search(LAMBDA.sub("", line))]
    if left == body or not uses:
        return left
    if len(uses) != 1 or len(NAMED.findall(LAMBDA.sub("", uses[0]))) != 1:
        return body
    return left.replace(uses[0], NAMED.sub(LOOP.partition("= ")[2], uses[0], count=1), 1)
