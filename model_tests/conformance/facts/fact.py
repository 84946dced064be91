"""A fact: a documented sentence, and a function on plain asyncio that has assertions, which hold if it is true.

Programs (vectors/FORMAT.md) have words for tasks, primitives and time.  They have none for the current event loop,
threads, signals, causes of errors or wrong arguments, which are Python's own.  A fact is written in Python, and its
body is the test that a finding shows.  A coroutine function runs on the loop of the subject in virtual time; a plain
function makes its loops itself, by `run` or `Runner`, and those are of the same kind.

The facts are the texts of `facts/*.txt`.  The first line of a function's docstring is the sentence.  The head of its
text is `NAME: ABOUT`: its rules, and the names of asyncio's that it is about.  After a semicolon come, with commas:

    since 3.12         the first CPython where it is true
    threads            time is real
    undocumented       no sentence says so, although its rule is documented
    takes KEYWORD      a subject is asked only if its names take this keyword
    without a clock    a loop without a replaceable clock is asked, too

A fact asserts nothing about turns: where something must have happened, it sleeps for a second.
"""

from __future__ import annotations

import importlib
import inspect
import linecache
import re
import textwrap
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, Final

from ...programs.enumeration import Program
from ...programs.reachable import weakly
from ...programs.releases import Release, parsed
from ...programs.tables import table
from ..loops.clock import real_time
from ..normal import Line

if TYPE_CHECKING:
    from ...programs.script import ScriptSubject

# Any in this file: a fact is a function of any kind; a runtime's loop is of any class.

#: asyncio, or its replacement: facts also give it wrong arguments.
asyncio: Final[Any] = importlib.import_module("asyncio")
#: The outcomes of a fact: it is true, or the loop has nothing to do before it ends.
HELD: Final = "holds"
HANGS: Final = "hangs"
#: The modules that facts use.
IMPORTS: Final = (
    "concurrent.futures",
    "contextvars",
    "functools",
    "gc",
    "inspect",
    "io",
    "os",
    "signal",
    "threading",
    "time",
    "weakref",
)
#: What may stand in a head after the semicolon.
MORE: Final = re.compile(r"since [\d.]+|threads|undocumented|takes \w+|without a clock")
#: The folder of the texts.
FOLDER: Final = Path(__file__).parent
#: A short delay.
PAUSE: Final = re.compile(r"(?<=sleep\()0\.\d+(?=\))")
#: The number of turns until a fact ends, on the clock of its function.
TURNS_MAX: Final = 640
#: How often the tasks that a fact leaves behind are cancelled.
ROUNDS: Final = 5


