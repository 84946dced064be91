"""All mutants of impl, which are texts in `mutants/`, and the table of them by name."""

from typing import Final

from .corpus import corpus
from .mutant import Mutant, defined

MUTANTS: Final[tuple[Mutant, ...]] = tuple(map(defined, corpus("mutants").values()))
BY_NAME: Final[dict[str, Mutant]] = {mutant.name: mutant for mutant in MUTANTS}


def replacing(*names: str) -> list[Mutant]:
    """The mutants that stand for one of these names."""
    return [mutant for mutant in MUTANTS if mutant.replaces in names]
