"""`make site` and `make site-check`.

python -m model_tests.documents.site [--output site] [--check]
"""

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from impl.commands.options import Parser, UsageError

from ...conformance.vectors.matrix import MatrixError
from ...dev.pythons import ROOT
from ...libraries.findings import reports
from .build import SiteError, build
from .crawl import crawl
from .links import NoSuchFile
from .pythons import columns


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 0, 1 if there is a warning or a broken link, 2 for bad usage."""
    parser = Parser(prog="make site", description="Make the site of all that is written.")
    parser.add_argument("--output", metavar="DIR", type=Path, default=ROOT / "site", help="where (site)")
    parser.add_argument("--check", action="store_true", help="crawl it: every link and fragment must lead somewhere")
    try:
        options = parser.parse_args(argv)
        if not find_spec("mkdocs"):
            raise UsageError("needs mkdocs, which is not installed: pip install 'loopspec[site]'")
        if not (ROOT / "CONTRIBUTING.md").exists():
            raise UsageError("the site is made in a checkout: an installed loopspec has not all documents")
    except UsageError as error:
        print(f"make site: {error}", file=sys.stderr)
        return 2
    try:
        build(options.output, columns(), reports())
    except (SiteError, NoSuchFile, MatrixError) as error:
        print(f"make site: {error}", file=sys.stderr)
        return 1
    print(f"{options.output}/index.html")
    if not options.check:
        return 0
    status, printed = crawl(options.output)
    print(printed, end="")
    return status


if __name__ == "__main__":
    sys.exit(main())
