"""The admission of a specification to the proofs: three checks before the first of them.

it is inside the subset (`kit/render/subset.py`), so that it has one meaning to every reader
its translation agrees with Python, on states that are mixed from those of its bounded models (`agreement.py`)
the laws of its opaque helpers are true of every call in those models (`laws.py`)
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from ..core import SpecError
from ..model import Model
from ..render.source import Untranslatable
from ..render.subset import outside
from .agreement import Subject, compare
from .case import Case
from .laws import Laws, unasked
from .setting import Setting
from .sorts import Sorts


class Effort(NamedTuple):
    """How much is compared: the most models, the samples of each, the most states to visit."""

    models: int
    samples: int
    states: int


#: The most models that are looked through for calls of the opaque helpers.
MOST_MODELS = 50
#: A user's file is compared whenever it is proved; a shipped one on much more by the tests.
OWN = Effort(models=3, samples=8, states=5_000)
SHIPPED = Effort(models=1, samples=1, states=300)


def admit(case: Case, models: Iterable[Model[Any, Any]], effort: Effort, checked: Collection[object] = ()) -> None:
    """Raise SpecError for a specification if a proof about it could be wrong.

    `models`: its bounded models, one or more.  `checked`: laws that are known to be true of their helpers.
    """
    if found := outside(case.spec):
        raise found[0]
    Setting(case, Sorts(case.spec.numbers))  # refuses types that are not read
    laws, constants = Laws(case.spec, checked), list[Any]()
    for model in itertools.islice(models, MOST_MODELS):
        if len(constants) >= effort.models and not laws.unasked:
            break
        if model.original is not case.spec:
            other = model.original.name
            raise SpecError(f"{case.spec.name}: a model is of another specification, {other!r}: write spec=...")
        subject = Subject(case, model, constants, effort.states)
        laws.see(model, subject.states)
        if len(constants) < effort.models:
            agree(subject, effort.samples)
            constants.append(model.k)
    if not constants:
        raise SpecError(f"{case.spec.name}: no bounded model to compare its translation with: add a Holds")
    if laws.unasked:
        raise unasked(laws.unasked[0])
    laws.beyond()


def agree(subject: Subject, samples: int) -> None:
    """Raise SpecError if the translation disagrees with Python, or if the comparison is undecided."""
    tally = compare(subject, samples, seed=1)
    if tally.mismatches:
        raise Untranslatable(f"{tally.mismatches[0]}: the translation is wrong, so nothing is proved: report it")
    if len(tally.undecided) * 2 > tally.comparisons:
        raise Untranslatable(f"{tally.undecided[0]}: Z3 cannot compare it with Python, so nothing is proved")
