"""The programs that are played on a subject, in this order: the catalogue, the enumeration, random programs.

The catalogue comes first because it shows every rule.  The enumeration comes shortest first, over all scenarios, so
that the first program that fails is about the smallest.  The expected lines of both are stored (`expected_lines.py`),
those of most random programs, too; those of other programs are impl's.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Final

from impl.sim.garbage import uncollected

from ...programs.enumeration import BrokenRules, Program, programs
from ...programs.generate import seeded
from ...programs.runtimes import Ours, observe, timed
from ...programs.stages import Staged
from ...programs.usage import Use, uses
from ..attribute import operations
from ..normal import Line, played, strings
from .awaiting import AWAITING
from .expected_lines import lines_of, vectors
from .requirements import can_show
from .scenarios import SCENARIOS

#: asyncio in C and in Python: they handle a StopIteration differently.
ASYNCIO: Final = ("asyncio", "asyncio-py")


@dataclass(frozen=True)
class Case:
    """A program with the rules that it would show broken, which a random program does not have.

    `kinds` gives the rule by the kind of a difference; `since` is the first CPython that has the names in the program.
    """

    name: str
    program: Program
    rules: tuple[str, ...] = ()
    kinds: BrokenRules | None = None
    since: tuple[int, int] = (3, 6)

    @cached_property
    def expected(self) -> list[Line]:
        """The lines that are stored, or else those of impl."""
        return self.reference if self.stored is None else self.stored

    @cached_property
    def stored(self) -> list[Line] | None:
        """The expected lines, if they are stored."""
        return lines_of(self.program)

    @cached_property
    def reference(self) -> list[Line]:
        """The lines of impl."""
        return played(lambda: Staged(self.program, Ours()).play())

    @cached_property
    def asyncios(self) -> list[list[Line]]:
        """The lines of this version of asyncio, for each of ASYNCIO."""
        return [played(partial(observe, self.program, asyncio)) for asyncio in ASYNCIO]

    @property
    def impl_differs(self) -> bool:
        """Whether impl shows other lines than those that are stored, so that it is no reference for this program."""
        return self.stored is not None and self.reference != self.stored

    @cached_property
    def used(self) -> list[Use]:
        """The names that the program uses."""
        return uses(self.program)

    @cached_property
    def size(self) -> tuple[int, bool]:
        """The number of operations, and whether the program cancels: of equal ones, one that does not is plainer."""
        return operations(self.program), any(said.endswith(".cancel") for said in strings(self.program))

    @cached_property
    def timed(self) -> bool:
        """Whether the program may wait for time to pass, or for more turns than an idle loop counts."""
        return timed(self.program) or "repeat" in strings(self.program)


#: Whether programs with these rules are to be made, that this CPython or a later one is the first to run.
Wanted = Callable[[Collection[str], tuple[int, int]], bool]


def all_wanted(rules: Collection[str], since: tuple[int, int]) -> bool:
    """Return that any program is to be made."""
    return True


@cache
def catalogue() -> tuple[Case, ...]:
    """Return the vectors, which keep the lines that were played."""
    found = []
    for vector in vectors():
        major, minor = map(int, vector["since"].split("."))
        found.append(
            Case(
                vector["name"],
                vector["program"],
                tuple(vector["rules"]),
                None,
                (major, minor),
            )
        )
    return tuple(found)


def enumeration(
    wanted: Callable[[str], bool] = lambda rule: True, about: Callable[[Program], bool] = lambda program: True
) -> list[Case]:
    """Return the programs of all scenarios about a rule that is wanted, the shortest interleavings first.

    An interleaving where main never comes to shut a queue down shows no rule of shutdown.

    `about` leaves out scenarios by their first program: the programs of a scenario use the same names.
    """
    with uncollected():  # very many objects are made that stay: each collection would go through them
        found = [
            (
                len(interleaving),
                Case(
                    f"{scenario.name}: {interleaving}",
                    program,
                    tuple(scenario.rules.all()),
                    scenario.rules,
                    scenario.since,
                ),
            )
            for scenario in (*SCENARIOS, *AWAITING)
            if any(map(wanted, scenario.rules.all())) and about(next(programs(scenario))[1])
            for interleaving, program in programs(scenario)
            if can_show(scenario.rules.all(), program)
        ]
    found.sort(key=lambda pair: pair[0])  # stable
    return [case for _, case in found]


def random(
    runs: int, names: Collection[str] = (), about: Callable[[Program], bool] = lambda program: True
) -> Iterator[Case]:
    """Yield so many random programs by seed, every second one with timers.

    With `names`, tasks compete for a thing of one of these, if there is any.  `about` leaves out programs; there are
    fewer if nearly all are left out.
    """
    if not runs:
        return
    left = runs
    for seed in range(SEEDS_MAX * runs):
        program = seeded(seed, timers=bool(seed % 2), names=names)
        if about(program):
            yield Case(f"random program {seed}", program)
            left -= 1
            if not left:
                return


#: How many seeds are tried for each random program.
SEEDS_MAX: Final = 20
