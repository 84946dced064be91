"""CrawlOptions: how real sites are crawled, for `loopspec crawl` and for a crawl from Python (real.py)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from ..web.http import USER_AGENT, Identity
from ..web.limits import LIMITS, Limits
from ..web.proxy import Choose
from ..web.reference import CHECKS
from ..web.url import origin, split
from .crawler import CrawlConfig
from .polite import MANNERS, Manners
from .pool import Times
from .results.journal import Settings

#: The time limits of a response, besides that of a whole try.
TIMES: Final = Times(bytes_s=100)
#: The fields of a crawl's parameters that its journal's head does not have: the result does not depend on them, no file
#: may hold them, or it has them in another form.
_NOT_IN_HEAD: Final = frozenset(
    (
        *("max_tasks", "manners", "contact", "shards", "dask", "one_process"),
        "caps",  # a crawl that was cut may go on
        *("headers", "proxy"),  # they may hold a password
        *("roots", "limits", "times"),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlOptions:
    """How real sites are crawled; a `CrawlConfig` says which URLs.

    Parameters:
        check: the name of what is checked, of `impl.web.reference.CHECKS`: "links"; "fragments": also that #fragments
            exist; "all": also images, scripts and stylesheets.
        slow: a URL is recorded as slow if its answer takes longer, in seconds; None: none is.
        timeout: the time limit of a whole try, in seconds.
        limits: of the size of a response, in bytes, characters and numbers.
        times: the time limits of the parts of a try, in seconds, and the least rate, in bytes a second.
        private: whether the crawl goes to private and loopback addresses, also where a public root leads there.
        proxy: returns the proxy that leads to an address, or None; None: no proxy is used.
        robots: whether robots.txt is asked for and obeyed, and so are nofollow links.
        manners: the pauses between requests to a host, in seconds, and how many are in flight.
        user_agent: the crawler's name for itself, in printable ASCII.
        contact: an address or a URL to add to the user agent.
        headers: pairs of a name and a value, sent with each request to the origins of the roots.
        shards: the number of processes that share the hosts; None: this process crawls all of them.
        dask: the address of the scheduler of a Dask cluster that runs the shards; None: processes of this machine.
        one_process: whether this process reads all pages; else a second one reads long pages.

    Raises:
        ValueError: a number is too small, or `check` is no name; there are no shards for `dask`.
    """

    check: str = "links"
    slow: float | None = None
    timeout: float = 30.0
    limits: Limits = LIMITS
    times: Times = TIMES
    private: bool = False
    proxy: Choose | None = None
    robots: bool = True
    manners: Manners = MANNERS
    user_agent: str = USER_AGENT
    contact: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    shards: int | None = None
    dask: str | None = None
    one_process: bool = False

    def __post_init__(self) -> None:
        if self.check not in CHECKS:
            raise ValueError(f"check must be one of {', '.join(CHECKS)}, not {self.check!r}")
        for name, value in (("slow", self.slow), ("timeout", self.timeout), ("shards", self.shards)):
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be greater than 0, not {value}")
        if self.dask is not None and self.shards is None:
            raise ValueError("dask runs shards: give their number")

    def identity(self, config: CrawlConfig) -> Identity:
        """How the crawler introduces itself; `headers` are for the origins of the roots."""
        origins = tuple(origin(split(root)) for root in config.canonical_roots())
        contact = f" ({self.contact})" if self.contact else ""
        return Identity(self.user_agent + contact, self.headers, origins)

    def settings(self, config: CrawlConfig) -> Settings:
        """All that the result depends on, for the head of the journal; a field that is not named above counts."""
        parts = (config, self, self.limits, self.times)
        given = {each.name: getattr(part, each.name) for part in parts for each in fields(part)}
        counts = {name: given[name] for name in sorted(given) if name not in _NOT_IN_HEAD}
        return {"roots": sorted(set(config.canonical_roots())), **counts}


#: The options of a crawl, unless others are given.
USUAL: Final = CrawlOptions()
