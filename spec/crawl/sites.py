"""Small sites: one by hand, or every site of a size, up to the names of its URLs.

A `Shape` gives for URL 0, 1, 2, ... its answer: the kind and the URLs it leads to.  The first of them are the roots.
Two shapes that differ only by renaming roots among themselves and other URLs among themselves have the same crawls,
renamed, so a check of all sites may check one of each class: the least shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, permutations, product

from ..kit.core import Map, replace
from .specification import AnswerKind, Const, Url, Worker, least

Answer = tuple[AnswerKind, tuple[int, ...]]
Shape = tuple[Answer, ...]


def site(
    links: Mapping[int, Iterable[int]],
    hops: Mapping[int, int],
    *,
    broken: Iterable[int] = (),
    roots: int = 1,
    limit: int = 1,
    workers: int = 2,
    first_wins: bool = False,
) -> Const:
    """The constants of a crawl of a site given by hand.

    `links`: the pages and their links; `hops`: the redirects and their targets; `broken`: the URLs that fail.
    A URL that is only led to is a page without links.  `roots`: how many URLs, from 0 on, are roots.
    """
    pages = {u: (AnswerKind.PAGE, tuple(sorted(targets))) for u, targets in links.items()}
    answers = (
        pages | {u: (AnswerKind.REDIRECT, (t,)) for u, t in hops.items()} | {u: (AnswerKind.ERROR, ()) for u in broken}
    )
    size = 1 + max([roots - 1, *answers, *(u for _, targets in answers.values() for u in targets)])
    shape = tuple(answers.get(u, (AnswerKind.PAGE, ())) for u in range(size))
    return constants(shape, roots=roots, limit=limit, workers=workers, first_wins=first_wins)


def constants(shape: Shape, *, roots: int = 1, limit: int = 1, workers: int = 2, first_wins: bool = False) -> Const:
    """The constants of a crawl of the site of that shape, its first `roots` URLs being the roots."""
    urls = [Url(u) for u in range(len(shape))]
    k = Const(
        urls=frozenset(urls),
        roots=frozenset(urls[:roots]),
        limit=limit,
        kind=Map({u: shape[u][0] for u in urls}),
        links=Map({u: frozenset(map(Url, shape[u][1] if shape[u][0] == AnswerKind.PAGE else ())) for u in urls}),
        hop=Map({u: Url(shape[u][1][0]) if shape[u][0] == AnswerKind.REDIRECT else u for u in urls}),
        workers=frozenset(map(Worker, range(workers))),
        first_wins=first_wins,
        least=Map(),
    )
    return replace(k, least=least(k))


def as_met(k: Const, failed: frozenset[Url]) -> Const:
    """The site as a crawl met it: where timing decides, the crawl must be one of this site (CRAWL-22).

    `failed`: the URLs that were met as errors.
    """
    kind = k.kind | dict.fromkeys(failed, AnswerKind.ERROR)
    links = k.links | dict.fromkeys(failed, frozenset())
    met = replace(k, kind=kind, links=links, hop=k.hop | {u: u for u in failed})
    return replace(met, least=least(met))


def answers(url: int, size: int, *, oddities: bool) -> list[Answer]:
    """The answers of `url` in a site of `size` URLs; with oddities, also an error, and links and redirects to
    itself."""
    others = [u for u in range(size) if oddities or u != url]
    pages = [(AnswerKind.PAGE, targets) for n in range(len(others) + 1) for targets in combinations(others, n)]
    return pages + [(AnswerKind.REDIRECT, (u,)) for u in others] + [(AnswerKind.ERROR, ())] * oddities


def universe(size: int, *, oddities: bool = False) -> Iterator[Shape]:
    """Every site of `size` URLs; reachable or not, every URL counts."""
    return product(*(answers(url, size, oddities=oddities) for url in range(size)))


def renamings(size: int, roots: int) -> list[tuple[int, ...]]:
    """Every renaming of the roots among themselves and of the other URLs among themselves, but the identity."""
    pairs = product(permutations(range(roots)), permutations(range(roots, size)))
    return [names for a, b in pairs if (names := a + b) != tuple(range(size))]


def classes(size: int, roots: int, *, oddities: bool = False) -> Iterator[Shape]:
    """The least shape of every class of `universe` under renaming."""
    table = [
        (
            inverse(names),
            {a: renamed(a, names) for url in range(size) for a in answers(url, size, oddities=oddities)},
        )
        for names in renamings(size, roots)
    ]
    for shape in universe(size, oddities=oddities):
        if all(shape <= tuple(new[shape[old]] for old in back) for back, new in table):
            yield shape


def inverse(names: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(names.index(u) for u in range(len(names)))


def renamed(answer: Answer, names: tuple[int, ...]) -> Answer:
    return answer[0], tuple(sorted(names[u] for u in answer[1]))
