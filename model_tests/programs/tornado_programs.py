"""Random coroutine programs in Tornado's words, as Python source: what is printed is what runs.

Theory of operation.
1.  `program(choose)` draws a `Program`.  `choose` is a lane of `Choices`, as in generate.py: lists of small
    numbers shrink, and the smallest program says nothing.
2.  A program is a module: coroutines and plain callbacks, each used at one place, later ones first.  `main` is called
    by the loop.  Its names are those of `gen`, `Future` and the loop, which the runtime gives it (tornado_runtimes.py):

        coroutine, moment, Return      as in tornado.gen
        f                              the list of the futures that all share
        say(n, *what)                  writes down n, and what came of it
        sleep(ms)                      a future that the loop resolves then
        later(ms, callback)            the loop's add_timeout
        add_callback, add_future       the loop's
        Failure                        what programs raise

3.  Every program comes to rest and ends: bodies have no loops, a coroutine yields no coroutine but its own children,
    and a future that everybody waits for in vain is resolved by the runtime.
4.  What is left out, and why:
    -   lists and dicts, unless `many`: there the order differs (test_ladder_tornado_peer.py says how);
    -   `add_done_callback`, for the same reason: the text's Future calls at once, tornado's in the next iteration;
    -   `yield None`: since tornado 4.5 it is `moment`, in the text it is a bad yield.  Awaitables: later than the text;
    -   cancel: the text's Future has none.  Errors that are no Exception: they end the loop, both theirs and ours;
    -   two timeouts for one instant: neither promises an order.  The n-th delay is a multiple of 2**TIMERS_MAX and
        2**(n-1), the first may be 0; so low bits tell deadlines apart (generate.py, 5).
5.  With `many`, a future is resolved by one line at most.  So what a line is told depends on no order: only data flow
    from one to the other, never a race.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

TIMERS_MAX: Final = 8
FUTURES: Final = 4
_DEPTH_MAX: Final = 3

#: What a line of a program can be; the first is the smallest, and what stands here twice comes twice as often.
_KINDS: Final = (
    *("say", "await_future", "resolve", "moment", "child", "await_child", "sleep", "attempt"),
    *("add_callback", "add_future", "later", "spawn", "bad", "fail", "leave"),
    *("say", "await_future", "moment", "child", "child", "await_child", "await_child", "attempt"),
)
#: Of a plain callback, which cannot wait.
_ACTS: Final = ("say", "resolve", "add_callback", "add_future", "later", "spawn", "fail", "say", "resolve")
#: Of a block deep down.
_LEAVES: Final = (
    "say",
    "await_future",
    "resolve",
    "moment",
    "await_child",
    "sleep",
    "bad",
    "fail",
    "say",
    "moment",
)


@dataclass(frozen=True, slots=True)
class Program:
    """A program, as source text."""

    source: str


def program(choose: Callable[[int], int], *, many: bool) -> Program:
    """Draw a program; `many` says whether it may yield lists and dicts."""
    return _Draft(choose, many).program()


class _Draft:
    """A program in the making."""

    def __init__(self, choose: Callable[[int], int], many: bool) -> None:
        self.choose = choose
        self.many = many
        self.functions: list[str] = []
        self.said = self.named = self.timers = 0
        self.unresolved = list(range(FUTURES))

    def program(self) -> Program:
        children: list[str] = []
        crowd = [line for _ in range(self.choose(6)) for line in self.line("child", 1, children)]
        self.function("main", crowd + self.body(0, _KINDS, children))
        return Program("\n\n".join(self.functions) + "\n")

    def function(self, name: str, lines: list[str], *, plain: bool = False) -> None:
        head = [f"def {name}(*_):"] if plain else ["@coroutine", f"def {name}():"]
        self.functions.append("\n".join([*head, *indented(lines)]))

    def body(self, depth: int, kinds: tuple[str, ...], children: list[str]) -> list[str]:
        """A block; `children` are the names of the coroutines that its coroutine has called for certain."""
        inner = list(children)
        lines: list[str] = []
        for _ in range(self.choose(9 if depth == 0 else 6)):
            kind = kinds[self.choose(len(kinds))]
            if kind == "leave":
                return [*lines, self.leave()]
            lines += self.line(kind, depth, inner)
        return lines or ["pass"]

    def line(self, kind: str, depth: int, children: list[str]) -> list[str]:
        match kind:
            case "say":
                return [f"say({self.number()})"]
            case "await_future":
                return [self.wait(f"f[{self.choose(FUTURES)}]", depth, children)]
            case "resolve":
                return self.resolve()
            case "moment":
                return ["yield moment"]
            case "child":
                name = self.coroutine(depth)
                children.append(f"{name}_called")
                return [f"{name}_called = {name}()"]
            case "await_child":
                return [self.wait(children[self.choose(len(children))], depth, children)] if children else []
            case "sleep":
                return [f"yield sleep({ms})" for ms in self.delay()]
            case "attempt":
                return self.attempt(depth, children)
            case "add_callback":
                return [f"add_callback({self.callback(depth)})"]
            case "add_future":
                return [f"add_future(f[{self.choose(FUTURES)}], {self.callback(depth)})"]
            case "later":
                return [f"later({ms}, {self.callback(depth)})" for ms in self.delay()]
            case "spawn":
                return [f"add_callback({self.coroutine(depth)})"]
            case "bad":
                return [f"yield {self.number()}"]
            case "fail":
                return [f"raise Failure({self.number()})"]
        raise AssertionError(kind)

    def wait(self, what: str, depth: int, children: list[str]) -> str:
        """Wait for it; or, if lists are allowed, for several."""
        if self.many and self.choose(2):
            what = self.several(what, 0, children)
        return f"say({self.number()}, (yield {what}))"

    def several(self, first: str, depth: int, children: list[str]) -> str:
        waits = [first]
        for _ in range(self.choose(3)):
            if depth == 0 and self.choose(4) == 3:
                waits.append(self.several(f"f[{self.choose(FUTURES)}]", 1, children))
            else:
                known = [*(f"f[{n}]" for n in range(FUTURES)), *children]
                waits.append(known[self.choose(len(known))])
        if self.choose(2):
            return "{" + ", ".join(f"{key}: {wait}" for key, wait in enumerate(waits)) + "}"
        return "[" + ", ".join(waits) + "]"

    def resolve(self) -> list[str]:
        n = self.choose(FUTURES)
        if self.many:
            if n not in self.unresolved:
                return []
            self.unresolved.remove(n)
        if self.choose(4) == 3:
            return [f"f[{n}].set_exception(Failure({self.number()}))"]
        return [f"f[{n}].set_result({self.number()})"]

    def attempt(self, depth: int, children: list[str]) -> list[str]:
        """A `try`, with an `except`, or a `finally`, or both."""
        if depth == _DEPTH_MAX:
            return []
        forms = self.choose(3)
        lines = ["try:", *indented(self.body(depth + 1, _KINDS, children))]
        if forms != 1:
            lines += [
                "except Exception as error:",
                f"    say({self.number()}, error)",
                *indented(self.body(_DEPTH_MAX, _LEAVES, children)),
            ]
        if forms != 0:
            lines += ["finally:", *indented(self.body(_DEPTH_MAX, _LEAVES, children))]
        return lines

    def leave(self) -> str:
        return f"return {self.number()}" if self.choose(2) == 0 else f"raise Return({self.number()})"

    def coroutine(self, depth: int) -> str:
        name = self.name("c")
        kinds = _KINDS if depth < _DEPTH_MAX else _LEAVES
        self.function(name, self.body(depth + 1, kinds, []))
        return name

    def callback(self, depth: int) -> str:
        name = self.name("k")
        acts = _ACTS if depth < _DEPTH_MAX else _ACTS[:2]
        self.function(name, self.body(depth + 1, acts, []), plain=True)
        return name

    def name(self, kind: str) -> str:
        self.named += 1
        return f"{kind}{self.named}"

    def number(self) -> int:
        self.said += 1
        return self.said

    def delay(self) -> list[int]:
        """A delay in milliseconds, unless there are no more."""
        if self.timers == TIMERS_MAX:
            return []
        own = 1 << self.timers >> 1
        self.timers += 1
        return [(self.choose(3) << TIMERS_MAX) + own]


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]
