"""Newer Pythons for a Debian machine, from Debian's own packages, in a folder of their own.

    python -m model_tests.dev.native [VERSION...]       default: those of SUPPORTED that no command answers for

1.  apt-get downloads the packages of the version with all that they depend on, as for a machine that has none of them.
    It reads lists of its own, of Debian's unstable release, and checks the signatures with the machine's keyring.
2.  The packages are unpacked into FOLDER/VERSION, not installed.  The interpreter is told to use the C library there:
    the machine's own stays as it is.
3.  It counts only if it can import the modules that need a library, and make an environment with pip.

The version is the newest that Debian has.  To get a newer release, delete its folder.  `pythons()` looks into FOLDER.
An extension module that is compiled needs CPATH=FOLDER/VERSION/usr/include, because Debian splits the headers.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .pythons import FOLDER, SUPPORTED, pythons

#: The packages to ask for; the others are those that they depend on.
PACKAGES: Final = ("python{}-venv", "python{}-dev", "libpython{}-testsuite", "patchelf")
KEYRING: Final = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
#: Modules that fail if a library of the system is missing.
IMPORTS: Final = "import asyncio, bz2, ctypes, lzma, readline, sqlite3, ssl, test.support, zlib"


class NotBrought(Exception):
    """A version cannot be had here; the text says why."""


def bring(version: str, folder: Path = FOLDER) -> Path:
    """Unpack the newest release of a version, "3.15", into `folder`; return the interpreter.

    Raises:
        NotBrought: it is no Debian machine, a package cannot be had, or the interpreter does not work.
    """
    packages = [name.format(version) for name in PACKAGES]
    place = folder / version
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".unpacked-") as scratch:
        for package in _downloaded(packages, Path(scratch)):
            _run("dpkg", "-x", package, Path(scratch, "root"))
        shutil.rmtree(place, ignore_errors=True)
        Path(scratch, "root").rename(place)
    try:
        interpreter = _at_home(place, version)
        _verify(interpreter)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)  # a Python that does not work must not be found
        raise
    return interpreter


def _downloaded(packages: Sequence[str], scratch: Path) -> list[Path]:
    """The files of these packages, and of all that they depend on."""
    for name in ("lists/partial", "cache/archives/partial"):
        (scratch / name).mkdir(parents=True)
    (scratch / "status").touch()  # no package is installed, so that all dependencies are downloaded
    (scratch / "sources").write_text(f"deb [signed-by={KEYRING}] {_mirror()} sid main\n", encoding="utf-8")
    places = {
        "Etc::sourcelist": "sources", "Etc::sourceparts": "none", "State::lists": "lists",
        "State::status": "status", "Cache": "cache",
    }  # fmt: skip
    apt = [
        "apt-get",
        "-qq",
        "-oAPT::Sandbox::User=root",
        "-oDebug::NoLocking=1",
        "-oAcquire::http::Timeout=20",
    ]
    apt += [f"-oDir::{name}={scratch / where}" for name, where in places.items()]
    _run(*apt, "update")
    _run(*apt, "install", "--yes", "--download-only", "--no-install-recommends", *packages)
    return sorted((scratch / "cache" / "archives").glob("*.deb"))


def _mirror() -> str:
    """The address that this machine gets its packages from."""
    system = Path("/etc/os-release")
    if not (system.is_file() and "ID=debian" in system.read_text(encoding="utf-8").splitlines()):
        raise NotBrought("this is no Debian machine; install the version from python.org, or with pyenv")
    if not KEYRING.is_file():
        raise NotBrought(f"{KEYRING} is missing: install debian-archive-keyring")
    lists = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    for path in filter(Path.is_file, lists):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith(("deb ", "URIs:")):
                for word in line.split():
                    if "://" in word:
                        return word
    raise NotBrought("no mirror is configured in /etc/apt")


def _at_home(place: Path, version: str) -> Path:
    """Make the interpreter use the libraries and the wheel of pip that are unpacked with it."""
    loader = next(place.glob("usr/lib/*/ld-linux*.so.*"))
    interpreter = place / "usr" / "bin" / f"python{version}"
    # patchelf was made for the unpacked C library, too.  Told both at once, or in the other order, it breaks the file.
    patchelf: list[str | Path] = [loader, "--library-path", loader.parent, place / "usr" / "bin" / "patchelf"]
    _run(*patchelf, "--force-rpath", "--set-rpath", loader.parent, interpreter)
    _run(*patchelf, "--set-interpreter", loader, interpreter)
    wheels = "/usr/share/python-wheels"
    for path in place.glob(f"usr/lib/python{version}/_sysconfig*_*"):
        if not path.is_symlink():
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace(wheels, f"{place}{wheels}"), encoding="utf-8")
    return interpreter


def _verify(interpreter: Path) -> None:
    _run(interpreter, "-c", IMPORTS)
    with tempfile.TemporaryDirectory() as scratch:
        _run(interpreter, "-m", "venv", scratch)


def _run(*command: str | Path) -> None:
    try:
        ran = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            check=False,
        )
    except FileNotFoundError as error:
        raise NotBrought(f"{error.filename} is not here") from None
    if ran.returncode:
        said = ran.stdout.strip().splitlines()[-1:] or ["it says nothing"]
        raise NotBrought(f"{Path(command[0]).name} fails with status {ran.returncode}: {said[0]}")


def main(argv: Sequence[str]) -> int:
    """Bring these versions; 0, 1 if one cannot be had, 2 on bad usage."""
    if wrong := [version for version in argv if version not in SUPPORTED]:
        print(
            f"usage: python -m model_tests.dev.native [VERSION...]; not among {SUPPORTED}: {wrong}",
            file=sys.stderr,
        )
        return 2
    there = {python.version for python in pythons()}
    status = 0
    for version in argv or [version for version in SUPPORTED if version not in there]:
        if (FOLDER / version).is_dir():
            continue
        try:
            print(version, bring(version), flush=True)
        except NotBrought as error:
            print(f"Python {version} is not brought: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
