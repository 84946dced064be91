"""The parent's side of the child process: starts it, has it play programs, and survives whatever happens to it.

Programs are sent ahead of their answers, as many as certainly fit into a pipe, so that both processes work at the
same time and neither waits for the other to read.  If the child dies, the first program without an answer was
running: it ended the process, or took long and is counted by a new child (child.py), and then "does not return".  A
child that is blocked (in a lock of threads, in a real sleep) is killed after a limit on the wall clock, which does not
count against one that runs, or would if the machine were not busy.
"""

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, NoReturn, Self

from impl.errors import InternalError

from ..programs.enumeration import Json, Program
from .child import SLOW
from .findings.finding import Rejection
from .normal import NOT_RETURNED, Line
from .subjects.subject import SubjectError, exists
from .subjects.surface import Surface

#: Bytes of requests without an answer; a pipe holds 64 KiB, and 4 on Windows, where one request can be longer.
AHEAD: Final = 32_000 if sys.platform != "win32" else 0
#: Seconds on the wall clock without an answer after which a child counts as blocked.
PATIENCE: Final = 15.0
#: Seconds between two calls of `Process.heard` while no answer comes.
TICK: Final = 1.0
#: The same as PATIENCE, for a state machine.
MACHINE_PATIENCE: Final = 300.0
#: The folder that a child needs on its path to import this package, in a checkout and where it is installed.
HOME: Final = str(Path(__file__).resolve().parents[__package__.count(".") + 1])


class Ended(Exception):
    """The child has ended, or was killed; the text is for the report."""


class TooSlow(Ended):
    """It took too much processor time."""


