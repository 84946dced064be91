"""A process of a subject that several tests share: it plays each program once."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain

from ..conformance.findings.finding import Rejection
from ..conformance.normal import Line
from ..conformance.process import Process
from ..programs.enumeration import Program


class Remembering(Process):
    """A process that plays each program once, and runs each state machine once, unless that ends its child."""

    def __init__(self, subject: str) -> None:
        self.known: dict[str, tuple[list[Line], list[str], str]] = {}
        self.rejections: dict[str, Rejection | None] = {}
        super().__init__(subject)

    def play(self, programs: Iterable[Program]) -> Iterator[list[Line]]:
        waiting: deque[tuple[str, bool]] = deque()

        def unknown() -> Iterator[Program]:
            for program in programs:
                waiting.append((json.dumps(program), json.dumps(program) not in self.known))
                if waiting[-1][1]:
                    yield program

        for lines in chain(super().play(unknown()), [None]):
            while waiting and not waiting[0][1]:
                remembered, self.mistakes, self.internal = self.known[waiting.popleft()[0]]
                yield remembered
            if lines is not None:
                text, _ = waiting.popleft()
                if not self.losses + self.slow:
                    self.known[text] = lines, self.mistakes, self.internal
                yield lines

    def alone(self, program: Program) -> list[Line]:
        self.close()
        return next(iter(super().play([program])))

    def afresh(self) -> Remembering:
        """Forget the lost objects, for the next test."""
        self.losses = self.slow = 0
        return self

    def machine(self, name: str, examples: int) -> Rejection | None:
        if name not in self.rejections:
            self.rejections[name] = super().machine(name, examples)
        return self.rejections[name]
