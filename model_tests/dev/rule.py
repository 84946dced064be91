"""Bring all that is made from a rule up to date, and list what is still to be written by hand.

    make rule ID=QUEUE-41
    python -m model_tests.dev.rule QUEUE-41

The bounded models of its specification are checked first: while one is not as pinned, nothing else is made.  Then each
generated file (`generated.py`) that is stale is written, and the parts that only a person can write (`by_hand.py`) are
listed, each with its file.  Run it again until nothing is missing.
Exit status: 0, nothing is missing; 1, something is; 2, no such rule, or a wrong call.
"""

from __future__ import annotations

import io
import re
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import Any

from impl.options import Parser, UsageError
from spec.commands.run import Live, Run
from spec.kit.core import IDENTIFIER, Named, Spec
from spec.kit.rules import Promise
from spec.promises import PROMISES
from spec.registry import REGISTRY

from .by_hand import home_of, of_promise, of_specification
from .generated import Step, steps
from .pythons import ROOT

# Any: specifications of any constants and states.


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (None: those of the process); return its exit status."""
    parser = Parser(
        "make rule", "Write all that is made from a rule, and list what is still to be written by hand."
    )
    parser.add_argument("rule", metavar="ID", help="the identifier of the rule, such as QUEUE-41")
    try:
        found = named(parser.parse_args(argv).rule)
    except UsageError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    spec = None if isinstance(found, Promise) else found[0]
    wrong = [] if spec is None else checked(spec)
    if not wrong:
        wrong = [line for step in steps(spec) for line in done(step)]
    missing = of_promise(found) if isinstance(found, Promise) else of_specification(*found)
    by_hand = [*map(str, missing), *wrong]
    for line in by_hand:
        print(line)
    print(f"{len(by_hand) or 'nothing'} still to be written by hand")
    return 1 if by_hand else 0


def named(rule: str) -> tuple[Spec[Any, Any], Named] | Promise:
    """Return the rule of this identifier, with its specification; or a promise.

    Raises:
        UsageError: it is no identifier, or nothing is registered under it.
    """
    if not re.fullmatch(IDENTIFIER, rule):
        raise UsageError(f"{rule!r} is no identifier, such as QUEUE-41")
    for spec in {id(each.spec): each.spec for each in REGISTRY}.values():
        for item in (item for table in spec.tables() for item in table.values()):
            if item.rule == rule:
                return spec, item
    for promise in PROMISES:
        if promise.rule == rule:
            return promise
    raise UsageError(f"no specification has {rule}: {home_of(rule)}")


def checked(spec: Spec[Any, Any]) -> list[str]:
    """Search the bounded models of a specification; return the lines about those that are not as pinned."""
    run, instances, wrong = Run(0, Live(None)), [each for each in REGISTRY if each.spec is spec], []
    for instance in instances:
        if instance.full:
            continue
        with redirect_stdout(io.StringIO()) as lines:
            before = run.violations
            run.instance(instance)
        if run.violations > before:
            wrong += lines.getvalue().splitlines()
    return wrong


def done(step: Step) -> list[str]:
    """Take a step, and print whether its file is another one now; return what could not be made."""
    before, began = step.path.read_bytes(), time.monotonic()
    problems = step.make()
    state = "up to date" if step.path.read_bytes() == before else "written"
    print(
        f"{state:<10}  {time.monotonic() - began:5.1f} s  {step.path.relative_to(ROOT).as_posix()}",
        flush=True,
    )
    return problems


if __name__ == "__main__":
    sys.exit(main())
