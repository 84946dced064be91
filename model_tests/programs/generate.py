"""Random programs of the language that every runtime plays (vectors/FORMAT.md).

1. `generate(choose)` draws a program.  `choose(n)` returns a number below n, and 0 always selects the simplest form:
   an empty body, one iteration.  `seeded(seed)` makes programs in bulk, the same on every Python.
2. A program has few things and many tasks that want them.  First come some *futures* and one or two *resources* (a
   future, a queue, lock, semaphore, condition, event, barrier).  Then a crowd of tasks waits at the first resource,
   and further tasks do anything.  Hand-overs and cancels are adjacent, so that cancels land between hand-over and run.
   Everything is created before any body runs, so every name in a body exists.  Two of three programs are *races*,
   which mostly wait, hand over, cancel and give up iterations.
3. Every program becomes idle: the only loops in bodies are over as_completed.  Tasks may then still wait for ever;
   that is seen, and no error.
4. No cycle of awaits can arise (AWAIT-1: asyncio parks it for ever).  A body awaits only things older than its task,
   and its own children; these await the same things as their parent, and older siblings.
5. No two timers are due at one instant, because no runtime promises an order of those.  The k-th timer's delay is a
   multiple of 2**TIMERS_MAX milliseconds plus 2**k.  A deadline is a sum of delays of different timers, so its low
   bits identify them.  If the deadlines of two timers had the same bits, each would have fired before the other was
   set.  `call_later(0)` is due at once; only main sets such timers, and it gives up its iteration before it can set
   the next one.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Final

import impl

from .resources import RESOURCES, Make, resources_of

# `Any` in this file: programs are JSON.
Program = dict[str, Any]
Statement = list[Any]

TIMERS_MAX: Final = 8
_DEPTH_MAX: Final = 3
#: The approximate number of statements in a program; beyond it, bodies are empty.
_SIZE_MAX: Final = 60


def seeded(seed: int, *, timers: bool = False, size: int = _SIZE_MAX, names: Collection[str] = ()) -> Program:
    """Return the program of that seed, with timers or without; `size`: about its greatest number of statements.

    `names`: its first resource is of one of these classes, if there are resources of them.
    """
    return generate(impl.Choices.seeded(seed).program, timers=timers, size=size, names=names)


def generate(
    choose: Callable[[int], int], *, timers: bool = False, size: int = _SIZE_MAX, names: Collection[str] = ()
) -> Program:
    """Draw a program; with `timers`, it may wait for time to pass; `size` and `names` as in `seeded`."""
    return _ProgramDraft(choose, timers, size, names).program()


@dataclass
class _Body:
    """A body in the making: its name, its task's name, the things that it may await, and its depth of spawning."""

    name: str
    task: str
    cells: list[str]
    depth: int
    blocks: int = 0
    children: list[str] = field(default_factory=list)


