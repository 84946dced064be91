"""`loopspec compare`: the same crawls on impl, asyncio, aiohttp, trio and an oracle, which must agree.

Sites are drawn from consecutive seeds, so the seed of a site that differs reproduces it.  Every runtime crawls them on
the simulated network, with the same choices (defined in simulated_runtime.py), in virtual time.  The first ones are
crawled on real sockets too, from one server on loopback, in real time.  The oracle computes the result without a
crawl.  Two differences are shown in full: the gravest of a site with one root, and the gravest of a site with several.
Each is shown on the smallest site that still has it; the others are counted.  A directory is not shrunk: there the
URLs that differ are shown.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from impl.commands.options import Number, Parser, UsageError
from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.sim.choices import Choices
from impl.web.serving.directory import directory_site
from impl.web.serving.faults import FAULTS
from impl.web.serving.site import AttemptFault, Site

from . import aiohttp_runtime, asyncio_runtime, impl_runtime, simulated_runtime, trio_runtime
from .comparison import Comparison, CrawlRuntime, ResultDifference, compare, differences, smallest
from .oracle import OURS, ClientTraits, is_timed
from .server import TIMEOUT_S, Dial, Server
from .show import records_that_differ, resources
from .sites import draw, with_faults

_SITES: Final = 60
_SITES_MAX: Final = 1_000_000
#: The default for the number of sites that are crawled on real sockets too.
_REAL_SITES: Final = 300
#: The time limit of a try, in seconds, on real sockets, where faults wait for it.
_SHORT_S: Final = 0.5
_SEED_MAX: Final = 2**64 - 1

#: A function that pumps the frontier until nothing is left: it dials by its third argument, and the last one is the
#: time limit of a try, in seconds.
CrawlReal = Callable[[CrawlConfig, Frontier, Dial, float], object]

#: The runtimes on the simulated network; they need no server.
IMPL: Final = CrawlRuntime("impl", simulated_runtime.by_impl, conditions=8, shrink_attempts=12)
SIMULATED: Final = (
    IMPL,
    CrawlRuntime("asyncio", simulated_runtime.by_asyncio, conditions=4, shrink_attempts=12),
    CrawlRuntime(
        "aiohttp",
        simulated_runtime.by_aiohttp,
        conditions=4,
        shrink_attempts=12,
        client=aiohttp_runtime.CLIENT,
    ),
    CrawlRuntime("trio", simulated_runtime.by_trio, conditions=4, shrink_attempts=12),
)
#: A line of progress is printed after so many sites.
_EVERY: Final = 50


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status: 0, 1 when a runtime differs from the oracle, 2 for bad usage."""
    try:
        options = _parser().parse_args(argv)
        site = _directory(options)
        sites, real_sites = _how_many(options)
    except UsageError as error:
        print(f"loopspec compare: {error}", file=sys.stderr)
        return 2
    with Server() as server:
        if site is None:
            total = _drawn(options.seed or 0, sites, real_sites, runtimes(server), options.faulty)
            for difference in _gravest(total.differences):
                print("\n".join(_explained(difference, runtimes(server))), flush=True)
        else:
            total = compare([site], runtimes(server))
            for difference in total.differences:
                print("\n".join(records_that_differ(difference)))
    print(total)
    if options.faulty:
        print("\n".join(_struck(total.struck)))
    return 1 if total.differences else 0


def _parser() -> Parser:
    parser = Parser(
        "loopspec compare",
        "Run the same crawls on impl, asyncio, aiohttp, trio and an oracle, and compare the results.",
    )
    add = parser.add_argument
    add("--sites", type=Number(1, _SITES_MAX), metavar="N", help=f"random sites ({_SITES})")
    add(
        "--real-sites",
        type=Number(0, _SITES_MAX),
        metavar="N",
        help=f"the first so many of them on real sockets too (all, {_REAL_SITES} at most)",
    )
    add("--seed", type=Number(0, _SEED_MAX), metavar="N", help="seed of the first site (0)")
    add("--faulty", action="store_true", help="attempts at the URLs of random sites meet faults")
    add("--site", metavar="DIR", help="crawl this directory, from its index.html, instead")
    parser.exclude("site", ("sites", "real_sites", "seed", "faulty"), "--site draws no random sites")
    return parser


