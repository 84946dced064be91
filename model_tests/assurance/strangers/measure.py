"""The search of the bare command, `loopspec explore FILE:main`, on one program, from many first seeds."""

import tempfile
import time
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from impl.bridges.output import muted
from impl.bridges.user_program import load, runtime_of
from impl.explore import CannotExplore, Found, KeepsState, Options
from impl.explore.engine import explore_with

from .corpus import Stranger
from .naming import RANK, Named, named

#: The first seeds of a whole measurement, which are so far apart that no run is made twice.
SEEDS: Final = 20
APART: Final = 1_000
#: The failures of one program, each from another seed: the report of each has to name the cause.
REPORTS: Final = 3
#: The runs of `--every` on a correct program.
EVERY: Final = 2_000


@dataclass(slots=True)
class Result:
    """The searches of one program."""

    name: str
    searches: int = 0
    #: The number of the run that failed, of each search that has found one.
    failed: list[int] = field(default_factory=list)
    #: How the causes of the first failures are named: the worst.
    named: Named = "no"
    #: The text of the first report or refusal.
    said: str = ""
    #: Why the search was refused.
    refused: str = ""
    #: Of a correct program: the verdict of `--every`.
    every: str = ""
    seconds: float = 0.0

    @property
    def run(self) -> str:
        """The number of the run that failed, the median of those searches that have found one."""
        return f"{median(self.failed):g}" if self.failed else "-"


def measured(stranger: Stranger, seeds: int = SEEDS, every: int = EVERY) -> Result:
    """Search a program from each of the first seeds; of a correct one, run all schedules, too, up to `every`."""
    began, result = time.monotonic(), Result(stranger.name)
    ranks: list[Named] = []
    with tempfile.TemporaryDirectory(prefix="strangers-") as folder, chdir(folder):
        file = Path(folder).resolve() / f"{stranger.name}.py"
        file.write_text(stranger.text, encoding="utf-8")
        for number in range(seeds):
            found = _searched(file, seed=APART * number)
            result.searches += 1
            if isinstance(found, str) or found.verdict != "not exhausted":
                result.said = result.said or _text(found)
            if isinstance(found, Found) and found.refused is not None:
                result.refused = found.refused.sentence()
            if isinstance(found, str) or found.failure is not None:
                result.failed.append(found.runs if isinstance(found, Found) else 0)
            if isinstance(found, Found) and found.failure is not None and stranger.racy and len(ranks) < REPORTS:
                with muted():
                    ranks.append(named(found.failure.simple, stranger.causes))
                if ranks[-1] == min(ranks, key=RANK.index) != max(ranks, key=RANK.index):
                    result.said = _text(found)
        if not stranger.racy:
            found = _searched(file, every=True, runs=every)
            result.every = found if isinstance(found, str) else f"{found.verdict}, {found.runs} runs"
            if result.every.startswith("failed"):
                result.said = result.said or _text(found)
    result.named = min(ranks, key=RANK.index, default="no")
    result.seconds = time.monotonic() - began
    return result


def _searched(file: Path, *, seed: int = 0, every: bool = False, runs: int | None = None) -> Found | str:
    """The result of one search; the error, if the program is said to keep state between runs."""
    try:
        with muted():
            program = load(f"{file}:main")
            return explore_with(program, Options(runtime=runtime_of(program), seed=seed, every=every, runs=runs))
    except CannotExplore as error:
        return error.found
    except KeepsState as error:
        return f"keeps state: {error}"


def _text(found: Found | str) -> str:
    if isinstance(found, str):
        return found
    with muted():
        return found.report(output=False)
