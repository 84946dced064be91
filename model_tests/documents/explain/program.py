"""A test vector as a program of plain asyncio, which a reader can run, and its output.

The program keeps the text of the vector's bodies, statement by statement; each prints its outcome, if that matters.
An error is printed where the program catches it.  At the end `main` waits for the other tasks, and prints how they
are; if `main` itself does not return, a function around it does that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from impl.bridges.own_packages import spelled

from ...conformance.cases.sources import Case
from ...programs.prelude import AGEN, BARE, GREW
from ...programs.script import ASYNCIO, Script
from ...programs.shrink import made, said, tidy
from .output import Print, PrintedLines, catches, caught, key, look, value

#: The longest that a program runs in real time, in milliseconds; a longer one runs in virtual time.
PATIENCE: Final = 3_000
#: How long, in seconds, main waits for other tasks that need no time.
SOON: Final = 0.01
IMPORTS: Final = ("asyncio", "contextvars", "gc", "traceback", "types")
LOOP: Final = "asyncio.get_running_loop()"
#: The names that are shorter than a method of the loop.
SHORTER: Final = {"loop.create_task": "asyncio.create_task", "loop.create_future": f"{LOOP}.create_future"}
VIRTUAL: Final = spelled("""\
# In virtual time hours take no time.
from impl.bridges.asyncio.run import run
""")
#: Names that the player has and Python has not.
HELPERS: Final = {"bare": BARE, "grew": GREW, "agen": AGEN}
#: The actor of the lines about the state at the end.
END: Final = "end"
#: The exception handler.
HANDLER: Final = "handler"


class PlainProgram(Script):
    """A vector as a program of plain asyncio.

    Parameters:
        case: the vector; it is run in no special way.
    """

    def __init__(self, case: Case) -> None:
        super().__init__(tidy(case.program), ASYNCIO)
        self.case = case
        self.lines = PrintedLines(case.program, case.expected)
        self.things -= {"main"} - said(case.program)
        #: The errors that the statements of each block raise, the innermost last.
        self._raised: list[list[tuple[str, list[int]]]] = []
        self._ends = {line[2]: line[3] for line in case.expected if line[1] == END}
        #: How each thing was printed last.
        self._looks: dict[str, Print | None] = {}
        #: Whether a function around main runs it.
        self.around = "main" in self.things or any(statement[0] == "return" for statement in case.program["main"])
        self.around |= not self._ends.get("main", "").startswith("gave")
        self.things |= {"main"} if self.around else set()

    @cached_property
    def text(self) -> str:
        """Its lines."""
        functions = "\n".join(self._functions())
        helpers = [f"{text.strip()}\n\n" for name, text in HELPERS.items() if f"{name}(" in functions]
        functions = "".join(helpers) + functions
        virtual = self.virtual
        head = "".join(f"import {name}\n" for name in IMPORTS if f"{name}." in functions or name == "asyncio")
        main = "program" if self.around else self.function("main")
        run = "run" if virtual else "asyncio.run"
        return f"{head}{VIRTUAL * virtual}\n{functions}\n{run}({main}())\n"

    @cached_property
    def printed(self) -> list[str]:
        """The lines that it prints."""
        assert self.text  # each statement notes its output
        return [words for _, words in sorted(self.lines.words.items())]

    @property
    def virtual(self) -> bool:
        """Whether it runs in virtual time: it prints a time, or would take long."""
        return self.lines.last()[0] > PATIENCE or any("loop.time" in str(part) for part in self.program.values())

    @property
    def silent(self) -> bool:
        """Whether it prints nothing before its end."""
        return all(self.lines.lines[index][1] == END for index in self.lines.words)

    # --- functions -----------------------------------------------------------------------------------------------

    def _functions(self) -> Iterator[str]:
        """Yield the text of each."""
        yield from self._handler()
        for name, acts in self.callbacks.items():
            yield self._callback(name, acts)
        for name, body in self.program["bodies"].items():
            yield self._function(name, body)
        yield self._function("main", self.program["main"])
        if self.around:
            yield self._around()

    def _function(self, name: str, body: list[Any]) -> str:
        """Return the text of a body; at the end of main are the lines that print how all is."""
        names = sorted(made({"main": body, "bodies": {}}) & self._elsewhere(name))
        shared = f"    global {', '.join(names)}\n" * bool(names)
        block = "".join(self.block(name, body, 1))
        rest = self._rest("main") if name == "main" and not self.around else ""
        if rest and block.strip() == "pass":
            block = ""
        handled = f"    {LOOP}.set_exception_handler({HANDLER})\n" * bool(name == "main" and self._reports)
        return f"async def {self.function(name)}():\n{shared}{handled}{block}{rest}"

    def _callback(self, name: str, acts: list[Any]) -> str:
        """Return the text of a callback; it returns the value of its last act if something asks for it."""
        self.lines.say(self.lines.of(name, "called"), f"{name}: called")
        asked = bool(acts) and any(f".wait_for', '{name}'" in str(body) for body in self._bodies())
        body = [f'print("{name}: called")\n']
        body += [line for act in acts[: len(acts) - asked] for line in self.statement(name, "do", act)]
        body += [f"return {self.value(act)}\n" for act in acts[len(acts) - asked :]]
        return f"def {name}(*args):\n" + "".join(f"    {line}" for line in body)

    def _handler(self) -> Iterator[str]:
        """Yield the exception handler, if it is called."""
        indexes = self._reports
        if indexes:
            shown = value("report", 'context["exception"]', self.lines.lines[indexes[0]][3])
            assert shown
            self.lines.say(indexes, shown.line(HANDLER))
            yield f"def {HANDLER}(loop, context):\n    {shown.statement(HANDLER)}"

    @property
    def _reports(self) -> list[int]:
        return self.lines.of(HANDLER, "report")

    def _bodies(self) -> Iterable[list[Any]]:
        return (self.program["main"], *self.program["bodies"].values())

    def _elsewhere(self, body: str) -> set[str]:
        """Return the names that other functions use."""
        bodies = {name: each for name, each in self.program["bodies"].items() if name != body}
        main = [] if body == "main" else self.program["main"]
        names = said({"main": main, "bodies": bodies, "callbacks": self.callbacks})
        if self.around:
            return names | set(self._ends)
        ends = {name for name, state in self._ends.items() if not _dull(state)}
        return names | ends if body != "main" else names

    def _around(self) -> str:
        """Return the function around main: it waits for it, and prints how it is."""
        shared = "    global main\n" * ("main" in self.things)
        start = f"    main = asyncio.create_task({self.function('main')}())\n"
        return f"async def program():\n{shared}{start}{self._rest('')}"

    def _rest(self, actor: str) -> str:
        """Return the lines that wait for the tasks that the actor does not await, and print how all is at the end."""
        time, last = self.lines.last(actor or None) if actor else (0, -1)
        _, latest = self.lines.last()
        until = max((line[0] for line in self.lines.lines), default=0)  # a task may end, silently, after the last print
        ends = "".join(self._states())
        others = self.program["bodies"] or self.callbacks
        if actor and (not others or (last == latest and not ends)):
            return ends
        return f"    await asyncio.sleep({(until - time) / 1000 + SOON:g})\n{ends}"

    def _states(self) -> Iterator[str]:
        """Yield the lines that print how the things are at the end, but for those that were printed as such before."""
        silent = not self.lines.words
        for index, (_, actor, name, state) in enumerate(self.lines.lines):
            if actor != END or (_dull(state) and not silent) or (name == "main" and not self.around):
                continue
            if (shown := look(name, state)) and shown != self._looks.get(name):
                self.lines.say([index], shown.line(END))
                yield f"    {shown.statement(END)}"

    # --- statements ----------------------------------------------------------------------------------------------

    def block(self, actor: str, statements: list[Any], depth: int) -> Iterator[str]:
        """Yield the lines of some statements, at least one."""
        empty = True
        for statement in statements:
            for line in self._lines_of(actor, statement, depth):
                empty = False
                yield line
        if empty:
            yield "    " * depth + "pass\n"

    def _lines_of(self, actor: str, statement: list[Any], depth: int) -> Iterator[str]:
        indent = "    " * depth
        if statement[0] == "try":
            yield from self._guarded(actor, statement, depth)
            return
        for line in self.statement(actor, *statement):
            yield indent + line
        for head, inner in self.inner(*statement):
            yield f"{indent}{head}\n"
            self._raised.append([])
            yield from self.block(actor, inner, depth + 1)
            self._raised.pop()
        if statement[0] == "with":
            self._note(*self._outcome(actor, statement))

    def _guarded(self, actor: str, statement: list[Any], depth: int) -> Iterator[str]:
        """Yield the lines of a `try`; its handlers print the error, if one statement alone raises it."""
        indent = "    " * depth
        self._raised.append([])
        yield f"{indent}try:\n"
        yield from self.block(actor, statement[1], depth + 1)
        raised = self._raised.pop()
        for name, handler in statement[2]:
            found = [each for each in raised if catches(name, self.lines.outcome(each[1]))]
            raised = [each for each in raised if each not in found]
            shown = None
            if len({what for what, _ in found}) == 1:
                shown = caught(found[0][0], name, self.lines.outcome(found[0][1]))
            named = " as error" * bool(shown and shown.expression)
            yield f"{indent}except {self.subject.spell(name)}{named}:\n"
            if shown:
                self.lines.say(found[0][1], shown.line(actor))
                yield f"{indent}    {shown.statement(actor)}"
            if handler or not shown:
                yield from self.block(actor, handler, depth + 1)
        if statement[3:] or not statement[2]:
            yield f"{indent}finally:\n"
            yield from self.block(actor, statement[3] if statement[3:] else [], depth + 1)

    def _note(self, what: str, indexes: list[int]) -> None:
        """Note the error of a statement, for the `try` around it."""
        if self._raised and self.lines.outcome(indexes).startswith("raised "):
            self._raised[-1].append((what, indexes))

    def _outcome(self, actor: str, statement: list[Any]) -> tuple[str, list[int]]:
        """Return the printed outcome of a statement, and its lines."""
        kind, does, *_ = statement
        written = self.value(does).replace("asyncio.", "").replace('"', "'")
        what = {"await": "await ", "with": "async with "}.get(kind, "") + written
        return what, self.lines.take(actor, key(*statement))

    def statement(self, actor: str, kind: str, *rest: Any) -> Iterator[str]:
        """Yield the lines of a statement before its blocks."""
        if kind in ("do", "await"):
            what, indexes = self._outcome(actor, [kind, *rest])
            self._note(what, indexes)
            expression = "await " * (kind == "await") + self.value(rest[0])
            outcome = self.lines.outcome(indexes)
            dull = outcome == "None" and (kind == "do" or rest[0][0] == "sleep")
            shown = None if dull or not outcome or outcome.startswith("raised ") else value(what, expression, outcome)
            yield from self._printed(actor, indexes, shown, f"{expression}\n")
        elif kind == "see":
            _, indexes = self._outcome(actor, [kind, *rest])
            outcome = self.lines.outcome(indexes)
            self._looks[rest[0]] = look(rest[0], outcome) if outcome else None
            yield from self._printed(actor, indexes, self._looks[rest[0]], "")
        elif kind == "forget":
            yield f"del {rest[0]}\n"
            yield "gc.collect()\n"
        elif kind != "with":
            yield from super().statement(actor, kind, *rest)

    def _printed(self, actor: str, indexes: list[int], shown: Print | None, plain: str) -> Iterator[str]:
        """Yield the statement that prints those lines; the plain one, if they are not printed."""
        if shown:
            self.lines.say(indexes, shown.line(actor))
            yield shown.statement(actor)
        elif plain:
            yield plain

    def inner(self, kind: str, *rest: Any) -> Iterator[tuple[str, list[Any]]]:
        """Yield the blocks of a statement, each with its head."""
        if kind == "with":
            yield f"async with {self.value(rest[0])}{f' as {rest[1]}' if rest[1] else ''}:", rest[2]
        else:
            yield from super().inner(kind, *rest)

    # --- expressions ---------------------------------------------------------------------------------------------

    def value(self, e: Any, new: str = "") -> str:
        """Format an expression as Python, without a global variable for the loop."""
        written = super().value(e, new)
        for long, short in SHORTER.items():
            written = re.sub(rf"\b{re.escape(long)}\b", short, written)
        return re.sub(r"(?<![\w.\"])loop\b(?!\")", LOOP, written)


def _dull(state: str) -> bool:
    """Whether it says little how a thing is at the end: a future without a value, or no future at all."""
    return state == "gave None" or state.partition(" ")[0] not in ("pending", "cancelled", "gave", "raised")


def readable(case: Case) -> bool:
    """Whether a program that prints all it sees can be short: it needs nothing of the player, and leaves no loop."""
    reports = {line[3] for line in case.expected if line[1] == HANDLER}
    return (
        not case.program.get("how")
        and "tuple" not in said(case.program)  # which the player shows as a list
        and all(line[1] != "loop" for line in case.expected)
        and len(reports) < 2
        and all(value("", "", report) for report in reports)
    )
