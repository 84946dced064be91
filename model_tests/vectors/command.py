"""`loopspec vectors`: write the catalogue with the reference's output as JSON for any language (FORMAT.md).

Every program of the catalogue is played on `impl`, and its output is the expected output for other runtimes.  The same
catalogue and the same reference give the same bytes.  The file in the repository, vectors.json beside this one, is
kept fresh by a test.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from impl.options import Parser, UsageError
from impl.outputs import OutputFile

from ..programs.runtimes import observe
from .catalogue import CATALOGUE
from .vector import Vector

#: The version of FORMAT.md: with another number, old players cannot read the file.
FORMAT: Final = 1
#: The file in the repository.
FILE: Final = Path(__file__).with_name("vectors.json")


def lines(catalogue: Sequence[Vector] = CATALOGUE) -> Iterator[str]:
    """Yield the lines of the file, one vector a line."""
    yield f'{{"format": {FORMAT}, "vectors": ['
    for number, vector in enumerate(catalogue, 1):
        told = {
            "name": vector.name,
            "rules": vector.rules,
            "since": "{}.{}".format(*vector.since),
            "program": vector.program,
            "expected": observe(vector.program, "impl"),
        }
        yield json.dumps(told, ensure_ascii=True) + ("," if number < len(catalogue) else "")
    yield "]}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (None: those of the process); return the exit status."""
    parser = Parser(
        "loopspec vectors", "Write small asynchronous programs and what must be seen of them as JSON."
    )
    parser.add_argument(
        "--output", metavar="FILE", type=OutputFile(), help="write it there; default: standard output"
    )
    try:
        options = parser.parse_args(argv)
    except UsageError as error:
        print(f"loopspec vectors: {error}", file=sys.stderr)
        return 2
    text = "".join(line + "\n" for line in lines())
    if options.output is None:
        print(text, end="")
        return 0
    try:
        Path(options.output).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        print(f"loopspec vectors: cannot write {options.output}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
