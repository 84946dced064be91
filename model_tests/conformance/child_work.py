"""The work of the child process: it loads the subject, plays programs and runs state machines."""

from __future__ import annotations

import sys
import traceback
from dataclasses import asdict, dataclass, field
from types import ModuleType
from typing import Any

from ..programs.enumeration import Json
from .child_player import DocumentedPlayer, in_subject
from .facts.fact import facts
from .loops.runtimes import NESTED, LoopKind, OnAsyncio, OnImpl, kind_of
from .normal import EQUAL_RUNS_DIFFER, broken_off
from .subjects.members import codes
from .subjects.origin import is_asyncios, of_impl
from .subjects.subject import REPLACED, SubjectError, SubjectNames, asyncios_own, brought, load, profiled
from .subjects.surface import Surface, surfaced


@dataclass
class LoadedSubject:
    """A loaded subject, or the reason why there is none."""

    subject: ModuleType | None
    brings: list[str]
    kind: LoopKind = field(default_factory=lambda: LoopKind(OnAsyncio))
    error: str = ""
    surface: Surface = field(default_factory=Surface)
    apart: bool = False  #: whether asyncio's code does not use the subject, which calls itself there

    @classmethod
    def of(cls, name: str) -> LoadedSubject:
        """Load the subject of that name or file, and substitute its names for asyncio's."""
        subject = None
        try:
            subject = load(name)
            kind = kind_of(subject)
            return cls(
                subject,
                list(brought(subject)),
                kind,
                surface=surfaced(subject, profiled(name)[1].left_out),
            )
        except SubjectError as error:
            return cls(None, [], error=str(error))
        except Exception as error:
            if subject is None or not in_subject(error, subject):
                raise
            return cls(None, [], error=f"{name} cannot be looked at: {type(error).__name__}: {error}")

    def greeting(self) -> dict[str, Json]:
        """Return the first answer: the subject's names, or why it cannot be loaded."""
        if self.subject is None:
            return {"error": self.error}
        return {
            "brings": self.brings,
            "own": [name for name in self.brings if not is_asyncios(name, vars(self.subject)[name])],
            "timeless": self.kind.timeless,
            "asyncios": self.kind.runtime is not OnImpl and not self.kind.hides,
            "hides": self.kind.hides,
            "loop_lacks": self.kind.lacks,
            "of_impl": self.kind.runtime is OnImpl or any(map(of_impl, brought(self.subject).values())),
            "places": {name: place for name in self.brings if (place := place_of(vars(self.subject)[name]))},
            "surface": asdict(self.surface),
        }

    def serve(self, request: dict[str, Json]) -> dict[str, Json]:
        """Answer a request; if asyncio's code, which uses the subject, is why that calls itself, without that use.

        Neither are other requests then answered with it, as an error need not be seen.
        """
        answer = {} if self.apart or request["apart"] else self.answer(request)
        if answer and (not REPLACED or "RecursionError" not in str(answer)):
            return answer
        if name := min(NESTED, default=""):
            makes = f"loop.create_{name.lower()}()"
            return {"error": f"{name} is not judged, as it calls itself by {makes}: have it make asyncio.{name}()"}
        with asyncios_own():
            again = self.answer(request)
        if answer and "RecursionError" in str(again):
            return answer
        self.apart = True
        return {**again, "apart": True}

    def answer(self, request: dict[str, Json]) -> dict[str, Json]:
        """Answer a request, with the substitution as it is."""
        if "machine" in request:
            return self.failure(request["machine"], request["examples"])
        if "fact" in request["program"]:
            assert self.subject is not None
            fact = facts()[request["program"]["fact"]]
            return {"lines": fact.seen(lambda: self.kind.runtime(self.subject), SubjectNames(self.subject))}
        mistakes: list[str] = []
        try:
            lines = DocumentedPlayer(request["program"], self.kind.runtime(self.subject), mistakes).play()
        except BaseException as error:  # a subject may raise anything
            return {"lines": broken_off(error), "internal": self.internal(error)}
        return {"lines": lines, "mistakes": mistakes}

    def internal(self, error: BaseException) -> str:
        """Return an error with its traceback, if it comes from loopspec's own code; else "".

        A loop, and code that is not Python's, may raise without a frame of their own.
        """
        assert self.subject is not None
        if "new_event_loop" in self.brings or not all(any(codes(thing)) for thing in brought(self.subject).values()):
            return ""
        return "" if in_subject(error, self.subject) else "".join(traceback.format_exception(error))

    def failure(self, machine: str, examples: int) -> dict[str, Json]:
        """Return the failure that a state machine finds, or None, and the rules that are broken."""
        from .machine import run  # imports Hypothesis, which takes long

        assert self.subject is not None
        try:
            run(machine, self.subject, self.kind.runtime, examples)
        except BaseException as raised:  # a subject may raise anything
            error = first_failure(raised)
            if error is None:
                return {"failure": EQUAL_RUNS_DIFFER, "rules": ()}
            if not hasattr(error, "rules") and self.internal(error):
                raise
            text = "".join(traceback.format_exception_only(error))
            return {"failure": text, "rules": getattr(error, "rules", ())}
        return {"failure": None, "rules": ()}


def first_failure(error: BaseException | None) -> BaseException | None:
    """Return an error; for one of Hypothesis' about equal runs that differ, the failure behind it, or None.

    They differ if objects of the subject share a state.  For example, all queues keep their items in one deque, a
    default argument: the first run leaves an item there, and the second finds a new queue that is not empty.
    """
    from hypothesis.errors import Flaky, FlakyFailure

    while isinstance(error, Flaky):
        error = error.exceptions[0] if isinstance(error, FlakyFailure) else error.__cause__ or error.__context__
    return error


def place_of(thing: Any) -> tuple[str, str] | None:  # Any: a class or function of the subject
    """Return the Python file of a thing and its name there, or None; an object, or a thing that a profile adapts, has
    none.
    """
    module, name = (str(getattr(thing, key, "")) for key in ("__module__", "__qualname__"))
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    adapted = module.startswith(f"{__package__}.")
    return (file, name) if name and file.endswith(".py") and not adapted else None