@dataclass(frozen=True)
class Fact:
    """A documented sentence about `names`; `rules` would be broken if it were not true."""

    text: str
    rules: tuple[str, ...]
    names: tuple[str, ...]
    name: str
    code: str
    since: Release
    threads: bool
    documented: bool
    takes: str
    clock: bool

    @cached_property
    def check(self) -> Callable[[], Any]:
        """The function, in a module of its own; a traceback shows its lines."""
        file = f"<{self.name}>"
        linecache.cache[file] = len(self.code), None, self.code.splitlines(keepends=True), file
        module: dict[str, Any] = {}
        exec(f"import asyncio, {', '.join(IMPORTS)}", module)
        exec(compile(self.code, file, "exec"), module)
        function: Callable[[], Any] = module[self.name]
        return function

    @property
    def program(self) -> Program:
        """The fact in the place of a program."""
        return {"main": [], "bodies": {}, "fact": self.text}

    @property
    def expected(self) -> list[Line]:
        """The lines of a subject for which the fact holds."""
        return [[0, "fact", self.text, HELD]]

    def seen(self, runtime: Callable[[], Any], names: Any) -> list[Line]:
        """Return the lines of a subject.

        Parameters:
            runtime: makes a Runtime with a new loop of the subject.
            names: the namespace that replaces asyncio.
        """
        globals_of = {**self.check.__globals__, "asyncio": names}
        classes = tuple(thing for thing in vars(names.subject).values() if isinstance(thing, type))
        if "weakref" in globals_of and classes:
            globals_of["weakref"] = weakly(classes)
        check = types.FunctionType(self.check.__code__, globals_of, closure=self.check.__closure__)
        try:
            if inspect.iscoroutinefunction(check):
                outcome = in_loop(check, runtime())
            else:
                with outside(runtime, self.threads):
                    check()
                outcome = HELD
        except BaseException as error:
            outcome = f"raised {type(error).__name__}"
            if isinstance(error, AssertionError) and not error.args:
                outcome = f"failed: {self.statement(error)}"
        return [[0, "fact", self.text, outcome]]

    def statement(self, error: AssertionError) -> str:
        """Return the assertion of the fact that failed; of one on more lines, the first."""
        code = self.check.__code__
        lines = [each.lineno for each in extract_tb(error.__traceback__) if each.filename == code.co_filename]
        return linecache.getline(code.co_filename, [0, *lines][-1] or 0).strip()

    def functions(self, subject: ScriptSubject, setup: Sequence[str], name: str = "") -> Iterator[str]:
        """Yield texts of modules with one test function; `setup` puts the subject in place in a loop.

        The first one waits, if the fact does, others give up a turn instead, or have a clock that nothing waits for.
        """
        from ...programs.plain import framed  # here: a child process loads facts, and writes none

        body = re.sub(r"\basyncio\.(\w+)\b", lambda found: subject.spell(found[1]), self.body())
        name = name or self.rules[0].lower().replace("-", "_")
        imports = "".join(f"import {name}\n" for name in IMPORTS if re.search(rf"\b{name}\.", body))
        head = f"import asyncio\n{imports}{subject.imports}\n\n{subject.patches}def test_{name}():\n"
        if not inspect.iscoroutinefunction(self.check):
            yield from (head + textwrap.indent(some, "    ") for some in (body, PAUSE.sub("0", body)))
            return
        body = textwrap.indent("".join(f"{line}\n" for line in setup) + body, " " * 8)
        run, clocked = framed(subject, {}), framed(subject, {}, TURNS_MAX, clock=True)
        for some, frame in (body, run), (PAUSE.sub("0", body), run), (body, clocked):
            yield f"{head}    async def main():\n{some}\n" + textwrap.indent("\n".join(frame), "    ") + "\n"

    def uses(self) -> set[str]:
        """Return the names of asyncio that the function uses."""
        return set(re.findall(r"\basyncio\.(\w+)\b", self.body()))

    def body(self) -> str:
        """Return the statements of the function, without its docstring."""
        return textwrap.dedent(self.code.split('"""', 2)[2].lstrip("\n"))


def in_loop(check: Callable[[], Any], runtime: Any) -> str:
    """Run a coroutine function on a runtime; return the outcome.

    Raises:
        BaseException: the error that the function raises.
    """
    loop = runtime.loop
    loop.set_exception_handler(lambda loop, context: None)
    main = runtime.start(check())
    try:
        runtime.rest()
        if not main.done():
            return HANGS
        main.result()
        return HELD
    finally:
        for _ in range(ROUNDS):
            for task in asyncio.all_tasks(loop):
                task.cancel()
            runtime.rest()
        loop.close()


@contextmanager
def outside(runtime: Callable[[], Any], threads: bool) -> Iterator[None]:
    """Have `run` and `Runner` use the loops of a runtime; with `threads`, those of asyncio, in real time."""
    events = asyncio.events
    make = vars(events)["new_event_loop"]  # as in stages.py

    def made() -> Any:
        events.new_event_loop = make  # which the loop under test may call
        try:
            return runtime().loop
        finally:
            events.new_event_loop = made

    try:
        if threads:
            with real_time():
                yield
        else:
            events.new_event_loop = made
            yield
    finally:
        events.new_event_loop = make
        asyncio.set_event_loop(None)


def read(head: str, code: str) -> Fact:
    """Return the fact of a text with its head.

    Raises:
        ValueError: the head has a word that has no meaning.
    """
    name, _, rest = head.partition(": ")
    about, _, rest = rest.partition("; ")
    more = rest.split(", ") if rest else []
    if unknown := [each for each in more if not MORE.fullmatch(each)]:
        raise ValueError(f"the head of the fact {name} has {unknown[0]!r}, which means nothing")
    words = dict[str, str](each.split(" ") for each in more if each.startswith(("since ", "takes ")))
    return Fact(
        code.split('"""')[1].partition("\n")[0].rstrip("."),
        tuple(each for each in about.split() if "-" in each),
        tuple(each for each in about.split() if "-" not in each),
        name,
        code,
        parsed(words.get("since", "3.11")),
        "threads" in more,
        "undocumented" not in more,
        words.get("takes", ""),
        "without a clock" not in more,
    )


@cache
def facts() -> dict[str, Fact]:
    """Return all facts, by their sentences."""
    every = (read(*item) for path in sorted(FOLDER.glob("*.txt")) for item in table(path)[1].items())
    return {fact.text: fact for fact in every}