def _directory(options: argparse.Namespace) -> Site | None:
    if options.site is None:
        return None
    try:
        return directory_site(options.site)
    except (OSError, ValueError) as error:
        raise UsageError(f"--site: {error}") from None


def _how_many(options: argparse.Namespace) -> tuple[int, int]:
    """Return how many random sites to crawl, and how many of them on real sockets too."""
    sites = options.sites or _SITES
    if options.real_sites is None:
        return sites, min(sites, _REAL_SITES)
    if options.real_sites > sites:
        raise UsageError(f"--real-sites: {options.real_sites} of {sites} sites; at most all, see --sites")
    return sites, options.real_sites


def runtimes(server: Server) -> tuple[CrawlRuntime, ...]:
    """Return all runtimes: those on the simulated network, and those that talk to `server`."""
    return (*SIMULATED, *real_arms(server))


def real_arms(server: Server) -> tuple[CrawlRuntime, ...]:
    """Return the runtimes on real sockets; `server` pauses only under even conditions.

    A site with a fault that waits for the time limit is crawled with a short one, at a pace that is as much faster.
    """

    def real(name: str, crawl: CrawlReal, client: ClientTraits = OURS, faulty: CrawlReal | None = None) -> CrawlRuntime:
        def crawl_site(site: Site, plan: CrawlConfig, frontier: Frontier, number: int) -> None:
            by = faulty or crawl if site.faults else crawl
            if is_timed(site):
                by(plan, frontier, server.dial(site, pace=_SHORT_S / TIMEOUT_S), _SHORT_S)
            else:
                by(plan, frontier, server.dial(site, pace=1 - number % 2), TIMEOUT_S)

        return CrawlRuntime(name, crawl_site, conditions=2, shrink_attempts=6, client=client, real=True)

    return (
        real("impl-real", impl_runtime.crawl),
        real("asyncio-real", asyncio_runtime.crawl),
        real(
            "aiohttp-real",
            aiohttp_runtime.crawl,
            aiohttp_runtime.CLIENT,
            partial(aiohttp_runtime.crawl, keep_alive=False),
        ),
        real("trio-real", trio_runtime.crawl),
    )


def drawn(seed: int, faults: bool = False) -> Site:
    """Return the random site of that seed; `faults`: with faults of attempts, on the same site."""
    choices = Choices.seeded(seed)
    site = draw(choices.program)
    return with_faults(choices.faults, site) if faults else site


def _drawn(first: int, count: int, real_count: int, all_arms: Sequence[CrawlRuntime], faults: bool) -> Comparison:
    total = Comparison()
    for seed in range(first, first + count):
        real = seed < first + real_count
        came = compare([drawn(seed, faults)], [runtime for runtime in all_arms if real or not runtime.real])
        total.add(came)
        if came.differences:
            runs = f"{len(came.differences)} of {came.runs} runs differ"
            print(
                f"the site of seed {seed}: {runs}; alone: --seed {seed} --sites 1{' --faulty' * faults}",
                flush=True,
            )
        if total.sites % _EVERY == 0 and total.sites < count:
            print(f"{total} so far", flush=True)
    return total


def _struck(struck: Counter[AttemptFault]) -> Iterator[str]:
    """Yield how often each fault struck, those that never did included."""
    width = max(map(len, FAULTS))
    yield f"faults struck: {struck.total():,}"
    yield from (f"  {fault:<{width}} {struck[fault]:>9,}" for fault in sorted(FAULTS))


def _gravest(found: Sequence[ResultDifference]) -> Iterator[ResultDifference]:
    """Return the gravest difference of a site with one root, and of one with several; the first among equals."""
    for several in (False, True):
        same = [difference for difference in found if (len(difference.site.roots) > 1) is several]
        if same:
            yield max(same, key=ResultDifference.kind)


def _explained(difference: ResultDifference, all_arms: Sequence[CrawlRuntime]) -> Iterator[str]:
    """Yield the difference as found, then shrunk, with the result of every runtime there."""
    yield ""
    yield from records_that_differ(difference)
    least = smallest(difference)
    yield "the smallest site that shows it:"
    yield from (f"  {line}" for line in resources(least.site))
    yield from records_that_differ(least)
    for runtime in all_arms:
        wrong = sum(1 for _ in differences(least.site, runtime, range(runtime.shrink_attempts)))
        yield f"there {runtime.name} differs from the oracle in {wrong} of {runtime.shrink_attempts} runs"
