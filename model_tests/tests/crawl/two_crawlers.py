"""`loopspec crawl` and wget on the same site behind nginx: the requests of each, from nginx's log.

Both run as commands, as their users start them, each in an empty directory of its own. wget runs without influence of
the environment: no configuration, no proxy, a locale in UTF-8.  A missing requirement skips the test; the message has
the command that installs it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ...bench.crawl import COMMANDS
from ...crawls import nginx
from ...crawls.documentation import Package
from ...crawls.nginx import Asked, Nginx
from ...dev.pythons import ROOT


@dataclass(frozen=True, slots=True)
class Crawled:
    """One crawl: exit status, the requests, and, for ours, the records of --json."""

    exit_status: int
    asked: list[Asked]
    records: list[dict[str, Any]]  # Any: JSON

    @property
    def pages(self) -> set[tuple[str, str, int]]:
        """Return (method, path, status) of every request."""
        return {(asked.method, asked.path, asked.status) for asked in self.asked}


def need(*packages: Package) -> list[Path]:
    """Return the directories of the packages if they, nginx and wget are installed; skip the test otherwise."""
    roots = [package.root() for package in packages]
    missing = [package.name for package, root in zip(packages, roots, strict=True) if root is None]
    if shutil.which("wget") is None:
        missing.insert(0, "wget")
    if nginx.find() is None:
        missing.insert(0, "nginx-light")
    if missing:
        pytest.skip(f"not run, for want of {', '.join(missing)}: apt-get install {' '.join(missing)}")
    return [root for root in roots if root is not None]


def ours(server: Nginx, url: str, authority: Path | None = None) -> Crawled:
    """Run `loopspec crawl` on `url`; `authority`, a file, holds the only certificate that it trusts."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if authority is not None:
        environment["SSL_CERT_FILE"] = str(authority)
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "model_tests.cli", "crawl", "-q", "--json", "records", url]
        status = _run(command, place, environment)
        records = Path(place, "records").read_text("ascii").splitlines()
    return Crawled(status, server.asked(), [json.loads(line) for line in records])


def wget(server: Nginx, url: str, authority: Path | None = None) -> Crawled:
    """Run wget on `url`, as the bench starts it; `authority` as for ours."""
    command = [word.format(url=url) for word in COMMANDS["wget"]]
    if authority is not None:
        command.append(f"--ca-certificate={authority}")
    with tempfile.TemporaryDirectory() as place:
        status = _run([*command, "--delete-after"], place, {**os.environ, "LC_ALL": "C.UTF-8"})
    return Crawled(status, server.asked(), [])


def _run(command: Sequence[str], place: str, environment: dict[str, str]) -> int:
    """Return the exit status; pytest shows the command's output if the test fails."""
    ran = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True)
    print(ran.stdout, ran.stderr, sep="\n")
    return ran.returncode
