"""Resources of a real server that note each request for them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from threading import Condition

from impl.web.serving.site import Broken, Fault, Resource

#: The time limit in seconds for requests that should come soon.
PATIENCE_S = 60


class Requested(dict[str, Resource]):
    """Resources that count the requests for each URL; the first `failing[url]` of them get the fault.

    Servers call `get`, in a thread for each connection; setting a site up calls it for roots only.
    """

    def __init__(
        self,
        resources: Mapping[str, Resource],
        failing: Mapping[str, int] | None = None,
        fault: Fault = "reset",
    ) -> None:
        super().__init__(resources)
        self.asked: Counter[str] = Counter()
        #: The URL of each request, and its time in seconds.
        self.times: list[tuple[str, float]] = []
        self._failing = failing or {}
        self._fault = fault
        self._changed = Condition()

    # Narrower than dict's: the server's key and result.
    def get(self, url: str, default: Resource | None = None) -> Resource | None:  # type: ignore[override]
        with self._changed:
            self.asked[url] += 1
            self.times.append((url, time.monotonic()))
            self._changed.notify_all()
            fails = self.asked[url] <= self._failing.get(url, 0)
        return Broken(self._fault) if fails else super().get(url, default)

    def wait(self, enough: Callable[[Counter[str]], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: enough(self.asked), PATIENCE_S)
