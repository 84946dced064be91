"""Python in a process of its own."""

from __future__ import annotations

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
