"""A specification of your own as the oracle of runs: the monitor judges every object of a class that a program uses.

    import pytest
    from model_tests.explored import OwnOracle

    @pytest.mark.explore(runs=200, spec=OwnOracle(model(), Permits))
    async def test_permits(): ...

Also `model_tests.explored.explore(main, spec=OwnOracle(model(), Permits))`.  Calls are recorded as `instrumentation.py`
says; an action without parameters is a method that any task or callback may call.  A test that judges no call fails.
"""

from collections.abc import Callable, Hashable
from typing import Any

from spec.kit.core import Event, SpecError
from spec.kit.model import Model
from spec.kit.monitor import Monitor

from ..refinement.machines.outcomes import Said, answer
from .instrumentation import JudgedObject, RunOracle, Thing
from .methods import AnyModel, definer_of, methods_of


class OwnOracle(RunOracle):
    """Holds the objects of some classes to a model of your own specification.

    Parameters:
        model: its constants are those of every object, unless `model_of` is given; it needs as many tasks as call one.
        classes: their methods, own or inherited, have the names of the actions; classes that derive from them count.
        said: translates the outcome of a call, a value or `Raised(error)`, into an answer of the specification.
        model_of: the model for one object, such as `lambda permits: model(permits.most)`.

    Raises:
        SpecError: the model is none, no class is given, or one has not the methods.
    """

    def __init__(
        self,
        model: AnyModel,
        *classes: type,
        said: Said = answer,
        model_of: Callable[[Any], AnyModel] | None = None,
    ) -> None:
        if not isinstance(model, Model):
            raise SpecError(f"OwnOracle: {model!r} is no model: name it first: OwnOracle(model, YourClass)")
        for each in classes:
            demand(model, each)
        if not classes:
            raise SpecError(f"{model.spec.name}: name the classes whose objects it judges: OwnOracle(model, YourClass)")
        names = " or ".join(each.__name__ for each in classes)
        super().__init__(model, classes, f"a call of {names} ({', '.join(methods_of(model))}) is judged")
        self._said, self._model_of = said, model_of

    def judge(self, thing: Thing) -> JudgedObject:
        return JudgedOwn(Monitor(self._model_of(thing) if self._model_of else self.model), self._said)

    def lacks(self, judged: JudgedObject, event: Event) -> str | None:
        if event in judged.monitor.model.events:
            return None
        return f"the model has no {event}: give it more tasks, or more values"


def demand(model: AnyModel, each: type) -> None:
    """Raise SpecError if a class has not the methods of the actions."""
    if not isinstance(each, type):
        raise SpecError(f"{model.spec.name}: {each!r} is no class: name the class of the objects that it judges")
    lacking = [name for name in methods_of(model) if definer_of(each, name) is None]
    if lacking:
        raise SpecError(
            f"{each.__name__} has no method {', '.join(lacking)}: it needs one for each action of {model.spec.name}"
            " that is not hidden"
        )


class JudgedOwn(JudgedObject):
    """One object in one run."""

    def __init__(self, monitor: Monitor[Any, Any], said: Said) -> None:
        super().__init__(monitor)
        self._said = said

    def answer(self, event: Event, outcome: object) -> Hashable:
        return self._said(outcome)
