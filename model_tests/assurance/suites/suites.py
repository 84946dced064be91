"""The packages that have their tests run on the simulated loop, and the files of the tests."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final


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
