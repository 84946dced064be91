"""`loopspec explain`: one rule is explained; of several there is a list.

The argument is the identifier of a rule (`CANCEL-8`), the beginning of one (`CANCEL`), or words that its sentence, name
or source has.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence

from impl.options import Parser, UsageError

from .blocks import WIDTH
from .entries import search
from .page import page


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with those arguments (None: those of the process); return the exit status."""
    parser = Parser(prog="loopspec explain", description="Explain a rule, or list those that fit.")
    parser.add_argument(
        "rule", nargs="*", metavar="RULE | WORD", help="an identifier, its beginning, or words"
    )
    try:
        options = parser.parse_args(argv)
        if not options.rule:
            raise UsageError("which rule?  give an identifier, its beginning, or words")
    except UsageError as error:
        print(f"loopspec explain: {error}", file=sys.stderr)
        return 2
    found = search(options.rule)
    if not found:
        print(
            f"loopspec explain: no rule has {' '.join(options.rule)}; loopspec rules lists all, and those of a file of"
            " your own as loopspec rules FILE.py",
            file=sys.stderr,
        )
        return 2
    if len(found) == 1:
        print("\n".join(page(found[0])))
        return 0
    for entry in found:
        print(f"{entry.id:<12} {textwrap.shorten(entry.rule.sentence, WIDTH - 13, placeholder=' ...')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
