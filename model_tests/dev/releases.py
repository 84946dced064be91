"""The releases of CPython that can run a program here: the installed ones, and a few that node runs.

A release in WebAssembly takes the place of a version that is not installed, or of an older release that had a bug.  npm
brings it: the package is pyodide, without its browser.  The files of this machine are under the same paths.  There are
no sockets and no threads, so asyncio's loop gets no pipe to wake itself by; in virtual time it needs none.
"""

import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from .pythons import ROOT, Interpreter, releases, run_command

#: The release of CPython, and the release of the package that has it.
RELEASES: Final[Mapping[str, str]] = {"3.13.2": "0.29.4", "3.14.2": "314.0.7", "3.15.0rc1": "315.0.0-alpha.2"}

#: The script for node: argv has the folder of the package, the program, and the program's arguments.
_START: Final = """
const [folder, code, ...args] = process.argv.slice(1);
const {loadPyodide} = require(folder + "/node_modules/pyodide");
loadPyodide({args: [], env: {PYTHONHASHSEED: "0"}}).then(python => {
    python.FS.mkdirTree("/host");
    python.mountNodeFS("/host", "/");
    python.globals.set("args", python.toPy(args));
    python.runPython(`
import asyncio, sys
from asyncio.selector_events import BaseSelectorEventLoop as Loop
Loop._make_self_pipe = Loop._close_self_pipe = lambda self: None
Loop._csock = None
asyncio._set_running_loop(None)
sys.argv = ["-c", *("/host" + each if each.startswith("/") else each for each in args)]
`);
    python.runPython(code, {globals: python.toPy({__name__: "__main__"})});
}).catch(error => { console.error(String(error.message)); process.exitCode = 1; });
"""


class NoWasm(Exception):
    """A release cannot be had; the text says why."""


def command(release: str, cache: Path) -> list[str | Path]:
    """Return the start of a command line that runs a program, given as text, on that release.

    Parameters:
        release: one of RELEASES.
        cache: the folder that keeps the package.

    Raises:
        NoWasm: node or npm is not there, or npm cannot bring the package.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NoWasm("it needs node and npm")
    folder = cache.resolve() / f"pyodide-{RELEASES[release]}"
    if not (folder / "node_modules" / "pyodide").is_dir():
        _fetch(npm, f"pyodide@{RELEASES[release]}", folder)
    return [node, "-e", _START, folder]


def _fetch(npm: str, package: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    quiet = ("--silent", "--no-audit", "--no-fund", "--ignore-scripts")
    words: list[str | Path] = [npm, "install", *quiet, "--prefix", folder, package]
    ran = run_command(*words)
    if ran.returncode:
        shutil.rmtree(folder)
        told = ran.stderr.strip().splitlines() or ["npm said nothing"]
        raise NoWasm(f"{package} was not fetched: {told[-1]}")


# --- all releases -----------------------------------------------------------------------------------------------------

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
    return [release for release in RELEASES if release.startswith(tuple(lacking()))]


def launcher(release: str) -> list[str | Path]:
    """Return the start of a command line that runs a program, given as text, on a release.

    Raises:
        NoWasm: it is not installed, and cannot be had in WebAssembly.
    """
    for python in installed():
        if python.release == release:
            return [python.path, "-W", "ignore", "-c"]
    if release not in RELEASES:
        raise NoWasm(f"Python {release} is not installed")
    return command(release, CACHE)


def runnable(wanted: Sequence[str]) -> list[str]:
    """Return those of some releases that are installed; if they are not two, also those to be had in WebAssembly."""
    there = [release for release in wanted if release in [python.release for python in installed()]]
    if len(there) > 1:
        return there
    return [release for release in wanted if release in there or _comes(release)]


def _comes(release: str) -> bool:
    try:
        return bool(launcher(release))
    except NoWasm:
        return False
