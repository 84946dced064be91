"""Python in a process of its own, and a copy of a wing for a test that adds something to it."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from ..dev.pythons import ROOT


def python(
    *arguments: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None, check: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run this Python with arguments, and nothing to read; return its status and its output.

    Parameters:
        check: raise an error if the status is not 0.
    """
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, env=env, input="", capture_output=True, text=True, check=check)


def copied(wing: str, folder: Path) -> Path:
    """Copy a wing with its compiled files, which are valid there too; returns the copy.

    A file that another process is just writing in its cache is left out.
    """
    return Path(shutil.copytree(ROOT / wing, folder / wing, ignore=shutil.ignore_patterns("*.pyc.*")))
