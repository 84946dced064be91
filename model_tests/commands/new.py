"""`loopspec new NAME`: write a specification of your own, code for it with its adapter, and its test.

The three files are NAME.py, NAME_adapter.py and test_NAME.py, in the current folder.  They pass as they are; change
them until they say what you mean.  No file is overwritten.  Exit status 2: a name that cannot be used, a file that is
there already or cannot be written; then nothing is written.
"""

import builtins
import keyword
import re
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from impl.commands.options import Parser, UsageError

from .template import LONGEST, taken, written


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with those arguments (None: those of the process); returns the exit status."""
    parser = Parser("loopspec new", "Write NAME.py, a specification, its adapter and its test.")
    parser.add_argument("name", metavar="NAME", nargs="?", help="of the specification, and of its module")
    try:
        name = parser.parse_args(argv).name
        if name is None:
            raise UsageError("give it a name, as in  loopspec new limiter")
        refuse(name)
        files = written(name)
        write(files)
    except UsageError as error:
        print(f"loopspec new: {error}", file=sys.stderr)
        return 2
    print(f"written: {', '.join(files)}")
    print(f"try: loopspec check {name}.py; loopspec step {name}.py; pytest test_{name}.py")
    return 0


def refuse(name: str) -> None:
    """Raise UsageError for a name that is no new module's, or that the files could not have."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        why = "write lower-case letters, digits and _, a letter first"
    elif len(name) > LONGEST:
        why = f"write at most {LONGEST} characters"
    elif keyword.iskeyword(name) or hasattr(builtins, name):
        why = "it means something in Python: take another"
    elif name in taken():
        why = "the files use it for something else: take another"
    elif name.startswith("test_"):
        why = "pytest would take the specification for a test: take another"
    elif Path(f"{name}.py").exists():
        return  # `write` says so
    elif name in sys.stdlib_module_names or find_spec(name) is not None:
        why = "there is a module of that name, which the file would hide: take another"
    else:
        return
    raise UsageError(f"{name!r} cannot be the name: {why}")


def write(files: dict[str, str]) -> None:
    """Write new files into the current folder, all or none.  Raises UsageError."""
    if there := [file for file in files if Path(file).exists()]:
        raise UsageError(f"{there[0]} is there already, and is not overwritten: take another name or folder")
    done: list[Path] = []
    try:
        for file, text in files.items():
            with Path(file).open("x", encoding="utf-8", newline="\n") as out:
                done.append(Path(file))
                out.write(text)
    except OSError as error:
        for path in done:
            path.unlink()
        raise UsageError(f"cannot write {file}: {error.strerror}") from error
