"""The tokens of failing runs, kept in `.loopspec/` below pytest's rootdir: the next session tries them first.

One file for each test, named by the hash of its node id, and replaced as a whole: so the processes of xdist, which
never run one test at the same time, need no lock.
"""

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Final

FOLDER: Final = ".loopspec"
_IGNORE: Final = "# Written by the pytest plugin of loopspec.\n*\n"


class KeptToken:
    """The file of one test.

    Parameters:
        root: pytest's rootdir.
        node: the node id of the test.
    """

    def __init__(self, root: Path, node: str) -> None:
        self._node = node
        self._file = root / FOLDER / f"{sha256(node.encode()).hexdigest()[:16]}.json"

    def read(self) -> str | None:
        """The kept token; None: there is none, or the file is damaged."""
        try:
            return str(json.loads(self._file.read_text(encoding="utf-8"))["token"])
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def write(self, token: str) -> None:
        """Keep the token of a run in the place of the one before.

        Raises:
            OSError: the folder cannot be written.
        """
        make_folder(self._file.parent)
        _replace(self._file, json.dumps({"test": self._node, "token": token}, indent=1) + "\n")

    def remove(self) -> None:
        """Keep none."""
        self._file.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Make the folder of kept tokens, which version control ignores.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(exist_ok=True)
    if not (ignore := folder / ".gitignore").exists():
        _replace(ignore, _IGNORE)


def _replace(file: Path, text: str) -> None:
    """Write a file as a whole: another process sees the old text or the new one."""
    made = file.with_name(f"{file.name}.{os.getpid()}")
    made.write_text(text, encoding="utf-8")
    made.replace(file)
