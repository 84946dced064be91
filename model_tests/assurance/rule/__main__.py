"""Bring all that is made from a rule up to date, and list what is still to be written by hand.

    make rule ID=QUEUE-40
    python -m model_tests.assurance.rule QUEUE-40

The bounded models of its specification are checked first: while one is not as pinned, nothing else is made.  Then each
generated file (`generated_files.py`) that is stale is written, and the parts that only a person can write
(`by_hand.py`) are listed, each with its file.  Run it again until nothing is missing.
Exit status: 0, nothing is missing; 1, something is; 2, no such rule, or a wrong call.
"""

import sys
from collections.abc import Sequence

from impl.commands.options import Parser, UsageError
from spec.kit.core import SpecError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (None: those of the process); return its exit status."""
    parser = Parser("make rule", "Write all that is made from a rule, and list what is still to be written by hand.")
    parser.add_argument("rule", metavar="ID", help="the identifier of the rule, such as QUEUE-40")
    try:
        rule = parser.parse_args(argv).rule
        # here, because a specification that is not well formed cannot be imported
        from . import by_hand, generated_files

        found = by_hand.find(rule)
        not_pinned = generated_files.checked(found.spec)
        problems = not_pinned or generated_files.write_all(found.spec)
    except (UsageError, SpecError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    left = [*map(str, by_hand.missing(found, generated=not not_pinned)), *problems]
    for line in left:
        print(line)
    print("something is still to be written by hand" if left else "nothing is missing")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
