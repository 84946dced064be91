"""A specification of your own as the oracle of runs: the monitor judges every object of a class that a program uses.

    import pytest
    from model_tests.explored import OwnOracle

    @pytest.mark.explore(runs=200, spec=OwnOracle(model(), Permits))
    async def test_permits(): ...

Also `model_tests.explored.explore(main, spec=OwnOracle(model(), Permits))`.  Calls are recorded as `judged.py` says; an
action without parameters is a method that any task or callback may call.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from spec.kit.core import Event
from spec.kit.monitor import Monitor

from ..refinement.machines.objects import Said, answer
from .judged import AnyModel, Judged, Oracle, Thing


class OwnOracle(Oracle):
    """Holds the objects of some classes to a model of your own specification.

    Parameters:
        model: its constants are those of every object, unless `model_of` is given; it needs as many tasks as call one.
        classes: their methods have the names of the actions.
        said: translates the result of a call, or the exception that it raised, into an answer of the specification.
        model_of: the model for one object, such as `lambda permits: model(permits.most)`.
    """

    def __init__(
        self,
        model: AnyModel,
        *classes: type,
        said: Said = answer,
        model_of: Callable[[Any], AnyModel] | None = None,
    ) -> None:
        super().__init__(model, classes)
        self._said, self._model_of = said, model_of

    def judge(self, thing: Thing) -> Judged:
        return JudgedOwn(Monitor(self._model_of(thing) if self._model_of else self.model), self._said)

    def lacks(self, judged: Judged, event: Event) -> str | None:
        if event in judged.monitor.model.events:
            return None
        return f"the model has no {event}: give it more tasks, or more values"


class JudgedOwn(Judged):
    """One object in one run."""

    def __init__(self, monitor: Monitor[Any, Any], said: Said) -> None:
        super().__init__(monitor)
        self._said = said

    def answer(self, event: Event, outcome: object) -> Hashable:
        return self._said(outcome)
