"""A real server that holds its answers back until a test releases them.

The server looks a resource up when it answers a request, in the thread of that connection.  So a mapping that waits in
its look-up holds back the answer, and nothing else.  The thread that created the mapping never waits: the crawler
under test runs in it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.web.serving.site import Resource, Site

from ...crawls.comparison import CrawlRuntime

#: The seconds after which a wait is a failure.
WAIT_S = 60.0


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
            assert self._changed.wait_for(lambda: self._has_had_its_turn(url), WAIT_S), f"{url} has no turn"

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
            assert self._changed.wait_for(lambda: not self._missing, WAIT_S), self._missing
