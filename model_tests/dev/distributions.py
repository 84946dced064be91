"""The tests of a package, which are only in its source distribution.

pip downloads that of one version once, from its configured index, and its tests alone are unpacked.  Beside a whole
source tree, Python would import the package from there, where nothing of it is compiled.
"""

import sys
import tarfile
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree

from .pythons import run_command
from .releases import CACHE


class Unfetched(Exception):
    """The tests of a package could not be fetched."""


def fetched(package: str, released: str = "", parts: Sequence[str] = ("tests",)) -> Path:
    """Return the folder that holds the tests of a package.

    Parameters:
        released: the version; "": the one that is installed here.
        parts: the files and folders of the source distribution that are the tests.

    Raises:
        Unfetched: pip could not get its source distribution, or that has no tests.
    """
    released = released or version(package)
    folder = CACHE / f"{package}-{released}"
    if not all((folder / each).exists() for each in parts):
        CACHE.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as name:
            part = Path(name)
            tree = _unpack(_download(package, released, part), part / "tree", parts)
            if tree is None:
                raise Unfetched(f"the source distribution of {folder.name} has no {' and '.join(parts)}")
            if folder.exists():
                rmtree(folder)
            tree.rename(folder)
    return folder


def _download(package: str, released: str, into: Path) -> Path:
    asked = f"{package}=={released}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", package]
    ran = run_command(*command, "--dest", into, asked)
    found = list(into.glob("*.tar.gz"))
    if ran.returncode or not found:
        told = ran.stderr.strip().splitlines() or ["pip said nothing"]
        raise Unfetched(f"the source distribution of {asked} was not fetched: {told[-1]}")
    return found[0]


def _unpack(archive: Path, into: Path, parts: Sequence[str]) -> Path | None:
    """Unpack the parts; return the folder that holds them, or None if one of them is missing."""
    with tarfile.open(archive) as tar:
        inner = [(each, each.name.partition("/")[2]) for each in tar.getmembers()]
        members = [each for each, name in inner if any(name == part or name.startswith(f"{part}/") for part in parts)]
        tar.extractall(into, members, filter="data")
    folder = next(into.iterdir(), None) if into.exists() else None
    return folder if folder is not None and all((folder / each).exists() for each in parts) else None
