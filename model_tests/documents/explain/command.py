"""`loopspec explain`: a rule, the rules that have some words, the list of all rules, or a specification as a document.

    QUEUE-3             the page of this rule
    QUEUE, or words     the rules that begin so, or whose sentence, name or source has the words
    queue, or FILE.py   the document of a specification, or of a file of yours, in mathematical notation
    nothing             the list of all rules; with --output FILE, the document of all specifications

Exit status 2: a usage error, a file that cannot be written, or a specification outside the subset, in one line.
"""

import argparse
import sys
import textwrap
from collections.abc import Sequence

from impl.commands.options import Parser, UsageError, write_output
from impl.commands.outputs import OutputFile
from spec.commands import target
from spec.commands.render import rendered
from spec.commands.rules import listed
from spec.kit.render.source import Untranslatable

from .entries import names, search
from .page import WIDTH, page


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with those arguments (None: those of the process); return the exit status."""
    try:
        explain(_parser().parse_args(argv))
    except (UsageError, target.UsageError, Untranslatable) as error:
        print(f"loopspec explain: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> Parser:
    parser = Parser(
        "loopspec explain",
        "Explain a rule, list rules, or print a specification as a document in Markdown; alone: list all rules.",
    )
    add = parser.add_argument
    add(
        "what",
        nargs="*",
        metavar="RULE | WORD | NAME | FILE.py[:NAME]",
        help="a rule, the beginning of its identifier, words; a specification, or a file of yours",
    )
    add("--rules", action="store_true", help="list the rules of a specification instead of its document")
    add("--json", type=OutputFile(), metavar="FILE", help="list the rules, and write them as JSON")
    add(
        "--output",
        type=OutputFile(),
        metavar="FILE",
        help="write the document there, with links relative to it; alone: that of all specifications",
    )
    add(
        "--brief",
        action="store_true",
        help="the document in short: an item a rule, without links to the code",
    )
    parser.exclude("output", ("rules", "json"), "--output is for a document")
    parser.exclude("brief", ("rules", "json"), "--brief is for a document")
    return parser


def explain(options: argparse.Namespace) -> None:
    """Print what the options ask for.

    Raises:
        UsageError, target.UsageError, Untranslatable: it cannot be printed or written.
    """
    words, output = options.what, options.output
    if options.rules or options.json is not None or not (words or output):
        lines, as_json = listed(_one(words))
        print("\n".join(lines))
        if options.json is not None:
            write_output("--json", options.json, as_json + "\n")
    elif output is not None:
        write_output("--output", output, rendered(_one(words), output, options.brief))
    elif len(words) == 1 and (words[0] in names() or target.FILE.fullmatch(words[0])):
        print(rendered(words[0], None, options.brief), end="")
    else:
        _rules(words)


def _one(words: Sequence[str]) -> str | None:
    if len(words) > 1:
        raise UsageError(f"name one specification, or one file, not {' '.join(words)}")
    return words[0] if words else None


def _rules(words: Sequence[str]) -> None:
    """Print the page of a rule, or a line for each of several."""
    found = search(words)
    if not found:
        raise UsageError(
            f"no rule has {' '.join(words)}; loopspec explain lists all, and those of a file of your own as loopspec"
            " explain --rules FILE.py"
        )
    if len(found) == 1:
        print("\n".join(page(found[0])))
        return
    for entry in found:
        print(f"{entry.id:<12} {textwrap.shorten(entry.rule.sentence, WIDTH - 13, placeholder=' ...')}")


if __name__ == "__main__":
    sys.exit(main())
