"""A search with injected cancels finds the bugs of released libraries; without cancels it finds none."""

from __future__ import annotations

import warnings
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import pytest

from impl.explore import Found, explore

from ...findings.catalogue import FINDINGS, Finding

#: The runs of each search.
RUNS = 2000


def search(finding: Finding, cancel: str | None, runs: int = RUNS, seed: int = 0) -> Found:
    """Search the program of a finding, or skip the test where its library is missing or another version."""
    try:
        found = version(finding.library)
    except PackageNotFoundError:
        pytest.skip(f"not run: {finding.library} is not installed; the extra `findings` brings it")
    if found not in finding.versions:
        pytest.skip(f"not run: the bug was seen in {finding.library} {finding.versions}, this is {found}")
    main = import_module(f"...findings.{finding.program}", __package__).main
    with warnings.catch_warnings():  # of coroutines and transports that a cancelled request leaves behind
        warnings.simplefilter("ignore")
        return explore(main, runs=runs, cancel=cancel, seed=seed)


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.program)
def test_the_search_finds_it(finding: Finding, full: bool, caplog: pytest.LogCaptureFixture) -> None:
    for seed in (0, 10_000, 20_000)[: 3 if full else 1]:
        found = search(finding, finding.cancel, seed=seed)
        assert found.failure is not None, f"not found in {found.runs} runs from seed {seed}"
        assert found.failure.outcome.startswith(finding.outcome)
        print(finding.program, "seed", seed, "runs", found.runs)
    caplog.clear()


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.program)
def test_without_cancels_the_program_is_right(finding: Finding, full: bool) -> None:
    assert search(finding, None, runs=200 if full else 10).failure is None
