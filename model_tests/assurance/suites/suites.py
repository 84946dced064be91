"""The packages that have their tests run, the files of the tests, and how to fetch them.

The tests of a package are only in its source distribution.  So pip downloads that of the installed version once, from
its configured index, and its `tests` folder alone is unpacked.  Beside a whole source tree, Python would import the
package from there, where nothing of it is compiled.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

from ...dev.pythons import ROOT

#: The folder that keeps the tests of the peers between runs.
CACHE: Final = ROOT / ".peers"


@dataclass(frozen=True, slots=True)
class Suite:
    """Tests of a package: `files` are patterns within its folder `tests`."""

    package: str
    files: tuple[str, ...]
    only: str = ""  #: pytest's -k: excludes the tests of other loops
    options: tuple[str, ...] = ()  #: pytest's options, which the tests need

    def paths(self, folder: Path) -> list[str]:
        """Return the files, named as in their suite."""
        found = [path for each in self.files for path in sorted((folder / "tests").glob(each))]
        return [path.relative_to(folder).as_posix() for path in found]


SUITES: Final = (
    Suite(
        "aiohttp",
        ("test_connector.py", "test_streams.py", "test_flowcontrol_streams.py", "test_client_*.py"),
        only="not uvloop_loop",
    ),
    Suite(
        "anyio",
        ("streams/test_*.py", "test_synchronization.py"),
        only="not trio and not uvloop",
        options=("-o", "anyio_mode=auto"),
    ),
    Suite("uvloop", ("test_base.py",), only="TestBaseUV"),
)


class Unfetched(Exception):
    """The tests of a package could not be fetched."""


def fetched(package: str) -> Path:
    """Return the folder that holds `tests` of the installed version of a package.

    Raises:
        Unfetched: pip could not get its source distribution, or that has no tests.
    """
    here = f"{package}-{version(package)}"
    folder = CACHE / here
    if not folder.exists():
        CACHE.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as name:
            part = Path(name)
            _unpack(_download(package, part), part / "tree")
            if not (part / "tree" / here / "tests").is_dir():
                raise Unfetched(f"the source distribution of {here} has no folder tests")
            (part / "tree" / here).rename(folder)
    return folder


def _download(package: str, into: Path) -> Path:
    asked = f"{package}=={version(package)}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", package]
    ran = subprocess.run(
        [*command, "--dest", str(into), asked],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    found = list(into.glob("*.tar.gz"))
    if ran.returncode or not found:
        told = ran.stderr.strip().splitlines() or ["pip said nothing"]
        raise Unfetched(f"the source distribution of {asked} was not fetched: {told[-1]}")
    return found[0]


def _unpack(archive: Path, into: Path) -> None:
    """Unpack its folder `tests`."""
    with tarfile.open(archive) as tar:
        parts = [each for each in tar.getmembers() if each.name.split("/")[1:2] == ["tests"]]
        tar.extractall(into, parts, filter="data")
