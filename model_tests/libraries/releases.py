"""Find a bug of CPython again on a release that has it: by random programs beside the reference, or by facts.

The search by programs has no hint: the named difference of the bug (programs/differences.py) is taken from the list
that explains the finding.  It is used afterwards, to shrink the program without playing each candidate on the release.
"""

import json
import tempfile
from pathlib import Path
from typing import Final

from ..conformance.facts.fact import Fact
from ..dev.pythons import run_command
from ..dev.releases import NoWasm, launcher
from ..programs.differences import DIFFERENCES, Difference, explain, left_out, with_differences
from ..programs.generate import seeded
from ..programs.releases import parsed
from ..programs.runtimes import Line, Program, observe
from ..programs.script import ASYNCIO
from ..programs.shrink import shrink
from ..programs.vectors import play

#: The program that the release runs: it prints the lines of each program in a file.
_LINES: Final = """
import json, sys
sys.path.insert(0, sys.argv[2])
import play
programs = json.load(open(sys.argv[1], encoding="utf-8"))
vectors = [{"name": str(number), "since": "3.6", "program": each} for number, each in enumerate(programs)]
print(json.dumps(list(play.play(vectors).values())))
"""
#: The program that runs a plain script: in WebAssembly there are no sockets, no threads and no default loop.
_PLAIN: Final = """
import asyncio
def run(main):
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(main)
asyncio.run = run
"""


def output(release: str, code: str, *arguments: Path) -> str:
    """Return the output of a program on a release.

    Raises:
        NoWasm: the release cannot be had, or the program fails.
    """
    ran = run_command(*launcher(release), code, *arguments)
    if ran.returncode:
        raise NoWasm(ran.stderr.strip().rpartition("\n")[2])
    return ran.stdout


def plain(release: str, script: str) -> str:
    """Return the output of a plain script on a release."""
    return output(release, _PLAIN + script)


def observed(release: str, programs: list[Program]) -> list[list[Line]]:
    """Return the lines of each program on a release."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "programs.json")
        file.write_text(json.dumps(programs), encoding="utf-8")
        lines: list[list[Line]] = json.loads(output(release, _LINES, file.resolve(), Path(play.__file__).parent))
    return lines


def unexplained(release: str, most: int, without: Difference) -> tuple[int, Program] | None:
    """Return the number, from 1, of the first random program that differs without a reason, and the program.

    Parameters:
        most: how many programs.
        without: the named difference that is not among the reasons.
    """
    version = parsed(release)
    drawn = [program for program in map(seeded, range(most)) if not left_out(program, version)]
    known = [difference for difference in DIFFERENCES if difference is not without]
    for number, (program, theirs) in enumerate(zip(drawn, observed(release, drawn), strict=True), 1):
        if explain(program, observe(program, "impl"), theirs, version, known) is None:
            return number, program
    return None


def simplest(release: str, program: Program, difference: Difference) -> Program | None:
    """Return the program, shrunk by the effect of the difference; None if the release does not show that."""

    def differs(candidate: Program) -> bool:
        return with_differences(candidate, [difference]) != observe(candidate, "impl")

    small = shrink(program, differs) if differs(program) else program
    [theirs] = observed(release, [small])
    return small if theirs == with_differences(small, [difference]) else None


def untrue(release: str, fact: Fact) -> str:
    """Return the plain test of a fact that is not true on a release, else ""."""
    test = next(fact.functions(ASYNCIO, ()))
    name = next(line for line in test.splitlines() if line.startswith("def test_"))[len("def ") :].rstrip(":")
    asks = f"{test}\ntry:\n    {name}\nexcept AssertionError:\n    print('untrue')\n"
    return test if plain(release, asks).strip() else ""
