"""The environments of loops: one for a loop and a Python, made once, and kept in the checkout's `.loops`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ...dev.installation import COMMAND, pip
from ...dev.pythons import ROOT, Interpreter, run_command
from .table import Public

FOLDER: Final = ROOT / ".loops"
#: Needed by the kit and by the short tests that it writes.
NEEDED: Final = ("hypothesis", "pytest")
#: A rule that each loop is asked first, to see whether it can be run at all.
QUICK: Final = ("--only", "TASK-1", "--random", "0")
#: Exit statuses of a test that came to its end.
ENDED: Final = (0, 1)
_ONLY: Final = "--only-binary=:all:"
_PRINT_VERSION: Final = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"


class Unusable(Exception):
    """A loop cannot be run on a Python; the text says why in one line."""


@dataclass(frozen=True)
class Environment:
    """The environment of a loop."""

    loop: Public
    python: Interpreter

    @property
    def path(self) -> Path:
        """Its Python."""
        name = re.sub(r"\W+", "-", self.loop.name)
        return python_in(FOLDER / f"{name}-{self.python.version}")

    def make(self) -> None:
        """Install the loop, unless that was done.  Raises Unusable."""
        make_environment(self.path, self.python, (*NEEDED, self.loop.requires))
        self.conform(*QUICK)

    def conform(self, *options: str | Path) -> None:
        """Run `loopspec conform` on the loop.  Raises Unusable if that does not end with a verdict."""
        output(self.path, "-m", COMMAND, "conform", self.loop.tested, *options, statuses=ENDED)

    def version(self) -> str:
        """Return the version of the loop: that of its distribution, else of Python."""
        if not self.loop.distribution:
            return self.python.release
        return version_in(self.path, self.loop.distribution)


def python_in(folder: Path) -> Path:
    """Return the Python of the environment in a folder."""
    return folder / "bin" / "python"


def make_environment(path: Path, python: Interpreter, requires: Sequence[str], wheels: str = _ONLY) -> None:
    """Make the environment that has its Python at `path`, unless it was made from the same.

    Parameters:
        requires: the distributions that are installed, and their versions if constraints.txt has none.
        wheels: the option of pip that says whether something may be built.

    Raises:
        Unusable: one of them cannot be installed.
    """
    folder = path.parents[1]
    mark, what = folder / "made-from", [*filter(None, requires)]
    wanted = f"{python.release} {' '.join(what)}"
    if not (mark.is_file() and mark.read_text(encoding="utf-8") == wanted):
        output(python.path, "-m", "venv", "--clear", "--without-pip", folder)
        output(*pip(path), wheels, *what)
        mark.write_text(wanted, encoding="utf-8")


def version_in(path: Path, distribution: str) -> str:
    """Return the version of a distribution that is installed for the Python at `path`.  Raises Unusable."""
    return output(path, "-c", _PRINT_VERSION, distribution).strip()


def output(*command: str | Path, statuses: tuple[int, ...] = (0,)) -> str:
    """Run a command in the checkout; return its output.

    Raises:
        Unusable: its status is another one; the text is the last line of its complaint.
    """
    ran = run_command(*command, cwd=ROOT, environment={"PYTHONPATH": str(ROOT)})
    if ran.returncode in statuses:
        return ran.stdout
    said = [line for line in (ran.stderr or ran.stdout).splitlines() if line.strip()]
    errors = [line for line in said if line.startswith("ERROR")] or said or [f"status {ran.returncode}"]
    raise Unusable(" ".join(errors[-1].removeprefix("ERROR: ").split()))