class _ProgramDraft:
    """A program in the making."""

    def __init__(self, choose: Callable[[int], int], timers: bool, size: int, names: Collection[str] = ()) -> None:
        self.choose = choose
        self.firsts = resources_of(names) or RESOURCES
        self.size_max = size
        self.timers_left = TIMERS_MAX if timers else 0
        self.bodies: dict[str, list[Statement]] = {}
        self.callbacks: dict[str, list[Any]] = {}
        self.tasks: list[str] = []
        self.things = 0
        self.hands_over: list[Make] = []  #: statements that may release the crowd
        self.size = 0

    # --- the whole -------------------------------------------------------------------------------------------

    def program(self) -> Program:
        made: list[Statement] = []
        self.race = self.choose(3) > 0
        self.futures = [f"f{n}" for n in range(1 + self.choose(3))]
        made += [["let", future, ["loop.create_future"]] for future in self.futures]
        self.resources = [
            self.pick(RESOURCES if n else self.firsts)(f"r{n}", self.choose) for n in range(1 + self.choose(2))
        ]
        made += [["let", resource.name, resource.made()] for resource in self.resources]
        main = _Body("main", "main", list(self.futures), 0)
        made += self.crowd(main)
        for _ in range(self.choose(2 if self.race else 4)):
            made.append(self.combined(main) if self.choose(4) == 3 else self.spawned(main, []))
        if self.race:
            made.append(["turn", 1])  # now the waiters wait
        length = 3 + self.choose(8) if self.race else self.choose(10)
        body = [statement for _ in range(length) for statement in self.statement(main)]
        return {"main": made + body, "bodies": self.bodies, "callbacks": self.callbacks}

    def crowd(self, main: _Body) -> list[Statement]:
        """Spawn tasks that all wait in the same way, where they must wait."""
        scene, wait, self.hands_over = self.pick(self.resources[0].races)
        number = 2 + self.choose(2) if self.race else self.choose(4)
        made = [statement(self.choose) for statement in scene]
        return made + [self.spawned(main, [self.limited(wait(self.choose))]) for _ in range(number)]

    def pick(self, options: Any) -> Any:
        return options[self.choose(len(options))]

    def new(self, letter: str) -> str:
        self.things += 1
        return f"{letter}{self.things}"

    # --- tasks -----------------------------------------------------------------------------------------------

    def spawned(self, parent: _Body, first: list[Statement], maker: str = "") -> Statement:
        """Spawn a task; its body begins with `first`."""
        body = self.body(parent, first)
        maker = maker or ("loop.create_task", "create_task", "ensure_future")[self.choose(3)]
        (self.tasks if parent.depth == 0 and parent.blocks == 0 else parent.children).append(body.task)
        parent.cells.append(body.task)
        return ["let", body.task, [maker, ["body", body.name]]]

    def body(self, parent: _Body, first: list[Statement]) -> _Body:
        task = self.new("t")
        body = _Body(f"body_{task}", task, list(parent.cells), parent.depth + 1)
        self.bodies[body.name] = first + self.block(body)
        return body

    def unnamed(self, parent: _Body) -> _Body:
        """Return a body of a task without a name; it uses its parent's."""
        body = _Body(f"body_{self.new('t')}", parent.task, list(parent.cells), parent.depth + 1)
        self.bodies[body.name] = self.block(body)
        return body

    def combined(self, body: _Body) -> Statement:
        """Combine other things into a future."""
        name = self.new("g")
        cells = [self.pick(body.cells) for _ in range(1 + self.choose(3))]
        e = ["shield", cells[0]] if self.choose(2) else ["gather", *cells]
        if e[0] == "gather" and self.choose(3) == 2:
            e.append({"return_exceptions": True})
        body.cells.append(name)
        self.tasks.append(name)
        return ["let", name, e]

    # --- statements ------------------------------------------------------------------------------------------

    def block(self, body: _Body) -> list[Statement]:
        return [statement for _ in range(self.choose(3 if self.race else 5)) for statement in self.statement(body)]

    def statement(self, body: _Body) -> list[Statement]:
        self.size += 1
        if self.size > self.size_max:
            return []
        racing = (self.turn, self.gives, self.cancels, self.window)
        families = (
            *(self.turn, self.waits, self.gives, self.cancels),
            *(self.awaits, self.window, self.composed, self.other),
        )
        chosen: Callable[[_Body], list[Statement]]
        chosen = self.pick(racing) if self.race and self.choose(8) < 7 else self.pick(families)
        return chosen(body)

    def turn(self, body: _Body) -> list[Statement]:
        if self.timers_left and self.choose(3) == 2:
            return self.sleep(body)
        return [["turn", 1 + self.choose(3)]]

    def waits(self, body: _Body) -> list[Statement]:
        return [self.limited(self.pick(self.pick(self.resources).waits)(self.choose))]

    def limited(self, wait: Statement) -> Statement:
        """Return a statement that may wait, usually with a time limit."""
        kind = self.choose(4) if self.timers_left else 0
        if kind == 2 and wait[0] == "await":
            return ["await", ["wait_for", wait[1], self.delay()]]
        return wait if kind < 2 else ["with", ["timeout", self.delay()], self.new("d"), [wait]]

    def gives(self, body: _Body) -> list[Statement]:
        """Hand something over: release a resource, or resolve a future."""
        if self.choose(4) == 3:
            return [self.guarded(["do", self.resolve()])]
        gives = self.hands_over
        if not self.race or self.choose(4) == 3:
            gives = self.pick(self.resources).gives
        return [self.guarded(self.pick(gives)(self.choose))]

    def guarded(self, statement: Statement) -> Statement:
        return statement if self.choose(8) == 0 else ["try", [statement], [["Exception", []]]]

    def resolve(self) -> Any:
        future = self.pick(self.futures)
        kind = self.choose(3)
        self.things += 1
        if kind == 2:
            return [f"{future}.cancel"]
        if kind == 1:
            return [f"{future}.set_exception", ["KeyError", self.things]]
        return [f"{future}.set_result", self.things]

    def cancels(self, body: _Body) -> list[Statement]:
        kind = self.choose(8)
        if kind == 7:  # cancel itself, and perhaps uncancel
            return [
                ["do", [f"{body.task}.{call}"]] for call in ("cancel", "cancelling", "uncancel")[: 1 + self.choose(3)]
            ]
        return [self.about(body)] if kind == 6 else [["do", self.cancel(body)]]

    def about(self, body: _Body) -> Statement:
        """Return a statement on the cancel requests of this task: count them, or withdraw one."""
        return ["do", [f"{body.task}.{self.pick(('cancelling', 'uncancel'))}"]]

    def cancel(self, body: _Body) -> Any:
        targets = [*self.tasks, *body.children] or [body.task]
        if self.race and self.choose(4) < 3:
            targets = targets[:3]  # the crowd
        target = body.task if self.choose(8) == 7 else self.pick(targets)
        return [f"{target}.cancel", self.new("why")] if self.choose(2) else [f"{target}.cancel"]

    def window(self, body: _Body) -> list[Statement]:
        """Hand over and cancel, in either order, in one iteration."""
        both = [*self.gives(body), ["do", self.cancel(body)]]
        return both[::-1] if self.choose(2) else both

    def awaits(self, body: _Body) -> list[Statement]:
        """Await the result of a task or a future, directly or through a combinator."""
        cell = self.pick(body.cells)
        kind = self.choose(8)
        if kind == 3:
            return [["await", ["shield", cell]]]
        if kind == 4:
            return [["await", ["wait_for", self.pick((cell, ["shield", cell])), self.delay()]]]
        if kind == 5:
            when = {"return_when": self.pick(("ALL_COMPLETED", "FIRST_COMPLETED", "FIRST_EXCEPTION"))}
            cells = sorted({self.pick(body.cells) for _ in range(3)})
            if self.timers_left and self.choose(2):
                when["timeout"] = self.delay()
            return [["await", ["wait", ["list", *cells], when]]]
        if kind == 6:
            keywords = [{"return_exceptions": True}] if self.choose(2) else []
            new = ["body", self.unnamed(body).name] if body.depth < _DEPTH_MAX else cell
            return [["await", ["gather", cell, self.pick((new, self.pick(body.cells))), *keywords]]]
        if kind == 7:
            return self.completed(body)
        return [["await", cell]]

    def completed(self, body: _Body) -> list[Statement]:
        """as_completed of new tasks: those done already have no defined order."""
        if body.depth == _DEPTH_MAX:
            return [["turn", 1]]
        tasks = [self.spawned(body, []) for _ in range(1 + self.choose(2))]
        name = self.new("a")
        cells = ["list", *(task[1] for task in tasks)]
        return [*tasks, ["for", name, ["as_completed", cells], [["await", name]]]]

    def delay(self) -> float | None:
        """Return a delay in seconds that no other timer has; without timers left, 0 or None."""
        if not self.timers_left or self.choose(5) == 4:
            return (None, 0)[self.choose(2)]
        self.timers_left -= 1
        return ((self.choose(4) << TIMERS_MAX) + (1 << self.timers_left)) / 1000

    # --- blocks ----------------------------------------------------------------------------------------------

    def composed(self, body: _Body) -> list[Statement]:
        if body.blocks == _DEPTH_MAX:
            return [["turn", 1]]
        body.blocks += 1
        cells, children = list(body.cells), list(body.children)
        kinds: tuple[Callable[[_Body], Statement], ...] = (
            self.swallow, self.finish, self.handle, self.timeout, self.group, self.inside, self.group,
        )  # fmt: skip
        made = kinds[self.choose(len(kinds))](body)
        body.blocks -= 1
        body.cells, body.children = cells, children  # the things that a block creates may never exist
        return [made]

    def swallow(self, body: _Body) -> Statement:
        first = [self.about(body)] if self.choose(2) else []
        return ["try", self.block(body), [["CancelledError", first + self.block(body)]]]

    def finish(self, body: _Body) -> Statement:
        return ["try", self.block(body), [], self.block(body)]

    def handle(self, body: _Body) -> Statement:
        last = self.pick(([], [["raise"]], [["raise", "ValueError", self.things]]))
        return [
            "try",
            self.block(body),
            [[self.pick(("Exception", "BaseException")), self.block(body) + last]],
        ]

    def timeout(self, body: _Body) -> Statement:
        return ["with", ["timeout", self.delay()], self.new("d"), self.block(body)]

    def group(self, body: _Body) -> Statement:
        name = self.new("tg")
        self.things += 1
        fails: list[Statement] = [["raise", "KeyError", self.things]]
        first = self.pick(([], fails, [["turn"], *fails]))
        new = [self.spawned(body, first, f"{name}.create_task")] if body.depth < _DEPTH_MAX else []
        return ["with", ["TaskGroup"], name, new + self.block(body)]

    def inside(self, body: _Body) -> Statement:
        """`async with` a resource that allows it."""
        able = [resource for resource in self.resources if resource.enters]
        return ["with", self.pick(able).name, None, self.block(body)] if able else self.finish(body)

    # --- the rest --------------------------------------------------------------------------------------------

    def other(self, body: _Body) -> list[Statement]:
        kinds: tuple[Callable[[_Body], list[Statement]], ...] = (
            self.see, self.sleep, self.spawn, self.call, self.call, self.listen, self.leave,
        )  # fmt: skip
        return kinds[self.choose(len(kinds))](body)

    def see(self, body: _Body) -> list[Statement]:
        return [["see", self.pick([*(resource.name for resource in self.resources), *body.cells])]]

    def sleep(self, body: _Body) -> list[Statement]:
        self.things += 1
        return [["await", ["sleep", self.delay() or 0, *([self.things] if self.choose(2) else [])]]]

    def spawn(self, body: _Body) -> list[Statement]:
        return [["turn", 1] if body.depth == _DEPTH_MAX else self.spawned(body, [])]

    def call(self, body: _Body) -> list[Statement]:
        """A callback, by call_soon or call_later."""
        if body.depth == 0 and self.choose(4) == 3 and self.timers_left:
            return [["do", ["loop.call_later", 0, self.callback(body)]], ["turn", 1]]
        delay = self.delay() if self.choose(2) else None
        name = self.callback(body)
        return [["let", self.new("h"), ["loop.call_later", delay, name] if delay else ["loop.call_soon", name]]]

    def listen(self, body: _Body) -> list[Statement]:
        name = self.callback(body)
        cell = self.pick(body.cells)
        remove = [["do", [f"{cell}.remove_done_callback", name]]] if self.choose(4) == 3 else []
        return [["do", [f"{cell}.add_done_callback", name]], *remove]

    def leave(self, body: _Body) -> list[Statement]:
        self.things += 1
        return [["raise", "KeyError", self.things] if self.choose(2) else ["return", self.things]]

    def callback(self, body: _Body) -> str:
        """Add a callback, made of expressions that do not wait."""
        name = self.new("c")
        acts: tuple[Callable[[], Any], ...] = (
            self.resolve,
            lambda: self.cancel(body),
            lambda: self.pick(self.pick(self.resources).acts)(self.choose)[1],
        )
        self.callbacks[name] = [self.pick(acts)() for _ in range(self.choose(4))]
        return name
