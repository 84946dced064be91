"""The installed Pythons that loopspec supports.

A Python counts as installed if it answers a one-line program.  Its location does not matter, and a command of its name
that fails is ignored (the shim of a version manager, for instance).  Two ways are tried: the command `python3.x` as it
is, and the same with `PYENV_VERSION` set to each version that pyenv has.  The newest answer for each 3.x counts.
`make setup-all` makes an environment for each of them, `.venv-3.x`.  Tests that need several Pythons use those, and
name the missing ones.

    python -m model_tests.dev.pythons       one line each: version and interpreter
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: The folder that a process needs on its path to import this package: the checkout, or that of installed packages.
ROOT: Final = Path(__file__).resolve().parents[__package__.count(".") + 1]
#: The versions of Python that constraints.txt was tried on.
SUPPORTED: Final = ("3.11", "3.12", "3.13")

_QUESTION: Final = "import sys; print(*sys.version_info[:3], sys.executable)"


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python that answered."""

    version: str  #: as in SUPPORTED
    path: Path

    @property
    def environment(self) -> Path:
        """Return the python of the environment that `make setup-all` makes with it; may be missing."""
        return ROOT / f".venv-{self.version}" / "bin" / "python"


def pythons(versions: Sequence[str] = SUPPORTED) -> list[Interpreter]:
    """Return the Pythons of these versions that answer, at most one a version, in their order."""
    managed = [{"PYENV_VERSION": version} for version in _pyenv_versions()]
    found = []
    for version in versions:
        ways = [{}, *(way for way in managed if way["PYENV_VERSION"].startswith(f"{version}."))]
        answers = [answer for way in ways if (answer := _ask(f"python{version}", way))]
        if answers:
            found.append(Interpreter(version, max(answers)[1]))
    return found


def _ask(command: str, way: Mapping[str, str]) -> tuple[tuple[int, ...], Path] | None:
    answer = _output([command, "-c", _QUESTION], way).split(maxsplit=3)
    return (tuple(map(int, answer[:3])), Path(answer[3].strip())) if len(answer) == 4 else None


def _pyenv_versions() -> list[str]:
    return _output(["pyenv", "versions", "--bare"], {}).split()


def _output(command: list[str], environment: Mapping[str, str]) -> str:
    """Return the output of the command; empty if it fails or does not exist."""
    try:
        ran = subprocess.run(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return ran.stdout if ran.returncode == 0 else ""


if __name__ == "__main__":
    for python in pythons():
        print(python.version, python.path)
