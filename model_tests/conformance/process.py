"""The parent's side of the child process: starts it, has it play programs, and survives whatever happens to it.

Programs are sent ahead of their answers, as many as certainly fit into a pipe, so that both processes work at the
same time and neither waits for the other to read.  If the child dies, the first program without an answer was
running: that program "does not return", or ended the process, as the exit status says.  A new child plays the rest.
A child that is blocked (in a lock of threads, in a real sleep) is killed after a limit on the wall clock.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Final

from ..programs.enumeration import Json, Program
from .normal import Line
from .subject import SubjectError
from .surface import Surface

#: Bytes of requests without an answer; a pipe holds 64 KiB.
AHEAD: Final = 32_000
#: Seconds on the wall clock without an answer after which a child counts as blocked.
PATIENCE: Final = 15.0
#: The folder that a child needs on its path to import this package, in a checkout and where it is installed.
HOME: Final = str(Path(__file__).resolve().parents[__package__.count(".") + 1])


class Ended(Exception):
    """The child has ended, or was killed; the text is what the report says."""


class Process:
    """A child that plays programs on a subject, as a context manager.

    Raises:
        SubjectError: the subject cannot be loaded.
    """

    def __init__(self, subject: str, patience: float = PATIENCE) -> None:
        self.subject, self.patience = subject, patience
        self.child: subprocess.Popen[bytes] | None = None
        self.read = b""
        self.brings: list[str] = []  #: asyncio's names that the subject brings
        self.own: list[str] = []  #: those with code that is not asyncio's
        self.timeless = False
        self.surface = Surface()
        self.mistakes: list[str] = []  #: errors of the subject's own making, in the last program
        self.losses = 0  #: the number of children that ended
        self.start()

    def start(self) -> None:
        """Start a new child, and have it load the subject."""
        self.child = subprocess.Popen(
            [sys.executable, "-m", "model_tests.conformance.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([HOME, *filter(None, [os.environ.get("PYTHONPATH")])]),
            },
        )
        self.read = b""
        path = [entry or os.getcwd() for entry in sys.path]
        self.send({"subject": self.subject, "path": [*path, os.getcwd()]})
        try:
            greeting = self.receive()
        except Ended as ended:
            raise SubjectError(f"cannot import {self.subject}: it {ended}") from None
        if "error" in greeting:
            self.close()
            raise SubjectError(greeting["error"])
        self.brings, self.own = greeting["brings"], greeting["own"]
        self.timeless = greeting["timeless"]
        self.surface = Surface(**greeting["surface"])

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill the child."""
        if self.child is not None:
            self.child.kill()
            self.child.communicate()
            self.child = None

    def send(self, request: dict[str, Json]) -> int:
        """Send a request; return its length in bytes."""
        assert self.child is not None
        assert self.child.stdin is not None
        data = json.dumps(request).encode() + b"\n"
        try:
            self.child.stdin.write(data)
            self.child.stdin.flush()
        except BrokenPipeError:
            pass  # the child has ended, which `receive` finds
        return len(data)

    def receive(self) -> dict[str, Json]:
        """Return the next answer.  Raises Ended."""
        assert self.child is not None
        assert self.child.stdout is not None
        end = time.monotonic() + self.patience
        while b"\n" not in self.read:
            ready, _, _ = select.select([self.child.stdout], [], [], max(0.0, end - time.monotonic()))
            data = os.read(self.child.stdout.fileno(), 1 << 16) if ready else b""
            if not data:
                raise Ended(self.last_words(blocked=not ready))
            self.read += data
        line, _, self.read = self.read.partition(b"\n")
        answer: dict[str, Json] = json.loads(line)
        self.mistakes = answer.get("mistakes", [])
        return answer

    def last_words(self, blocked: bool) -> str:
        """Return what the report says about a child that ended, or is blocked."""
        child = self.child
        assert child is not None
        if not blocked:
            child.wait()
        status = child.returncode
        self.close()
        self.losses += 1
        if blocked or status == -signal.SIGVTALRM:
            return "does not return"
        return f"ends the process ({signal.Signals(-status).name if status < 0 else f'status {status}'})"

    def play(self, programs: Iterable[Program]) -> Iterator[list[Line]]:
        """Yield the lines of each program, in order; the caller may compute while the child plays."""
        waiting: deque[tuple[Program, int]] = deque()
        for program in programs:
            waiting.append((program, self.send({"program": program})))
            while sum(size for _, size in waiting) > AHEAD:
                yield self.answered(waiting)
        while waiting:
            yield self.answered(waiting)

    def answered(self, waiting: deque[tuple[Program, int]]) -> list[Line]:
        """Return the lines of the first waiting program; if it ended the child, send the others again."""
        waiting.popleft()
        try:
            lines: list[Line] = self.receive()["lines"]
            return lines
        except Ended as ended:
            self.start()
            for program, _ in waiting:
                self.send({"program": program})
            return [[0, "loop", str(ended), ""]]

    def one(self, program: Program) -> list[Line]:
        """Return the lines of one program; no other may be waiting."""
        return next(iter(self.play([program])))

    def machine(self, name: str, examples: int) -> str | None:
        """Run a state machine; return the failure that it finds, or None."""
        self.send({"machine": name, "examples": examples})
        try:
            failure: str | None = self.receive()["failure"]
            return failure
        except Ended as ended:
            self.start()
            return str(ended)
