"""`loopspec check`, with pictures: the counterexample that it found, and the graph of a small bounded model."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from spec.commands import check, target
from spec.commands.run import Broken, label
from spec.kit.bounded import Instance

# impl, and all that imports it, is loaded only when something is drawn: the check itself needs spec alone.


def _output_file(text: str) -> str:
    from impl.commands.outputs import OutputFile

    return OutputFile()(text)


class _Pictures:
    """As `check.Pictures` says."""

    def add_options(self, parser: argparse.ArgumentParser) -> Sequence[str]:
        what = "the first counterexample: of a property that fails, else of a mutant"
        parser.add_argument("--html", type=_output_file, metavar="FILE", help=f"write a page to step through {what}")
        parser.add_argument("--svg", type=_output_file, metavar="FILE", help=f"write an SVG of {what}")
        parser.add_argument(
            "--graph",
            type=_output_file,
            metavar="FILE",
            help="write an SVG of the graph of the smallest bounded model",
        )
        return "html", "svg", "graph"

    def begin(self, options: argparse.Namespace, instances: Sequence[Instance]) -> None:
        if options.html is None and options.svg is None and options.graph is None:
            return
        from impl.commands.options import UsageError
        from impl.picture.files import check_pictures

        try:
            check_pictures(options)
            if options.graph is not None:
                from .graph import graph_of, smallest

                title, model = smallest(instances)
                Path(options.graph).write_text(graph_of(model, title), encoding="utf-8")
                print(f"the graph of {title} is in {options.graph}")
        except UsageError as error:
            raise target.UsageError(str(error)) from None
        except OSError as error:
            raise target.UsageError(f"--graph: {error}") from None

    def end(self, options: argparse.Namespace, broken: Sequence[Broken]) -> None:
        if options.html is None and options.svg is None:
            return
        if not broken:
            print("nothing is drawn: there is no counterexample")
            return
        from impl.commands.options import UsageError
        from impl.picture.files import write_pictures

        from .counterexample import scene_of

        first = min(broken, key=lambda each: each.meant)  # the first of them
        try:
            write_pictures(options, [scene_of(first)])
        except UsageError as error:
            raise target.UsageError(str(error)) from None
        print(f"drawn: {label(first.instance)}: {first.violation.name}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    return check.main(argv, pictures=_Pictures())


if __name__ == "__main__":
    sys.exit(main())
