"""confirm: a plain asyncio script, without this package, that shows the failure on asyncio's own event loop.

The script imports the program's file and gives the loop a task factory (a public interface of asyncio).  Each task is
driven by a coroutine that lets its next step run only when the recorded order says so, and passes its turn on to the
loop until then, as `sleep(0)` does.  The script is then run by a plain Python.  It shows the failure if it fails with
the same type of error, raised by the same line, or if it hangs with tasks at the same lines as the deadlock.  A script
that comes to none of its own last lines is broken, and says nothing about the failure.

That is not possible if the run needs more than a plain loop: injected cancels and timeouts, late timers, faults and
latencies of the simulated network, or another runtime.
"""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from shlex import join
from typing import Final

from ...commands.outputs import write_script
from ..programs.program import Program
from .data import CALLBACK, Report

#: Seconds of real time that the script may take.
_PATIENCE: Final = 60
#: The last line of a script that has come to its end; output of the program without a newline may stand before it.
_SAID: Final = re.compile(
    r"(raises \w+ at line \d+|hangs at lines[ \d]*|passes|the order cannot be forced here)$", re.MULTILINE
)

_SCRIPT: Final = '''\
"""A failure of {name}() in {file}, on asyncio's own event loop: python {script}"""

import asyncio
import importlib.util
import os
import sys
import traceback
import types
from collections import deque
from pathlib import Path

#: The program, from the folder of this script.
PROGRAM, NAME = {program!r}, {name!r}
#: The name by which it is imported, if that is one of a package.
MODULE = {module!r}
FILE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), PROGRAM))
if not os.path.isfile(FILE):
    sys.exit(f"there is no file {{FILE}}: this script runs {{PROGRAM}}, as seen from its own folder")
#: The steps of the tasks, which are numbered in order of creation.
ORDER = deque({order})
#: Turns of the loop that a task waits for its turn.
TURNS = 100_000
#: Seconds between two looks at the program, and the looks after which it hangs: so many with a timer, or three without.
SECONDS, TIMES = 1.0, 10
tasks = []


@types.coroutine
def hand_on(awaited):
    return (yield awaited)


async def in_order(coro, place):
    """Drive a coroutine; each of its steps waits for its turn, once `place` has the number of its task.

    A step before that is the first of an eager task, within create_task(), and no turn.
    """
    value = error = None
    while True:
        turns = 0
        while place and ORDER and ORDER[0] != place[0]:
            turns += 1
            if turns > TURNS:
                print("the order cannot be forced here", flush=True)
                os._exit(3)
            try:
                await hand_on(None)
            except GeneratorExit:
                coro.close()
                raise
            except BaseException as raised:
                error = raised
        if place and ORDER:
            ORDER.popleft()
        try:
            awaited = coro.send(value) if error is None else coro.throw(error)
        except StopIteration as stop:
            return stop.value
        value = error = None
        try:
            value = await hand_on(awaited)
        except BaseException as raised:
            error = raised


def plain(loop, coro, **more):
    return asyncio.Task(coro, loop=loop, **more)


#: What makes a task: the factory that the program has set, if any.
makers = [plain]


def factory(loop, coro, **more):
    place = []
    task = makers[-1](loop, in_order(coro, place), **more)
    place.append(len(tasks))
    tasks.append(coro)
    return task


def line(coro):
    """Where a suspended coroutine is, in the program's file."""
    found = None
    while coro is not None:
        frame = getattr(coro, "cr_frame", None) or getattr(coro, "gi_frame", None)
        if frame is not None and frame.f_code.co_filename == FILE:
            found = frame.f_lineno
        coro = getattr(coro, "cr_await", None) or getattr(coro, "gi_yieldfrom", None)
    return found


async def watched(main):
    """Wait for the program; if it hangs, print the lines at which its tasks wait."""
    times = quiet = 0
    while not main.done() and times < TIMES and quiet < 3:
        await asyncio.wait([main], timeout=SECONDS / 7**quiet)  # a timer that has just ended may be followed by one
        timers = getattr(asyncio.get_running_loop(), "_scheduled", ())
        quiet = 0 if any(not timer.cancelled() for timer in timers) else quiet + 1
        times += not quiet
    if not main.done():
        lines = sorted(filter(None, map(line, tasks)))
        print("hangs at lines", *lines, flush=True)
        os._exit(1)
    return main.result()


sys.path.insert(0, str(Path(FILE).parent))
if MODULE:
    sys.path.insert(0, str(Path(FILE).parents[MODULE.count(".")]))
    module = importlib.import_module(MODULE)
else:
    spec = importlib.util.spec_from_file_location(Path(FILE).stem, FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


def last_line(error):
    """The innermost line of the program in the traceback of an error, or of the first error of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE]
    return lines[-1] if lines else None


async def begin():
    loop = asyncio.get_running_loop()
    loop.set_task_factory(factory)
    loop.set_task_factory = lambda given: makers.append(given or plain)
    main = loop.create_task(getattr(module, NAME)())
    try:
        await watched(main)
    finally:
        ORDER.clear()


try:
    asyncio.run(begin())
except BaseException as error:
    if last_line(error) is None:
        raise
    traceback.print_exc()
    print("raises", type(error).__name__, "at line", last_line(error), flush=True)
    sys.exit(1)
print("passes", flush=True)
'''


