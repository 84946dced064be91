"""Random small sites for cross-validation, with and without faults, and a shrinker for sites that show a difference.

Undirected random sites hardly ever distinguish a wrong redirect budget from a right one: under 1 % do, of random sites
with 7 URLs and half of them redirects.  So half of the sites contain a *gadget*: the smallest known site on which the
first discovery of a URL must not fix its budget.  It has 5 URLs and one root or 4 URLs and two, and its URLs are
shuffled among those of a random site with many redirects.  Latencies are a few milliseconds, so that the order of
completions varies.  Errors are frequent enough that a few dozen sites have every kind of them.  No resource is silent
for ever: on a real network that would cost real time.

Faults strike attempts at some URLs.  Each site draws which kinds of faults it has (swarm testing: Groce and others,
ISSTA 2012), because the rare kinds are hidden where all are possible.  Faults that wait for a time limit are in one
site of six: on real sockets they cost real time.

The shrinker is greedy.  `smaller` yields sites, each strictly smaller by `size`, a tuple of numbers in lexicographic
order, which is well founded: so `shrink` ends for every `fails`.  The number of roots never grows: a site with one
root keeps one.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeGuard

from impl.web.serving.faults import FAULTS, TIMED
from impl.web.serving.site import AttemptFault, Broken, Fault, Html, Moved, Raw, Resource, Site

Choose = Callable[[int], int]

_HOSTS = ("http://a.test", "http://b.test")
_DEAD_HOSTS: tuple[tuple[str, Fault], ...] = (
    ("http://down.test", "refused"),
    ("http://gone.test", "no-such-host"),
)
_STATUSES = (301, 302, 303, 307, 308)
_FAULTS: tuple[Broken, ...] = (
    Broken(),
    Broken("status", 500),
    Broken("incomplete", 200),
    Broken("reset", 200),
    Broken("garbage", 200),
    Broken("no-location", 302),
)
# The gadgets, with numbers for URLs: a page is the tuple of its links, a redirect is its target; then the number of
# roots.  With limit 1 the last URL is lost if the redirect to it was first reached by the other redirect.
_Gadget = tuple[tuple[tuple[int, ...] | int, ...], int]
_PLAIN: _Gadget = ((), 1)
_ONE_ROOT: _Gadget = (((1, 2), (3,), 3, 4, ()), 1)
_TWO_ROOTS: _Gadget = (((2,), 2, 3, ()), 2)

_URLS_MAX = 12
_LATENCY_MS_MAX = 5


def draw(choose: Choose) -> Site:
    """Draw a site: 1 to 12 URLs, one or two hosts (and two dead ones), one to three roots, limit 0 to 3.

    `choose(n)` draws from range(n); zeros alone give a single empty page.
    """
    gadget, gadget_roots = (_PLAIN, _ONE_ROOT, _PLAIN, _TWO_ROOTS)[choose(4)]
    urls = _urls(choose, max(1, len(gadget)) + choose(_URLS_MAX + 1 - max(1, len(gadget))))
    order = _shuffled(choose, urls)  # the first ones are the gadget's
    resources: dict[str, Resource] = {}
    for i, url in enumerate(order):
        if i < len(gadget):
            resources[url] = _relabelled(gadget[i], order, choose)
        elif (resource := _random_resource(choose, urls)) is not None:
            resources[url] = resource
    for url in urls:
        if _host(url) not in map(_host, resources):
            resources[url] = Broken()  # a host where nothing is would not exist
    mentioned = _mentioned(resources)
    resources.update((f"{host}/", Broken(fault)) for host, fault in _DEAD_HOSTS if f"{host}/" in mentioned)
    roots = [order[i] for i in range(gadget_roots)]
    roots += [urls[choose(len(urls))] for _ in range(choose(4 - gadget_roots))]
    limit = 1 + choose(3) * choose(2) if gadget else choose(4)
    return Site(resources, tuple(dict.fromkeys(roots)), limit)


def _urls(choose: Choose, count: int) -> list[str]:
    hosts = _HOSTS[: 1 + choose(2)]
    return [f"{hosts[choose(len(hosts)) if i else 0]}/{i or ''}" for i in range(count)]


def _shuffled(choose: Choose, urls: list[str]) -> list[str]:
    left = list(urls)
    return [left.pop(choose(len(left))) for _ in urls]


def _relabelled(shape: tuple[int, ...] | int, names: list[str], choose: Choose) -> Resource:
    latency = choose(_LATENCY_MS_MAX + 1)
    if isinstance(shape, int):
        return Moved(names[shape], _STATUSES[choose(len(_STATUSES))], latency)
    return Html(tuple(names[i] for i in shape), latency)


def _random_resource(choose: Choose, urls: list[str]) -> Resource | None:
    """Draw a page, a redirect (a third of all), an error (a quarter), a file, or nothing, which is a 404."""
    kind = choose(12)
    latency = choose(_LATENCY_MS_MAX + 1)
    if kind < 4:
        links = [_target(choose, urls) for _ in range(choose(4))]
        return Html(tuple(dict.fromkeys(links)), latency)
    if kind < 8:
        return Moved(_target(choose, urls), _STATUSES[choose(len(_STATUSES))], latency)
    if kind < 11:
        return replace(_FAULTS[choose(len(_FAULTS))], latency_ms=latency)
    return (None, Raw(b'<a href="/1">1</a>', "text/plain", latency), _raw_page(latency))[choose(3)]


def _raw_page(latency: int) -> Raw:
    """Draw a hand-written page: a base, a relative link, an entity, a fragment, a comment."""
    body = (
        b"<!DOCTYPE html><base href='/1/'><A HREF=../2?x=1&amp;y=2#part>2</A> <!-- <a href='/3'> -->"
        b"<a href='mailto:a@a.test'>m</a><area href=' /4 '><a href='//a.test/1'>a</a><a href='#top'>top</a>"
    )
    return Raw(body, "text/html", latency)


def _target(choose: Choose, urls: list[str]) -> str:
    """Draw a URL: mostly one of the site, one in eight of a dead host."""
    if choose(8) < 7:
        return urls[choose(len(urls))]
    return f"{_DEAD_HOSTS[choose(len(_DEAD_HOSTS))][0]}/"


def _mentioned(resources: Mapping[str, Resource]) -> list[str]:
    """Return all URLs that occur in the resources, each once, in order."""
    found: dict[str, None] = {}
    for url, resource in resources.items():
        found[url] = None
        found.update(dict.fromkeys(_targets(resource)))
    return list(found)


def _targets(resource: Resource) -> tuple[str, ...]:
    match resource:
        case Html(links):
            return links
        case Moved(target):
            return (target,)
    return ()


# --- shrinking
# ------------------------------------------------------------------------------------------------


def size(site: Site) -> tuple[int, ...]:
    """Return the measure that `smaller` decreases: URLs, links and redirects, roots, limit, oddness, faults, ms,
    hosts, text.
    """
    urls = urls_of(site)
    resources = site.resources.values()
    return (
        len(urls),
        sum(len(_targets(resource)) for resource in resources),
        len(site.roots),
        site.limit,
        sum(_oddness(resource) for resource in resources),
        weight(site),
        sum(resource.latency_ms for resource in resources),
        len({_host(url) for url in urls}),
        sum(map(len, urls)),
    )


def urls_of(site: Site) -> list[str]:
    """Return the URLs of the site once each, roots first, without those that occur only in a raw document."""
    return list(dict.fromkeys((*site.roots, *_mentioned(site.resources))))


def _oddness(resource: Resource) -> int:
    """Return 0 for no resource (a 404), 1 for a page, more for others; links count elsewhere."""
    match resource:
        case Html():
            return 1
        case Moved(status=status):
            return 2 if status == 302 else 3
        case Raw(body=body):
            return 3 + len(body)
        case Broken("status", 404):
            return 2
    return 3


def _host(url: str) -> str:
    return url.split("/", 3)[2]


def smaller(site: Site) -> Iterator[Site]:
    """Yield sites that are strictly smaller by `size`, the largest steps first."""
    measure = size(site)
    candidates = map(pruned, _candidates(site))
    return (other for other in candidates if size(other) < measure and _hosts_are_definite(other))


def _is_dead(resource: Resource | None) -> TypeGuard[Broken]:
    return isinstance(resource, Broken) and resource.fault in ("refused", "no-such-host")


def _hosts_are_definite(site: Site) -> bool:
    """Return whether each host is either dead, for all its URLs, or alive: it has a root, or a resource."""
    faults: dict[str, set[str | None]] = {}
    for url in (*site.roots, *site.resources):
        resource = site.resources.get(url)
        faults.setdefault(_host(url), set()).add(resource.fault if _is_dead(resource) else None)
    return all(len(faults.get(_host(url), ())) == 1 for url in urls_of(site))


def _candidates(site: Site) -> Iterator[Site]:
    for url in urls_of(site):
        yield from _without(site, url)
    for url, resource in site.resources.items():
        for target in _targets(resource):
            shorter = _bypassed(site, url, target)
            yield shorter
            if site.limit:
                yield replace(shorter, limit=site.limit - 1)
    for root in site.roots:
        if len(site.roots) > 1:
            yield replace(site, roots=tuple(other for other in site.roots if other != root))
        if isinstance(site.resources.get(root), Raw):  # its links are not known here
            yield from (_bypassed(site, root, url) for url in site.resources if url not in site.roots)
    if site.limit:
        yield replace(site, limit=site.limit - 1)
    for url, resource in site.resources.items():
        yield replace(site, resources={u: r for u, r in site.resources.items() if u != url})
        for simpler in _simpler(resource):
            yield replace(site, resources={**site.resources, url: simpler})
    yield from fewer(site)
    yield replace(site, resources={u: replace(r, latency_ms=0) for u, r in site.resources.items()})
    alive = [url for url in urls_of(site) if not _is_dead(site.resources.get(url))]
    yield _renamed(site, {url: f"http://a.test/{i or ''}" for i, url in enumerate(alive)})


def _without(site: Site, url: str) -> Iterator[Site]:
    """Remove `url` with the links to it; a redirect to it becomes an empty page."""
    roots = tuple(root for root in site.roots if root != url)
    if not roots:
        return
    resources: dict[str, Resource] = {}
    for other, resource in site.resources.items():
        match resource:
            case _ if other == url:
                continue
            case Html(links) if url in links:
                resources[other] = replace(resource, links=tuple(link for link in links if link != url))
            case Moved(target) if target == url:
                resources[other] = Html(latency_ms=resource.latency_ms)
            case _:
                resources[other] = resource
    yield replace(site, resources=resources, roots=roots)


def _bypassed(site: Site, url: str, target: str) -> Site:
    """Remove `url` and replace it by `target` in links, redirects and roots."""
    rest = {other: resource for other, resource in site.resources.items() if other != url}
    return _renamed(replace(site, resources=rest), {url: target})


def _renamed(site: Site, names: Mapping[str, str]) -> Site:
    """Return the same site with other URLs; those that `names` leaves out keep theirs."""

    def rename(urls: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(names.get(url, url) for url in urls))

    resources: dict[str, Resource] = {}
    for url, resource in site.resources.items():
        match resource:
            case Html(links):
                resource = replace(resource, links=rename(links))
            case Moved(target):
                resource = replace(resource, target=names.get(target, target))
        resources[names.get(url, url)] = resource
    faults = {names.get(url, url): faults for url, faults in site.faults.items()}
    return Site(resources, rename(site.roots), site.limit, faults)


def _simpler(resource: Resource) -> Iterator[Resource]:
    match resource:
        case Html(links):
            for link in links:
                yield replace(resource, links=tuple(other for other in links if other != link))
        case Moved(target):
            yield Html((target,), resource.latency_ms)
            yield replace(resource, status=302)
        case Raw() | Broken():
            yield Html()
            yield Broken()
    yield replace(resource, latency_ms=0)


def shrink(site: Site, fails: Callable[[Site], bool]) -> Site:
    """Return a site that still `fails` although no site in `smaller` of it does; `site` itself must fail."""
    while (candidate := next(filter(fails, smaller(site)), None)) is not None:
        site = candidate
    return site


# --- faults ---------------------------------------------------------------------------------------------------------

_QUICK: Final = tuple(fault for fault in FAULTS if fault not in TIMED)
_SLOW: Final = tuple(fault for fault in FAULTS if fault in TIMED)
_ATTEMPTS_MAX: Final = 3


def with_faults(choose: Choose, site: Site) -> Site:
    """Draw faults for the attempts at half of the URLs that are served; 0 is no fault."""
    kinds = [fault for fault in _QUICK if choose(2)]
    if choose(6) == 1:
        kinds += [fault for fault in _SLOW if choose(2)]
    faults: dict[str, tuple[AttemptFault | None, ...]] = {}
    for url, resource in site.resources.items():
        served = not (isinstance(resource, Broken) and resource.fault != "status")
        if served and kinds and choose(2):
            count = 1 + choose(_ATTEMPTS_MAX)
            faults[url] = tuple((None, *kinds)[choose(1 + len(kinds))] for _ in range(count))
    return pruned(replace(site, faults=faults))


def pruned(site: Site) -> Site:
    """Return the site without faults of URLs that it does not have, and without None at the end."""
    kept = {}
    for url, faults in site.faults.items():
        while faults and faults[-1] is None:
            faults = faults[:-1]
        if faults and url in site.resources:
            kept[url] = faults
    return site if kept == site.faults else replace(site, faults=kept)


def weight(site: Site) -> int:
    """Return the measure that `fewer` decreases: a fault counts more than its place."""
    return sum(1 if fault is None else 2 for faults in site.faults.values() for fault in faults)


def fewer(site: Site) -> Iterator[Site]:
    """Yield the site with fewer faults."""
    if site.faults:
        yield replace(site, faults={})
    for url, faults in site.faults.items():
        for i in range(len(faults)):
            for shorter in (faults[:i] + faults[i + 1 :], (*faults[:i], None, *faults[i + 1 :])):
                yield replace(site, faults={**site.faults, url: shorter})
