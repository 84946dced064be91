"""A judgement in a process of its own, forked from one that has imported no subject, with limits that count work.

The judge goes through tiers, the fastest first.  In each it may use so many CPU seconds, several times the need of the
subject without an edit, and so much memory; a mutant that uses more hangs, and that kills it.  Limits are CPU
time, so a busy machine does not matter.  Only a process that sleeps for WALL seconds is ended by the clock.
"""

import linecache
import multiprocessing
import os
import signal
import sys
import tempfile
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import islice
from multiprocessing.connection import Connection, wait
from types import CodeType, ModuleType
from typing import Final, NamedTuple

from ...dev.pythons import ROOT
from .edit import Edit

#: Seconds without an answer after which a process is taken to sleep for ever.
WALL: Final = 900.0
#: Bytes of address space.
MOST_MEMORY: Final = 4 << 30


class Tier(NamedTuple):
    """A name, the CPU seconds that it may use, and a function that names the killer of the mutant, or returns "".

    A kill that begins with WEAK is no kill by itself: it is kept if no later tier has another.
    """

    name: str
    seconds: int
    kill: Callable[[], str]


#: Marks a change that only a pinned number shows, or a proof that is no longer found.
WEAK: Final = "weak: "


@dataclass(frozen=True, slots=True)
class MutantVerdict:
    """The first tier that kills a mutant, and its killer; `weak`: further signs; CPU seconds of each tier.

    `tier` is empty if the mutant survives.
    """

    edit: Edit
    tier: str
    by: str
    weak: tuple[str, ...]
    seconds: dict[str, float]

    @property
    def killed(self) -> bool:
        return self.tier != ""


#: Makes the tiers for an edit, in the process that has it.
Judge = Callable[[Edit], Iterable[Tier]]


def judged(edits: Iterable[Edit], judge: Judge, at_once: int = 1) -> Iterator[MutantVerdict]:
    """Yield the verdict on each edit, in order.

    Parameters:
        at_once: so many processes judge at the same time.

    Raises:
        RuntimeError: the judge itself failed.
    """
    left, started = iter(edits), deque[_Judgement]()
    try:
        while True:
            active = [each for each in started if each.found is None]
            for edit in islice(left, at_once - len(active)):
                started.append(_Judgement(edit, judge))
                active.append(started[-1])
            if not started:
                return
            soon = min(each.until for each in active) - time.monotonic()
            heard = wait([each.here for each in active], max(soon, 0))
            for each in active:
                if each.here in heard:
                    each.hear()
                elif each.until <= time.monotonic():
                    each.end(f"sleeps for {WALL:.0f} s")
            while started and (found := started[0].found) is not None:
                yield found
                started.popleft()
    finally:
        for each in started:
            each.end("is not awaited")


class _Judgement:
    """A process that judges an edit; `found` is the verdict, when it is there."""

    def __init__(self, edit: Edit, judge: Judge) -> None:
        fork = multiprocessing.get_context("fork")
        self.edit = edit
        self.here, there = fork.Pipe(duplex=False)
        self.process = fork.Process(target=_work, args=(edit, judge, there), daemon=False)
        self.process.start()
        there.close()
        self.tier = "import"
        self.until = time.monotonic() + WALL
        self.found: MutantVerdict | None = None

    def hear(self) -> None:
        """Take the message of the process: the name of the next tier, the verdict, or the error of the judge."""
        self.until = time.monotonic() + WALL
        try:
            match self.here.recv():
                case str(tier):
                    self.tier = tier
                case MutantVerdict() as verdict:
                    self.found = verdict
                    self.end("")
                case Exception() as error:
                    raise error
        except EOFError:
            self.process.join()
            status = self.process.exitcode
            self.end("hangs" if status == -signal.SIGXCPU else f"ends the process: {status}")

    def end(self, by: str) -> None:
        """End the process; `by` is the killer of the mutant, if there is no verdict yet."""
        self.found = self.found or MutantVerdict(self.edit, self.tier, by, (), {})
        self.process.kill()
        self.process.join()
        self.here.close()


def _work(edit: Edit, judge: Judge, there: Connection) -> None:
    """Send the name of each tier when it begins, then the verdict, or the error of the judge."""
    _limit("AS", MOST_MEMORY)
    with tempfile.TemporaryFile() as output:
        for stream in (1, 2):
            os.dup2(output.fileno(), stream)
        try:
            plant(edit)
            there.send(_through(edit, judge(edit), there))
        except Exception:
            there.send(RuntimeError(f"{edit}: {traceback.format_exc()}"))


def _limit(what: str, most: int) -> None:
    """Set the soft limit of a resource of this process."""
    import resource  # here, as it is not there on Windows

    number: int = getattr(resource, f"RLIMIT_{what}")
    resource.setrlimit(number, (most, resource.getrlimit(number)[1]))


def _through(edit: Edit, tiers: Iterable[Tier], there: Connection) -> MutantVerdict:
    seconds: dict[str, float] = {}
    weak: list[str] = []
    for tier in tiers:
        there.send(tier.name)
        began = time.process_time()
        _limit("CPU", int(began) + tier.seconds)
        try:
            by = tier.kill()
        except Exception as error:
            if not _raised_in(edit, error):
                raise  # the judge failed
            by = f"{type(error).__name__}: {error}"
        seconds[tier.name] = round(time.process_time() - began, 1)
        if by.startswith(WEAK):
            weak.append(by.removeprefix(WEAK))
        elif by:
            return MutantVerdict(edit, tier.name, by, tuple(weak), seconds)
    return MutantVerdict(edit, "", "", tuple(weak), seconds)


def _raised_in(edit: Edit, error: Exception) -> bool:
    """Whether an error passed through the file that is edited."""
    return any(frame.filename.endswith(f"/{edit.file}") for frame in traceback.extract_tb(error.__traceback__))


def without(names: Sequence[str]) -> None:
    """Check that this process has imported none of these packages, so that a fork imports them with the edit.

    Raises:
        RuntimeError: one was imported.
    """
    if found := [name for name in names if name in sys.modules]:
        raise RuntimeError(f"{found[0]} was imported before the mutants were made")


# --- a module with an edit -----------------------------------------------------------------------------------

# The import system finds the edited text in the place of the file, which stays as it is: so several processes can judge
# mutants of one checkout.  Tracebacks and `inspect.getsource` show the edited text.  A process that the module's users
# start on their own has the original.


class _Loader(SourceFileLoader):
    """Loads a module from a text that is not that of its file, and keeps no bytecode of it."""

    def __init__(self, name: str, path: str, text: bytes) -> None:
        super().__init__(name, path)
        self.text = text

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = compile(self.text, self.path, "exec", dont_inherit=True)
        return code

    def get_source(self, fullname: str) -> str:
        return self.text.decode()


class _Finder:
    """Finds the one module that has an edit."""

    def __init__(self, name: str, text: bytes) -> None:
        self.name, self.text = name, text

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        found = PathFinder.find_spec(name, path, target)
        assert found is not None
        assert found.origin is not None
        found.loader = _Loader(name, found.origin, self.text)
        return found


def plant(edit: Edit) -> None:
    """Give this process the edit, for the rest of its life.

    Raises:
        RuntimeError: the module was imported before.
    """
    if edit.module in sys.modules:
        raise RuntimeError(f"{edit.module} was imported before its edit")
    path = ROOT / edit.file
    text = edit.applied(path.read_bytes())
    sys.meta_path.insert(0, _Finder(edit.module, text))
    lines = text.decode().splitlines(keepends=True)
    linecache.cache[str(path)] = (len(text), None, lines, str(path))
