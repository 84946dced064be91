"""Column exploration: all schedules of a small case are run, and one of them goes wrong.

These are all schedules of a crawl by two workers on two small sites, for a frontier.  All interleavings of a few moves
on the waiters of a primitive belong to the conformance kit.
"""

from typing import Any, Final

from impl.web.serving.site import Html, Moved, Site

from ...crawls.oracle import oracle
from ...refinement.machines.crawl import final_results
from ..mutant import Mutant

#: A finding, as JSON.
Found = dict[str, Any]

R, A, B, C, D = (f"http://a.test/{name}" for name in "rabcd")
#: The smallest sites, with one root and with two, on which the first discovery of a URL must not fix its budget.
SITES: Final = {
    "one root": Site({R: Html((A, B)), A: Html((C,)), B: Moved(C), C: Moved(D)}, (R,), 1),
    "two roots": Site({A: Html((C,)), B: Moved(C), C: Moved(D)}, (A, B), 1),
}


def find(mutant: Mutant) -> Found | None:
    """The first site on which some schedule has another result than the oracle."""
    found = ({"site": site} for site in SITES)
    return next((site for site in found if again(mutant, site)), None)


def again(mutant: Mutant, found: Found) -> bool:
    if mutant.replaces != "Frontier":
        return False
    site = SITES[found["site"]]
    return final_results(site, mutant.wrong) != [oracle(site)]
