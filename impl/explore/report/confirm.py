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

#: The script, with its fields in braces.
_SCRIPT: Final = Path(__file__).with_suffix(".txt")


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
    script = _SCRIPT.read_text(encoding="utf-8").format(
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
