"""The end of who asks: starts the child, has it play programs, and outlives whatever happens to it.

Theory of operation.  Programs are sent ahead of their answers, as many as surely fit into a pipe, so that both
processes work at the same time and neither ever waits for the other to read.  A child that dies took the first
program without an answer with it: that program "does not return", or, as the exit status tells, ended the process.  A
new child goes on with the rest.  Who is only blocked (a lock of threads, a real sleep) is ended by patience on the
wall clock.
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
from typing import Any, Final

from .subject import SubjectError

# `Any` in this file: programs, requests and answers are JSON.
Program = dict[str, Any]
Line = list[Any]

#: Bytes of requests under way: a pipe holds 64 KiB.
AHEAD: Final = 32_000
#: Seconds on the wall clock without any answer after which a child is taken to be blocked.
PATIENCE: Final = 15.0
HOME: Final = str(Path(__file__).resolve().parents[2])


class Ended(Exception):
    """The child has ended, or was; says what is seen of that."""


class Process:
    """A child that plays programs on a subject; a context manager.

    Raises:
        SubjectError: the subject cannot be loaded.
    """

    def __init__(self, subject: str, patience: float = PATIENCE) -> None:
        self.subject, self.patience = subject, patience
        self.child: subprocess.Popen[bytes] | None = None
        self.read = b""
        self.brings: list[str] = []  #: names of asyncio's that the subject has of its own
        self.own: list[str] = []  #: of these, what does not derive from asyncio's
        self.timeless = False
        self.losses = 0  #: how many children were lost
        self.start()

    def start(self) -> None:
        """A new child, with the subject loaded."""
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

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child."""
        if self.child is not None:
            self.child.kill()
            self.child.communicate()
            self.child = None

    def send(self, request: dict[str, Any]) -> int:
        """Returns how many bytes it has."""
        assert self.child is not None
        assert self.child.stdin is not None
        data = json.dumps(request).encode() + b"\n"
        try:
            self.child.stdin.write(data)
            self.child.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended: `receive` says so
        return len(data)

    def receive(self) -> dict[str, Any]:
        """The next answer.  Raises Ended."""
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
        answer: dict[str, Any] = json.loads(line)
        return answer

    def last_words(self, blocked: bool) -> str:
        """What is seen of a child that ended, or is blocked."""
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
        """What is seen of each of these programs, in turn; the caller computes while the child does."""
        waiting: deque[tuple[Program, int]] = deque()
        for program in programs:
            waiting.append((program, self.send({"program": program})))
            while sum(size for _, size in waiting) > AHEAD:
                yield self.answered(waiting)
        while waiting:
            yield self.answered(waiting)

    def answered(self, waiting: deque[tuple[Program, int]]) -> list[Line]:
        """What is seen of the first that waits; those behind it are sent again, if it took the child with it."""
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
        """What is seen of one program, when no other is under way."""
        return next(iter(self.play([program])))

    def machine(self, name: str, examples: int) -> str | None:
        """What a state machine says against the subject; None if nothing."""
        self.send({"machine": name, "examples": examples})
        try:
            failure: str | None = self.receive()["failure"]
            return failure
        except Ended as ended:
            self.start()
            return str(ended)
