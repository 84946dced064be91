"""Hold the objects that a program uses to a model: shared by the oracles of queues and of your own specification.

While an exploration runs, the methods that are actions of the specification write the lines of a trace
(spec/kit/trace.py): a call takes place where its first step does, a result when it is returned.  Tasks are numbered in
the order of their first call.

A request to cancel a task that waits in a call is written before the next line of that object: in between, nothing
happened that the object could observe.  A CancelledError that no task requested is an outcome like any other, which
the specification allows or not.  If the program has come to rest, nothing may be due, which finds lost wake-ups;
a program that returns earlier leaves its objects as they are.

That some call is judged is a probe `sometimes` (impl/explore/programs/probes.py): a search that judges none has failed.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any, NamedTuple, Self, TypeAlias

import impl
from impl.bridges.asyncio.scheduling import Turns
from impl.bridges.asyncio.tasks import SimTask
from impl.errors import Refusal
from impl.explore import sometimes
from impl.explore.report.internal import hold
from impl.tasks.current import our_running_loop
from spec.kit.core import Event, SpecError
from spec.kit.monitor import Monitor, Rejected
from spec.kit.rules import rule_of
from spec.kit.search import LimitError
from spec.kit.trace import Do, End, Line, Return

from ..refinement.machines.objects import not_async
from ..refinement.machines.outcomes import CANCELLED, Raised, raised
from .methods import AnyModel, Method, definer_of, given, methods_of, replace_method, with_derived

# Any in this file: objects and tasks of any runtime, and the states of any specification.
Thing: TypeAlias = Any
AnyTask: TypeAlias = Any
#: Takes the result of a call, and returns it.
Wrap: TypeAlias = Callable[[Any], Any]


class RuleBroken(AssertionError):
    """An object broke the specification; `rules` are the identifiers of the rules that it broke."""

    def __init__(self, judged: JudgedObject, line: Line, rejected: Rejected) -> None:
        spec = judged.monitor.model.spec
        rules = {**spec.properties, **spec.actions}
        names = [*rejected.broken, *rejected.thinned]
        if not rejected.broken:
            # The line breaks no property, but no action allows it: those are named that the caller could take.
            caller = line.caller if isinstance(line, Return) else None
            due = [event for event in judged.monitor.due() if caller is None or event.args[:1] == (caller,)]
            names += [event.name for event in (*due, judged.called.get(caller)) if event is not None]
        broken = [rules[name] for name in dict.fromkeys(names)]
        self.rules = [each.rule for each in broken]
        texts = [f"{each.rule}: {rule_of(each).sentence}" for each in broken]
        super().__init__("\n".join([*texts, str(rejected)]))


class CannotJudge(Refusal):
    """The specification cannot judge the run: its model is too small, or it has no action for a request to cancel."""

    @classmethod
    def because(cls, why: str) -> Self:
        return cls(why, "a model that fits the program")

    def __str__(self) -> str:
        return self.what

    sentence = __str__


class NotModelled(Exception):
    """The specification has no action for a call."""


class Inside(NamedTuple):
    """The task of a call, and how many requests to cancel it had before the call, without one to be delivered."""

    task: AnyTask
    before: int


class JudgedObject(ABC):
    """One object in one run: its monitor, and the numbers of its tasks."""

    def __init__(self, monitor: Monitor[Any, Any]) -> None:
        self.monitor = monitor
        self.called: dict[Hashable, Event] = {}  # the last call of each task
        self._inside: dict[Any, Inside] = {}  # by caller
        self._requested: set[Any] = set()  # callers with a request to cancel since their last call began
        self._cancelled: set[Any] = set()  # those of them that the monitor knows of
        self._tasks: dict[object, int] = {}
        self._without_caller: set[object] = set()  # tasks, or None, in a call that has no caller

    def begins(self, name: str, args: tuple[Any, ...]) -> Event | None:
        """The event of a call by the running task; None within another call of it.

        Raises:
            NotModelled: no action of the specification is this call.
        """
        task = running()
        if self._tasks.get(task) in self._inside or task in self._without_caller:
            return None
        action = self.monitor.model.spec.actions.get(name)
        if action is not None and not action.params:
            self._without_caller.add(task)
            return Event(name)
        caller = self.caller_of(name, self._tasks.setdefault(task, len(self._tasks)))
        pending = task is not None and undelivered(task)
        self._inside[caller] = Inside(task, 0 if task is None else task.cancelling() - pending)
        self._requested.discard(caller)
        self._cancelled.discard(caller)
        if pending:
            self._requested.add(caller)
        self.called[caller] = Event(name, (caller, *map(self.value, args)))
        return self.called[caller]

    def caller_of(self, name: str, caller: int) -> Any:
        """The task that makes a call of the task with that number.  Raises NotModelled."""
        return caller

    def value(self, x: Any) -> Hashable:
        """An argument, as a value of the specification."""
        return x  # type: ignore[no-any-return]  # a value that has no hash is not one of the model

    @abstractmethod
    def answer(self, event: Event, outcome: object) -> Hashable:
        """The outcome of a call, a value or `Raised(error)`, in the words of the specification."""

    def requested(self, task: AnyTask) -> None:
        """A task is requested to cancel."""
        self._requested.update(caller for caller, inside in self._inside.items() if inside.task is task)

    def cancels(self, but: object = None) -> list[Line]:
        """The first request to cancel of each task in a call since the last line; `but`: not of this caller."""
        found = [
            caller
            for caller, (task, before) in self._inside.items()
            if caller not in self._cancelled and caller != but and task is not None and task.cancelling() > before
        ]
        return self._cancels(found)

    def _cancels(self, callers: Collection[Any]) -> list[Line]:
        self._cancelled.update(callers)
        return [Do(Event("cancel", (caller,))) for caller in callers]

    def ends(self, event: Event, outcome: object) -> list[Line]:
        """The lines of a call that returns or raises; a call without a caller has none.

        A request to cancel its task counts if it was delivered within the call, also if it was taken back since.
        """
        if not event.args:
            self._without_caller.discard(running())
            return []
        caller = event.args[0]
        task, before = self._inside[caller]
        asked = task is not None and (
            task.cancelling() > before or (caller in self._requested and raised(outcome, *CANCELLED))
        )
        own = [caller] if asked and caller not in self._cancelled and not undelivered(task) else []
        lines = [*self.cancels(but=caller), *self._cancels(own), Return(caller, self.answer(event, outcome))]
        del self._inside[caller]
        return lines


class RunOracle(ABC):
    """Judges run after run: `begin`, the run, `end`; within `watching`.

    Parameters:
        model: of the specification.
        classes: their methods, and those of the classes that derive from them, are recorded; inherited ones, too.
        judges: the text of the probe: what happens when a call is judged.
    """

    def __init__(self, model: AnyModel, classes: Collection[type], judges: str) -> None:
        self.model = model
        self._classes = classes
        self._watched: Collection[type] = ()
        self._judges = judges
        self._actions = methods_of(model)
        # By id, with the object, which keeps the id.
        self._things: dict[int, tuple[Thing, JudgedObject | None]] = {}
        self._error: BaseException | None = None
        self._over = True

    # --- called by an exploration ----------------------------------------------------------------------------

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Within, the methods of the classes record their calls, until their loop is wound up."""
        with ExitStack() as undo:
            self._watched = dict.fromkeys(each for base in self._classes for each in with_derived(base))
            for each in self._watched:
                self.watch(undo, each)
            for loop in (impl.Loop, Turns):
                replace_method(undo, loop, "wind_up", self._frozen)
            for task in (impl.Task, SimTask):
                replace_method(undo, task, "cancel", self._requests)
            yield

    def watch(self, undo: ExitStack, each: type) -> None:
        """Have the methods of one class recorded, until `undo` is closed."""
        for name in self._actions:
            self.replace(undo, each, name, functools.partial(self.recorded, name))

    def replace(self, undo: ExitStack, each: type, name: str, make: Callable[[Method], Method]) -> None:
        """Replace a method of a class, unless it inherits that from a class that is watched, too."""
        if name in vars(each) or self._unseen(each, name):
            replace_method(undo, each, name, make)

    def _unseen(self, each: type, name: str) -> bool:
        """Whether a class takes the method from one that is not watched."""
        definer = definer_of(each, name)
        return definer is not None and definer not in self._watched

    def begin(self) -> None:
        """A run begins."""
        self._things.clear()
        self._error, self._over = None, False
        sometimes(False, self._judges)

    def end(self, at_rest: bool) -> BaseException | None:
        """The program has ended, or is at rest: it cannot continue.  Returns the error, if a rule was broken."""
        if at_rest:
            for _, judged in self._things.values():
                if judged is not None and self._error is None:
                    # Every request to cancel was delivered; since then the winding up has made others.
                    self._feed(judged, [End()])
        self._over = True
        return self._error

    # --- recording -------------------------------------------------------------------------------------------

    @abstractmethod
    def judge(self, thing: Thing) -> JudgedObject | None:
        """The record of an object that is new in this run; None: it is not judged."""

    @abstractmethod
    def lacks(self, judged: JudgedObject, event: Event) -> str | None:
        """The lack of the model of an object, for an event of the program, and its remedy; None: it has all."""

    def _requests(self, method: Method) -> Method:
        """The method `cancel` of a task, which tells of the request."""

        @functools.wraps(method)
        def cancel(task: AnyTask, *args: Any, **keywords: Any) -> Any:
            for _, judged in self._things.values():
                if judged is not None:
                    judged.requested(task)
            return method(task, *args, **keywords)

        return cancel

    def _frozen(self, method: Method) -> Method:
        """The method, after which nothing is recorded: tasks that are left are cancelled."""

        @functools.wraps(method)
        def wind_up(loop: Any) -> None:
            self._over = True
            method(loop)

        return wind_up

    def recorded(self, name: str, method: Method) -> Method:
        """The method, which records its calls, but for those within another call of the same task."""
        try:
            signature = inspect.signature(method)
        except ValueError:  # it is built in, and does not say
            signature = inspect.signature(lambda *args: None)
        wanted = len(self.model.spec.actions[name].params)

        def call(thing: Thing, args: tuple[Any, ...], keywords: dict[str, Any]) -> AbstractContextManager[Wrap]:
            return self._call(thing, name, given(signature, wanted, (thing, *args), keywords)[1:])

        if inspect.iscoroutinefunction(method):

            @functools.wraps(method)
            async def awaited(thing: Thing, *args: Any, **keywords: Any) -> Any:
                with call(thing, args, keywords) as returned:
                    return returned(await method(thing, *args, **keywords))

            return awaited

        @functools.wraps(method)
        def plain(thing: Thing, *args: Any, **keywords: Any) -> Any:
            with call(thing, args, keywords) as returned:
                result = method(thing, *args, **keywords)
                if inspect.isawaitable(result) and not self._over:
                    self._error = self._error or not_async(name)
                return returned(result)

        return plain

    @contextmanager
    def _call(self, thing: Thing, name: str, args: tuple[Any, ...]) -> Iterator[Wrap]:
        """One call of a method; its result goes through the function that this yields."""
        judged = None if self._over or self._error is not None else self._of(thing)
        event = None
        if judged is not None:
            try:
                event = judged.begins(name, args)
            except NotModelled:
                self._things[id(thing)] = thing, None
        if judged is None or event is None:
            yield lambda result: result
            return
        outcome: object = None

        def returned(result: Any) -> Any:
            nonlocal outcome
            outcome = result
            return result

        sometimes(True, self._judges)
        if lacking := self.lacks(judged, event):
            self._error = CannotJudge.because(lacking)
        else:
            self._feed(judged, [*judged.cancels(but=next(iter(event.args), None)), Do(event)])
        try:
            yield returned
        except BaseException as error:
            outcome = Raised(error)
            raise
        finally:
            lines = judged.ends(event, outcome)
            # An object that was given up since the call began is not judged any more.
            if not self._over and self._things.get(id(thing), (None, None))[1] is judged:
                if raised(outcome, GeneratorExit):
                    self._things[id(thing)] = thing, None
                elif lines and self._error is None:
                    self._feed(judged, lines)

    def _of(self, thing: Thing) -> JudgedObject | None:
        """The record of an object in this run; None: it is not judged."""
        if id(thing) not in self._things:
            late = type(thing)
            if late not in self._watched and any(self._unseen(late, name) for name in self._actions):
                self._error = CannotJudge.because(
                    f"{late.__name__} must be defined before the program runs, to be judged"
                )
                self._things[id(thing)] = thing, None
            else:
                self._things[id(thing)] = thing, self.judge(thing)
        return self._things[id(thing)][1]

    def _feed(self, judged: JudgedObject, lines: Sequence[Line]) -> None:
        try:
            judged.monitor.follow(lines)
        except Rejected as rejected:
            self._error = RuleBroken(judged, lines[-1], rejected)
        except (SpecError, LimitError) as error:
            uncancellable = "cancel" not in judged.monitor.model.spec.actions and any(
                isinstance(line, Do) and line.event.name == "cancel" for line in lines
            )
            hint = ", and a task is cancelled in a call: add the action cancel(task)" if uncancellable else ""
            self._error = CannotJudge.because(f"{error}{hint}")
        except Exception as error:
            hold(error)


def running() -> AnyTask | None:
    """The task that runs, or None in a callback."""
    loop = our_running_loop()
    if loop is not None:
        return loop.current
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


def undelivered(task: AnyTask) -> bool:
    """Whether a request to cancel the task will be raised at its next wait."""
    return bool(task._request is not None if isinstance(task, impl.Task) else task._must_cancel)
