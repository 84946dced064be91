"""`loopspec check`, with pictures: the counterexample that it found, and the graph of a small bounded model."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from impl.options import UsageError
from impl.picture.files import add_pictures, wants_pictures, write_pictures
from spec.commands import check, target
from spec.commands.run import Broken, label
from spec.kit.bounded import Instance

from .counterexample import scene_of
from .graph import graph_of, smallest


class _Pictures:
    """What `check.Pictures` says."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        add_pictures(parser, "the first counterexample: of a property that fails, else of a mutant")
        parser.add_argument(
            "--graph", metavar="FILE", help="write the graph of the smallest bounded model as SVG"
        )

    def begin(self, options: argparse.Namespace, instances: Sequence[Instance]) -> None:
        try:
            wants_pictures(options)
            if options.graph is not None:
                instance, model = smallest(instances)
                Path(options.graph).write_text(graph_of(model, label(instance)), encoding="utf-8")
                print(f"the graph of {label(instance)} is in {options.graph}")
        except UsageError as error:
            raise target.UsageError(str(error)) from None
        except OSError as error:
            raise target.UsageError(f"--graph: {error}") from None

    def end(self, options: argparse.Namespace, broken: Sequence[Broken]) -> None:
        try:
            if wants_pictures(options) and broken:
                first = min(broken, key=lambda each: each.meant)  # the first of them
                write_pictures(options, [scene_of(first)])
                print(f"drawn: {label(first.instance)}: {first.violation.name}")
            elif wants_pictures(options):
                print("nothing is drawn: there is no counterexample")
        except UsageError as error:
            raise target.UsageError(str(error)) from None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    return check.main(argv, pictures=_Pictures())


if __name__ == "__main__":
    sys.exit(main())
