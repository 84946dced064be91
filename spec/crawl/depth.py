"""The crawl with a limit on depth: its result is the least solution of an equation over a product lattice.

The equation of `specification` gives each URL a budget of redirects.  With a limit D on depth each URL that is to be
fetched also has a depth, and less is better; the two grow apart, each by its own order:

    depth(v) = min of  0             if v is a root
                       depth(u) + 1  for every page u that links to v, if depth(u) < D
                       depth(u)      for every redirect u to v that has a budget of 1 or more
                       D + 1         for every page u of depth D or less that has v as a resource (an image, say)

The budget is that of `specification`, but a page of depth D offers its resources only, and one of
depth D + 1 nothing.  Both right-hand sides are monotone, on a
finite lattice, so there is a least solution, and any order of offers that are joins ends in it: the depth of a URL is
the least over all paths, whenever the shortest is found.  The depth of first discovery is not: with D = 3, a fetch
of e depends on the schedule in the site r to a and b, a to c, b and c to d, d to e.
"""

from __future__ import annotations

from ..kit.core import Map
from .specification import AnswerKind, Const, Url

#: The budget and the depth of a URL that is to be fetched; None: it is not.
Value = tuple[int, int] | None


#: The resources of some pages.
Resources = Map[Url, frozenset[Url]]
NO_RESOURCES: Resources = Map({})


def depth_equation(k: Const, most: int, x: Map[Url, Value], resources: Resources = NO_RESOURCES) -> Map[Url, Value]:
    """The right-hand side, applied to `x`; `most` is the limit on depth."""
    y: dict[Url, Value] = {v: (k.limit, 0) if v in k.roots else None for v in sorted(k.urls)}
    for u in sorted(k.urls):
        if (value := x[u]) is None:
            continue
        budget, depth = value
        if k.kind[u] == AnswerKind.PAGE and depth <= most:
            for v in k.links[u] if depth < most else frozenset():
                y[v] = better(y[v], (k.limit, depth + 1))
            for v in resources.get(u, frozenset()):
                y[v] = better(y[v], (k.limit, most + 1))
        elif k.kind[u] == AnswerKind.REDIRECT and budget >= 1:
            y[k.hop[u]] = better(y[k.hop[u]], (budget - 1, depth))
    return Map(y)


def better(x: Value, y: tuple[int, int]) -> tuple[int, int]:
    """The join: the greater budget, the lesser depth."""
    return y if x is None else (max(x[0], y[0]), min(x[1], y[1]))


def least_with_depth(k: Const, most: int, resources: Resources = NO_RESOURCES) -> Map[Url, Value]:
    """The result of a crawl with a limit on depth, under every schedule (CRAWL-6): by Kleene iteration."""
    x: Map[Url, Value] = Map(dict.fromkeys(sorted(k.urls)))
    while (y := depth_equation(k, most, x, resources)) != x:
        x = y
    return x
