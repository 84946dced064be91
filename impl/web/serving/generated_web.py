"""A generated web: a tree of pages with cross links, and sights, which are the faults of the real web.

All variation comes from `choose`; if it returns only zeros, the web is a star of plain pages.  Every page but a root
is linked from an earlier one, so all are reachable.  A *sight* is a small group of resources with one entry, which
some page links to.  There are at most as many sights as pages to link from, in the order of `_SIGHTS`: a small web
has the first few, and a large one has each several times.  All hosts belong to one family (`example.test`), so a
lenient scope keeps them all.  The only URLs that are never fetched are those behind the redirects of `_too_far`, which
exceed the budget on purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from .site import Broken, Html, Moved, Raw, Resource, Site

HOSTS = ("http://www.example.test", "http://docs.example.test", "http://blog.example.test")
LIMIT = 10  # redirects, as in the chapter's crawler

_PAGES_PER_HOST = 25  # one more host, and with it a root, per so many pages
_PAGES_PER_SIGHT = 8  # beyond one of each
_SLOW = 20  # times the greatest latency

Choose = Callable[[int], int]
#: Draws a latency, in milliseconds.
Latency = Callable[[], int]
#: A group of resources by URL; the first is the entry.
Sight = Mapping[str, Resource]


def generate(choose: Choose, pages: int, latency_ms_max: int) -> Site:
    """A web of `pages` ordinary pages, and sights besides, on one to three hosts.

    `choose(n)` draws from range(n), and 0 is plain.  `latency_ms_max` is the greatest latency of an ordinary resource,
    in milliseconds; a slow one takes 20 times that.

    Raises:
        ValueError: no page, or a negative latency.
    """
    if pages < 1:
        raise ValueError(f"a web needs at least one page, not {pages}")
    if latency_ms_max < 0:
        raise ValueError(f"the greatest latency must be 0 ms or more, not {latency_ms_max}")

    def latency() -> int:
        return choose(latency_ms_max + 1)

    hosts = HOSTS[: 1 + pages // _PAGES_PER_HOST]
    urls = [f"{hosts[i % len(hosts)]}/{'' if i < len(hosts) else f'page-{i}'}" for i in range(pages)]
    links: dict[str, list[str]] = {url: [] for url in urls}
    for i, url in enumerate(urls):
        if i >= len(hosts):
            links[urls[choose(i)]].append(url)
        links[url].extend(urls[choose(pages)] for _ in range(choose(4)))

    resources: dict[str, Resource] = {}
    kinds = tuple(_SIGHTS.values())
    for i in range(_number_of_sights(pages)):
        sight = kinds[i % len(kinds)](f"{i}", latency, latency_ms_max)
        links[urls[choose(pages)]].append(next(iter(sight)))
        resources.update(sight)
    for url in urls:
        resources[url] = Html(tuple(dict.fromkeys(links[url])), latency())
    return Site(resources, tuple(urls[: len(hosts)]), LIMIT)


def _number_of_sights(pages: int) -> int:
    return min(pages - 1, len(_SIGHTS)) + max(0, pages - len(_SIGHTS)) // _PAGES_PER_SIGHT


def _chain(name: str, length: int, latency: Latency, end: str) -> dict[str, Resource]:
    """`length` redirects, the last of them to `end`; `name` is the first."""
    urls = [name, *(f"{name}-{i}" for i in range(1, length)), end]
    return {url: Moved(urls[i + 1], 302, latency()) for i, url in enumerate(urls[:-1])}


def _document(key: str, latency: Latency, _: int) -> Sight:
    """A page that links to files other than HTML; the text file contains a decoy that looks like a link."""
    index, text, image = (f"{HOSTS[0]}/{key}/{name}" for name in ("files", "notes.txt", "dot.gif"))
    return {
        index: Html((text, image), latency()),
        text: Raw(b'<a href="/not-a-link">Plain text.</a>\n', "text/plain; charset=utf-8", latency()),
        image: Raw(b"GIF89a\x01\x00\x01\x00\x00\x00\x00;", "image/gif", latency()),
    }


def _diamond(key: str, latency: Latency, _: int) -> Sight:
    """A long and a short chain meet: only the budget that the short one leaves is enough to reach the end."""
    fork, meet, end = (f"{HOSTS[0]}/{name}-{key}" for name in ("fork", "meet", "end"))
    entry_long, entry_short = f"{HOSTS[0]}/long-{key}", f"{HOSTS[0]}/short-{key}"
    return {
        fork: Html((entry_long, entry_short), latency()),
        **_chain(entry_long, LIMIT - 2, latency, meet),
        **_chain(entry_short, 2, latency, meet),
        **_chain(meet, 5, latency, end),
        end: Html((), latency()),
    }


def _too_far(key: str, latency: Latency, _: int) -> Sight:
    """A chain with one redirect more than the budget allows: its end is never fetched."""
    end = f"{HOSTS[0]}/beyond-{key}"
    return {**_chain(f"{HOSTS[0]}/far-{key}", LIMIT + 1, latency, end), end: Html((), latency())}


#: Each makes a sight from a key, the draw of a latency, and the greatest latency.
_SIGHTS: Final[Mapping[str, Callable[[str, Latency, int], Sight]]] = {
    "a redirect": lambda key, latency, _: {
        f"{HOSTS[0]}/old-{key}": Moved(f"{HOSTS[0]}/new-{key}", 301, latency()),
        f"{HOSTS[0]}/new-{key}": Html((f"{HOSTS[0]}/",), latency()),
    },
    "a broken link": lambda key, latency, _: {f"{HOSTS[0]}/missing-{key}": Broken("status", 404, latency())},
    "a cycle": lambda key, latency, _: _chain(f"{HOSTS[0]}/round-{key}", 3, latency, f"{HOSTS[0]}/round-{key}"),
    "a host that refuses": lambda key, latency, _: {f"http://down.example.test/{key}": Broken("refused")},
    "a slow page": lambda key, latency, greatest: {f"{HOSTS[0]}/slow-{key}": Html((), _SLOW * greatest)},
    "a server error": lambda key, latency, _: {f"{HOSTS[0]}/crash-{key}": Broken("status", 500, latency())},
    "documents": _document,
    "a diamond": _diamond,
    "an unknown host": lambda key, latency, _: {f"http://nowhere.example.test/{key}": Broken("no-such-host")},
    "a reset": lambda key, latency, _: {f"{HOSTS[0]}/reset-{key}": Broken("reset", 200, latency())},
    "a cut": lambda key, latency, _: {f"{HOSTS[0]}/incomplete-{key}": Broken("incomplete", 200, latency())},
    "a chain that is too long": _too_far,
}
