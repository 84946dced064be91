"""`@caught_by("monitor", "Queue")`: a test of every mutant that the table says is caught there."""

import pytest

from ...implementations.all_mutants import MUTANTS
from ...implementations.detection import of_mutants, read

TABLE = of_mutants(read())


def caught_by(column: str, *names: str) -> pytest.MarkDecorator:
    """Parametrizes a test by `mutant`, of those that replace one of `names` (none: any), and by checker, `found`."""
    return pytest.mark.parametrize(
        ("mutant", "found"),
        [
            pytest.param(mutant, TABLE[mutant.name][column], id=mutant.name)
            for mutant in MUTANTS
            if (not names or mutant.replaces in names) and column in TABLE.get(mutant.name, {})
        ],
    )
