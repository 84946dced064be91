"""The installed Pythons that loopspec supports.

A Python counts as installed if it answers a one-line program.  Its location does not matter, and a command of its name
that fails is ignored (the shim of a version manager, for instance).  Three ways are tried: the command `python3.x` as
it is, the same with `PYENV_VERSION` set to each version that pyenv has, and the Pythons that `native.py` has brought.
The newest answer for each 3.x counts.  `make setup-all` makes an environment for each of them, `.venv-3.x`.  Tests that
need several Pythons use those, and name the missing ones.

    python -m model_tests.dev.pythons       one line each, the oldest first: version and interpreter
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from ..commands.supported_versions import SUPPORTED as SUPPORTED

#: The folder that a process needs on its path to import this package: the checkout, or that of installed packages.
ROOT: Final = Path(__file__).resolve().parents[__package__.count(".") + 1]
#: The folder into which `native.py` unpacks Pythons: FOLDER/3.x/usr/bin/python3.x.
FOLDER: Final = Path(os.environ.get("LOOPSPEC_PYTHONS") or Path.home() / ".cache" / "loopspec" / "pythons")

_QUESTION: Final = "import sys; print(*sys.version_info[:3], sys.executable)"


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python that answered."""

    release: str  #: "3.13.0"
    path: Path

    @property
    def version(self) -> str:
        """Return the version as SUPPORTED has it: "3.13"."""
        return ".".join(self.release.split(".")[:2])

    @property
    def environment(self) -> Path:
        """Return the python of the environment that `make setup-all` makes with it; may be missing."""
        return ROOT / f".venv-{self.version}" / "bin" / "python"


def pythons(versions: Sequence[str] = SUPPORTED) -> list[Interpreter]:
    """Return the Pythons of these versions that answer, the newest release of each, in their order."""
    return [found[-1] for version in versions if (found := releases(version))]


def releases(version: str) -> list[Interpreter]:
    """Return the Pythons of one version that answer, one for each release, the oldest first."""
    managed = [each for each in _pyenv_versions() if each.startswith(f"{version}.")]
    command = f"python{version}"
    answers = [_ask(command, {}), *(_ask(command, {"PYENV_VERSION": each}) for each in managed)]
    answers.append(_ask(str(FOLDER / version / "usr" / "bin" / command), {}))
    by_release = {release: path for release, path in filter(None, answers) if release[:2] == _parts(version)}
    return [Interpreter(".".join(map(str, release)), path) for release, path in sorted(by_release.items())]


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _ask(command: str, way: Mapping[str, str]) -> tuple[tuple[int, ...], Path] | None:
    answer = _output([command, "-c", _QUESTION], way).split(maxsplit=3)
    return (tuple(map(int, answer[:3])), Path(answer[3].strip())) if len(answer) == 4 else None


def _pyenv_versions() -> list[str]:
    return _output(["pyenv", "versions", "--bare"], {}).split()


def run_command(
    *command: str | Path,
    cwd: Path | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
    seconds: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command that has nothing to read; return its status and its output.

    Parameters:
        environment: variables besides those of this process.
        seconds: raise subprocess.TimeoutExpired after that time.
    """
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def _output(command: list[str], environment: Mapping[str, str]) -> str:
    """Return the output of the command; empty if it fails or does not exist."""
    try:
        ran = run_command(*command, environment=environment)
    except OSError:
        return ""
    return ran.stdout if ran.returncode == 0 else ""


if __name__ == "__main__":
    for python in pythons():
        print(python.version, python.path)
