"""Resources of a real server that note each request for them, or hold their answers back until a test releases them.

The server looks a resource up when it answers a request, in the thread of that connection.  So a mapping that waits in
its look-up holds back the answer, and nothing else.  The thread that created the mapping never waits: the crawler
under test runs in it.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Condition

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.web.serving.site import Broken, Fault, Resource, Site

from ...crawls.comparison import CrawlRuntime

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


class Held(Mapping[str, Resource]):
    """A mapping of resources; a look-up returns when `wait(url)` does."""

    def __init__(self, resources: Mapping[str, Resource], wait: Callable[[str], object]) -> None:
        self._resources = resources
        self._wait = wait
        self._maker = threading.get_ident()

    def __getitem__(self, url: str) -> Resource:
        if threading.get_ident() != self._maker:
            self._wait(url)
        return self._resources[url]

    def __iter__(self) -> Iterator[str]:
        return iter(self._resources)

    def __len__(self) -> int:
        return len(self._resources)


def held(runtime: CrawlRuntime, wait: Callable[[str], object]) -> CrawlRuntime:
    def crawl(site: Site, plan: CrawlConfig, frontier: Frontier, number: int) -> None:
        runtime.crawl(replace(site, resources=Held(site.resources, wait)), plan, frontier, number)

    return replace(runtime, crawl=crawl)


class Turns:
    """Release the URLs one at a time, in this order, by `next`; after the last one, no URL waits."""

    def __init__(self, urls: Sequence[str]) -> None:
        self._urls = urls
        self._turn = 0
        self._changed = threading.Condition()

    def wait(self, url: str) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self._has_had_its_turn(url), PATIENCE_S), f"{url} has no turn"

    def next(self) -> None:
        with self._changed:
            self._turn += 1
            self._changed.notify_all()

    def _has_had_its_turn(self, url: str) -> bool:
        return self._turn >= len(self._urls) or url in self._urls[: self._turn + 1]


class Together:
    def __init__(self, *urls: str) -> None:
        self._missing = set(urls)
        self._changed = threading.Condition()

    def wait(self, url: str) -> None:
        with self._changed:
            self._missing.discard(url)
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: not self._missing, PATIENCE_S), self._missing
