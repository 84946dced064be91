"""The rules of a subject as items of pytest, in a module of tests of its author:

    import model_tests

    test_rules = model_tests.Rules("mylibrary.aio")

collects `test_rules::QUEUE-1` and so on, which `-k`, `--lf` and xdist select as they do any test.  The first of them
that runs tests the subject, once in a process; each then passes, fails with its finding, or is skipped with the reason.
An item `run` fails for all else: a state machine, a rule of other names, a subject that cannot be loaded, a test
that did not end.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest

from impl.commands.options import UsageError

from ..conformance.conform import Report, Rules, SubjectError

#: The item about the run as a whole.
RUN: Final = "run"


class Broken(Exception):
    """A rule is broken, or the subject cannot be tested; the text is for the report."""


class Collected(pytest.Collector):
    """The items of one object `Rules`."""

    def __init__(self, *, rules: Rules, **keywords: Any) -> None:  # Any: those of pytest
        super().__init__(**keywords)
        self._rules, self._said = rules, False

    def collect(self) -> Iterator[pytest.Item]:
        try:
            names = self._rules.names()
        except UsageError as error:
            raise self.CollectError(str(error)) from None
        except SubjectError:  # the item that is left says it
            names = []
        for name in (*names, RUN):
            yield Rule.from_parent(self, name=name, known=names)

    def report(self) -> Report:
        """Return the report; if there is none, the first item fails and the others are skipped."""
        judged = self._rules.judged
        if isinstance(judged, Report):
            return judged
        if self._said:
            pytest.skip("the subject was not tested: see the first of these tests")
        self._said = True
        raise Broken(str(judged)) if isinstance(judged, (SubjectError, UsageError)) else judged


class Rule(pytest.Item):
    """One rule, or the run as a whole; `known` are the rules that have an item."""

    def __init__(self, *, known: Sequence[str], **keywords: Any) -> None:  # Any: those of pytest
        super().__init__(**keywords)
        self._known = known

    def runtest(self) -> None:
        assert isinstance(self.parent, Collected)
        report = self.parent.report()
        results = report.results()
        if self.name == RUN:
            others = [text for name, (kind, text) in results.items() if kind == "failure" and name not in self._known]
            kind, text = ("failure", "\n\n".join(others)) if others else ("", "")
        else:
            kind, text = results.get(self.name, ("skipped", "no program was played that would show it"))
        if kind == "skipped":
            pytest.skip(text)
        if kind == "failure":
            raise Broken(text)

    # Any: as pytest has it
    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the broken rule, without a traceback of ours."""
        broken = isinstance(excinfo.value, Broken)
        return str(excinfo.value) if broken else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, None, str]:
        return self.path, None, f"{self.parent.name if self.parent else ''}: {self.name}"
