"""The reference of the crawl: real crawls over the simulated network, recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

from impl.crawl.frontier import Frontier
from spec.crawl import Const, Crawl, crawl
from spec.kit.core import Spec
from spec.kit.model import Model

from ..crawls.compare import IMPL as IMPL_RUNTIME
from ..crawls.comparison import plan
from ..crawls.recording import RecordingFrontier, SiteModel, judge, recording
from .implementations import Implementation, plain
from .machines.adapter import Make
from .machines.crawl import frontier_adapter, site_of

#: The conditions of crawls, see `crawls/comparison.py`: those that have all hosts in scope, in both orders of tasks.
CONDITIONS: Final = range(0, 24, 2)


def crawl_runs(model: Model[Const, Crawl], _: Make) -> Iterator[int]:
    """Crawls of the model's own site, served and fetched over the simulated network."""
    site, numbers = site_of(model.k)
    for number in CONDITIONS:
        recorder = RecordingFrontier(Frontier(site.limit), SiteModel(model, numbers), IMPL_RUNTIME.name)
        by = replace(plan(site, number), max_tasks=len(model.k.workers))
        came = recording(recorder, partial(IMPL_RUNTIME.crawl, site, by, recorder, number))
        judge(came)
        yield len(came.lines)


# Any: constants and states of any text.
REFERENCES: Final[list[tuple[Spec[Any, Any], Implementation]]] = [
    (crawl, Implementation(frontier_adapter(), plain, crawl_runs)),
]
