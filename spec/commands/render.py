"""`loopspec render`: the specifications as a document, in mathematical notation, with links to the code.

`kit/render/document.py` makes the document; that of all specifications has the promises too.  `kit/render/brief.py`
makes the short one, `spec/queue/README.md` for instance.  Exit status 2: a usage
error, a file that cannot be written, or a specification outside the subset, reported in one line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..kit.render.brief import brief
from ..kit.render.document import document
from ..kit.render.source import Untranslatable
from ..promises import PROMISES
from ..registry import REGISTRY
from .target import Parser, UsageError, chosen


def main(argv: Sequence[str] | None = None, output: Callable[[str], str] = str) -> int:
    """Run the command; returns the exit status.

    Parameters:
        argv: the arguments; None: those of the process.
        output: the argparse type of the file that is written.
    """
    parser = Parser(prog="loopspec render", description="Print the specifications as a document in Markdown.")
    parser.add_argument(
        "--output", metavar="FILE", type=output, help="write it there; links are relative to it"
    )
    parser.add_argument(
        "--brief", action="store_true", help="print each rule as one item, without links to the code"
    )
    try:
        options = parser.parse_args(argv)
        instances, _ = chosen(options.target, REGISTRY)
        folder = Path(options.output).absolute().parent if options.output else Path.cwd()
        promises = PROMISES if options.target is None else ()
        text = brief(instances) if options.brief else document(instances, folder, promises)
    except (UsageError, Untranslatable) as error:
        print(f"loopspec render: {error}", file=sys.stderr)
        return 2
    try:
        if options.output is None:
            text.encode(sys.stdout.encoding or "utf-8")  # a StringIO has none
            print(text, end="")
        else:
            Path(options.output).write_text(text, encoding="utf-8", newline="\n")
    except UnicodeEncodeError as error:
        print(
            f"loopspec render: the output cannot hold the signs ({error.encoding}): use --output",
            file=sys.stderr,
        )
        return 2
    except OSError as error:
        if options.output is None:
            raise  # a closed pipe, a full disk: reported by the caller
        print(f"loopspec render: cannot write {options.output}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
