"""The marker `short`: the cases that it names are run in both forms, and a name that no case has is an error."""

from types import SimpleNamespace
from typing import Any

import pytest

from . import conftest


@pytest.mark.short("2", why="the others show the same")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_only_the_named_cases_are_in_the_short_form(number: int, full: bool) -> None:
    assert full or number == 2


@pytest.mark.parametrize("ids", [("1", "one"), ("1", "2"), ()])
def test_a_name_without_a_case_or_none_or_all_are_refused(ids: tuple[str, ...]) -> None:
    cases = [SimpleNamespace(id=name, marks=[]) for name in ("1", "2")]
    definition = SimpleNamespace(nodeid="a::test", iter_markers=lambda name: [pytest.mark.short(*ids, why="").mark])
    metafunc: Any = SimpleNamespace(definition=definition, _calls=cases)  # Any: a part of pytest's class
    with pytest.raises(AssertionError, match="a::test: `short` names"):
        conftest.pytest_generate_tests(metafunc)