class Process:
    """A child that plays programs on a subject, as a context manager.

    Raises:
        SubjectError: the subject cannot be loaded.
    """

    def __init__(self, subject: str, patience: float = PATIENCE) -> None:
        exists(subject)
        self.subject, self.patience = subject, patience
        self.child: subprocess.Popen[bytes] | None = None
        self.read = b""
        self.brings: list[str] = []  #: asyncio's names that the subject brings
        self.own: list[str] = []  #: those with code that is not asyncio's
        self.timeless = self.asyncios = False  # asyncios: its loop is of asyncio's kind
        self.loop_lacks: list[str] = []  #: methods that its own loop has not
        self.hides = False  #: whether its loop stands for another
        self.of_impl = False  #: whether it has code of impl's
        self.places: dict[str, tuple[str, str]] = {}  #: the file of each name, and its own name there
        self.surface = Surface()
        self.mistakes: list[str] = []  #: errors of the subject's own making, in the last program
        self.internal = ""  #: the traceback of an error of loopspec's own in the child
        self.heard: Callable[[], object] = bool  #: called often while answers come, or are waited for
        self.losses = 0  #: the number of children that ended
        self.blocked = False  #: whether one was blocked
        self.apart = False  #: whether a program was played without the subject within asyncio
        self.slow = 0  #: the number of programs that a new child had to count
        self.start()

    def start(self) -> None:
        """Start a new child, and have it load the subject."""
        self.child = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the parent
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([HOME, *filter(None, [os.environ.get("PYTHONPATH")])]),
            },
        )
        assert self.child.stdout is not None
        self.read, self.pipe = b"", Pipe(self.child.stdout.fileno())
        path = [entry or os.getcwd() for entry in sys.path]
        self.send({"subject": self.subject, "path": [*path, os.getcwd()]})
        try:
            greeting = self.receive()
        except Ended as ended:
            raise SubjectError(f"cannot import {self.subject}: it {ended}") from None
        except InternalError:
            self.close()
            raise
        if "error" in greeting:
            self.close()
            raise SubjectError(greeting["error"])
        self.brings, self.own = greeting["brings"], greeting["own"]
        self.timeless, self.asyncios = greeting["timeless"], greeting["asyncios"]
        self.hides, self.loop_lacks = greeting["hides"], greeting["loop_lacks"]
        self.of_impl, self.places = greeting["of_impl"], greeting["places"]
        self.surface = Surface(**greeting["surface"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the child."""
        if self.child is not None:
            self.child.kill()
            self.child.communicate()
            self.child = None

    def send(self, request: dict[str, Json]) -> int:
        """Send a request, if there is a child; return its length in bytes."""
        data = json.dumps(request).encode() + b"\n"
        if self.child is None:
            return len(data)
        assert self.child.stdin is not None
        try:
            self.child.stdin.write(data)
            self.child.stdin.flush()
        except OSError:
            pass  # the child has ended, which `receive` finds
        return len(data)

    def receive(self, patience: float = 0.0) -> dict[str, Json]:
        """Return the next answer, within this many seconds (0: `self.patience`).

        Raises:
            Ended: there is none.
            InternalError: the child met an error that is not the subject's.
        """
        assert self.child is not None
        end = time.monotonic() + (patience or self.patience)
        while b"\n" not in self.read:
            left = max(0.0, end - time.monotonic())
            data = self.pipe.block(min(left, TICK) or TICK)
            if data is None and (left > TICK or not sleeps(self.child.pid)):
                self.heard()
                continue
            if not data:
                raise self.last_words(blocked=data is None)
            self.read += data
        self.heard()
        line, _, self.read = self.read.partition(b"\n")
        answer: dict[str, Json] = json.loads(line)
        self.mistakes, self.internal = answer.get("mistakes", []), answer.get("internal", "")
        self.apart |= answer.get("apart", False)
        if self.internal and "lines" not in answer:
            self.fail()
        return answer

    def fail(self) -> NoReturn:
        """Raise InternalError for the error of loopspec's own that the child met."""
        raise InternalError(f"in the child process: {self.internal.splitlines()[-1]}") from RuntimeError(self.internal)

    def last_words(self, blocked: bool) -> Ended:
        """Return the error for a child that ended, or is blocked."""
        child = self.child
        assert child is not None
        if not blocked:
            child.wait()
        status = child.returncode
        self.close()
        self.blocked |= blocked
        if blocked or status == SLOW:
            return (Ended if blocked else TooSlow)(NOT_RETURNED)
        return Ended(f"ends the process ({signal.Signals(-status).name if status < 0 else f'status {status}'})")

    def play(self, programs: Iterable[Program]) -> Iterator[list[Line]]:
        """Yield the lines of each program, in order; the caller may compute while the child plays."""
        waiting: deque[tuple[Json, int]] = deque()
        ahead = 0
        for program in programs:
            request = {"program": program, "apart": self.apart}
            waiting.append((request, self.send(request)))
            ahead += waiting[-1][1]
            while ahead > AHEAD:
                ahead -= waiting[0][1]
                yield self.answered(waiting)
        while waiting:
            yield self.answered(waiting)

    def answered(self, waiting: deque[tuple[Json, int]]) -> list[Line]:
        """Return the lines of the first waiting program; if an earlier one ended the child, send all again."""
        if self.child is None:
            self.start()
            for request, _ in waiting:
                self.send(request)
        request, _ = waiting.popleft()
        try:
            return self.lines()
        except TooSlow:
            return self.counted(request)
        except Ended as ended:
            return self.lost(ended)

    def counted(self, request: Json) -> list[Line]:
        """Return the lines of a program that took long: it is played again, until a number of events.

        The child that does so ends then, as it knows nothing of the programs that are waiting.
        """
        self.slow += 1
        self.start()
        self.send({**request, "counted": True})
        try:
            lines = self.lines()
        except Ended as ended:
            return self.lost(ended)
        self.close()
        return lines

    def lines(self) -> list[Line]:
        """Return the lines that the child answers.  Raises Ended."""
        answer = self.receive()
        if "error" in answer:
            raise SubjectError(answer["error"])
        if "ends" in answer:
            self.close()
            raise Ended(answer["ends"])
        lines: list[Line] = answer["lines"]
        return lines

    def lost(self, ended: Ended) -> list[Line]:
        """Return the line for a program that ended the child."""
        self.losses += 1
        return [[0, "loop", str(ended), ""]]

    def one(self, program: Program) -> list[Line]:
        """Return the lines of one program; no other may be waiting."""
        return next(iter(self.play([program])))

    def alone(self, program: Program) -> list[Line]:
        """Return the lines of one program as the first of a new child.

        For example, a queue keeps its waiters in a class attribute.  A program leaves one there, and the next one
        hangs; as the first of a new child the next one passes.  So its failure is not that of its own calls.
        """
        self.close()
        return self.one(program)

    def machine(self, name: str, examples: int) -> Rejection | None:
        """Run a state machine; return the failure that it finds, or None."""
        if self.child is None:
            self.start()
        self.send({"machine": name, "examples": examples, "apart": self.apart})
        try:
            said = self.receive(MACHINE_PATIENCE)
        except Ended as ended:
            return Rejection(name, (), str(ended))
        return Rejection(name, tuple(said["rules"]), said["failure"]) if said["failure"] else None


class Pipe:
    """The blocks of bytes that arrive in a pipe; no pipe can be waited for on Windows, so a thread reads it there."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.blocks: SimpleQueue[bytes] = SimpleQueue()
        if sys.platform == "win32":
            threading.Thread(target=self.fill, daemon=True).start()

    def fill(self) -> None:
        """Read until the end, an empty block."""
        block = b"."
        while block:
            try:
                block = os.read(self.descriptor, 1 << 16)
            except OSError:  # closed
                block = b""
            self.blocks.put(block)

    def block(self, seconds: float) -> bytes | None:
        """Return the next block, or None if there is none within this many seconds."""
        if sys.platform == "win32":
            try:
                return self.blocks.get(timeout=seconds)
            except Empty:
                return None
        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        return os.read(self.descriptor, 1 << 16) if ready else None


def sleeps(pid: int) -> bool:
    """Return whether a process waits, rather than runs on a busy machine; where nothing tells, it does."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2][:1] == "S"
    except OSError:
        return True