@dataclass(frozen=True)
class Confirmed:
    """Whether a plain Python shows the failure."""

    shown: bool
    #: Why, in one sentence.
    text: str


def confirm(program: Program, report: Report, path: Path) -> Confirmed:
    """Write the script for a failure to `path`, and run it.

    Raises:
        OSError: the file cannot be written, or is a Python file that loopspec has not written.
    """
    main = program.setup.main
    if reason := _impossible(program, report):
        return Confirmed(False, f"no plain script can show it: {reason}")
    file = os.path.abspath(inspect.getsourcefile(main) or "")
    script = _SCRIPT.format(
        name=main.__name__,
        file=os.path.basename(file),
        script=path.name,
        program=_seen_from(path, file),
        order=report.order,
        module=_in_package(main.__module__, file),
    )
    write_script(path, script)
    command = join(["python", str(path)])
    try:
        ran = subprocess.run(
            [sys.executable, str(path)],
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=_PATIENCE,
            env=_environment(),
        )
    except subprocess.TimeoutExpired:
        return Confirmed(False, f"not shown: {command} has not ended within {_PATIENCE} s")
    found = _SAID.findall(ran.stdout)
    if not found:
        last = (ran.stderr.splitlines() or [f"it ended with status {ran.returncode}"])[-1]
        return Confirmed(False, f"the script broke: {last} (this says nothing about the failure; {command})")
    said, expected = found[-1], _expected(report, file)
    if said == expected:
        return Confirmed(True, f"shown: {command} {said}")
    return Confirmed(False, f"not shown: {command} {said}, where loopspec saw that it {expected}")


def _in_package(name: str, file: str) -> str:
    """The name of a module, if it is that of its file within a package; else ""."""
    parts = tuple(name.split("."))
    return name if len(parts) > 1 and Path(file).with_suffix("").parts[-len(parts) :] == parts else ""


def _seen_from(script: Path, file: str) -> str:
    """The path of the program from the folder of the script, so that both can be moved; absolute on another drive."""
    try:
        return Path(os.path.relpath(file, os.path.dirname(os.path.abspath(script)))).as_posix()
    except ValueError:
        return os.path.abspath(file)


def _environment() -> dict[str, str]:
    """That of this process, without paths of modules; breakpoints do not stop, and output is UTF-8."""
    return {
        **{key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        "PYTHONBREAKPOINT": "0",
        "PYTHONIOENCODING": "utf-8",
    }


def _expected(report: Report, file: str) -> str:
    """The last line of the script, if it shows the failure; it sees the lines of the program's own file only."""
    if report.waiting:
        places = [each.file_line.rpartition(":") for each in report.waiting]
        lines = sorted(int(line) for path, _, line in places if path and os.path.abspath(path) == file)
        return " ".join(["hangs at lines", *map(str, lines)])
    own = [frame.line for frame in report.frames if os.path.abspath(frame.file) == file]
    (kind,) = re.findall(r"^\w+", report.error)
    return f"raises {kind} at line {own[-1] if own else None}"


def _impossible(program: Program, report: Report) -> str:
    """Why no plain script can show it; "": it may."""
    main = program.setup.main
    if program.runtime != "asyncio":
        return f"it is a program of {program.runtime}"
    if not inspect.isfunction(main) or "." in main.__qualname__ or hasattr(main, "__wrapped__"):
        return "its function is not at the top level of a file"
    if not report.order:
        return "its steps were not recorded"
    if any(any(report.plan.get(lane, ())) for lane in ("network", "faults", "program")):
        return "it needs what was injected, or the simulated network, and a script can only force the order of tasks"
    if any("was collected" in needed for needed in report.needs):
        return "it needs a task that is collected as garbage, and a script can only force the order of tasks"
    if report.program == CALLBACK:
        return "it is an error of a callback, and asyncio only logs that"
    if report.threads:
        return "it needs an order of threads, and a script can only force the order of tasks"
    if any(row.late for row in report.rows):
        return "it needs a timer that is late, and a script can only force the order of tasks"
    return ""
