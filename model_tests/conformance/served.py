"""What the child process does: loads the subject, plays programs on it, runs machines on it."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from ..vectors.player import Player
from .copied import is_asyncios
from .normal import played
from .subject import SubjectError, kind_of, load, substitute, timeless

# `Any` in this file: requests and answers are JSON, and programs.


@dataclass
class Served:
    """A subject that is loaded, or why it is not."""

    subject: ModuleType | None
    brings: list[str]
    runtime: Any = None
    error: str = ""

    @classmethod
    def of(cls, name: str) -> Served:
        """Load the subject of that name or file, and put it in asyncio's place."""
        try:
            subject = load(name)
            runtime = kind_of(subject)
            return cls(subject, substitute(subject), runtime)
        except SubjectError as error:
            return cls(None, [], error=str(error))

    def greeting(self) -> dict[str, Any]:
        """What the subject is."""
        if self.subject is None:
            return {"error": self.error}
        return {
            "brings": self.brings,
            "own": [name for name in self.brings if not is_asyncios(name, vars(self.subject)[name])],
            "timeless": timeless(self.subject),
        }

    def serve(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer a request."""
        if "machine" in request:
            return {"failure": self.failure(request["machine"], request["examples"])}
        return {"lines": played(lambda: Player(request["program"], self.runtime(self.subject)).play())}

    def failure(self, machine: str, examples: int) -> str | None:
        """What a state machine says against the subject; None if nothing."""
        from .machine import run  # Hypothesis: only where it is asked for

        assert self.subject is not None
        try:
            run(machine, self.subject, self.runtime, examples)
        except BaseException as error:  # as `serve`
            return "".join(traceback.format_exception_only(error))
        return None
