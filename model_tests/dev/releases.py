"""The releases of CPython that can run a program here: the installed ones, and a few that node runs (`wasm.py`).

A release in WebAssembly takes the place of a version that is not installed, or of an older release that had a bug.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from . import wasm
from .pythons import ROOT, Interpreter, releases

#: The versions that can play the vectors (programs/vectors/play.py).
VERSIONS: Final = tuple(f"3.{minor}" for minor in range(6, 16))
#: The folder for the packages of npm.
CACHE: Final = ROOT / ".peers"


@cache
def installed() -> tuple[Interpreter, ...]:
    """Return the installed Pythons of VERSIONS, one for each release, the oldest first."""
    return tuple(python for version in VERSIONS for python in releases(version))


def lacking() -> list[str]:
    """Return the versions without an installed release."""
    there = {python.version for python in installed()}
    return [version for version in VERSIONS if version not in there]


def compiled() -> list[str]:
    """Return the releases in WebAssembly of versions that are not installed."""
    return [release for release in wasm.RELEASES if release.startswith(tuple(lacking()))]


def launcher(release: str) -> list[str | Path]:
    """Return the start of a command line that runs a program, given as text, on a release.

    Raises:
        wasm.NoWasm: it is not installed, and cannot be had in WebAssembly.
    """
    for python in installed():
        if python.release == release:
            return [python.path, "-W", "ignore", "-c"]
    if release not in wasm.RELEASES:
        raise wasm.NoWasm(f"Python {release} is not installed")
    return wasm.command(release, CACHE)


def runnable(wanted: Sequence[str]) -> list[str]:
    """Return those of some releases that are installed; if they are not two, also those to be had in WebAssembly."""
    there = [release for release in wanted if release in [python.release for python in installed()]]
    if len(there) > 1:
        return there
    return [release for release in wanted if release in there or _comes(release)]


def _comes(release: str) -> bool:
    try:
        return bool(launcher(release))
    except wasm.NoWasm:
        return False
