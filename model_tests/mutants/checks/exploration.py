"""Column exploration: all schedules of a small case are run, and one of them goes wrong.

For a primitive these are all orders of a few moves on two waiters (`small_scope.py`), for a frontier all schedules of
two workers on two small sites.
"""

from __future__ import annotations

from typing import Any, Final

from impl.web.site import Html, Moved, Site

from ...crawls.oracle import oracle
from ...refinement.machines.frontier import final_results
from ...scenes import SCENES
from ...small_scope import Scene, play
from ...small_scope import find as first_wrong
from ..mutant import Mutant

#: What was found, as JSON.
Found = dict[str, Any]
WAITERS: Final = 2
MOVES_MOST: Final = 5
#: The scenes of each primitive, by name.
SCENES_OF: Final[dict[str, tuple[str, ...]]] = {
    "Queue": ("Getters", "Putters", "Joined", "ShutGetters", "ShutPutters"),
    "Lock": ("Held",),
    "Semaphore": ("OneOfSemaphore", "TwoOfSemaphore"),
    "BoundedSemaphore": ("TwoOfBounded",),
    "Condition": ("Notified", "NotifiedSlowly"),
    "Event": ("Pulse",),
    "Barrier": ("Parties",),
}

R, A, B, C, D = (f"http://a.test/{name}" for name in "rabcd")
#: The smallest sites, with one root and with two, on which the first discovery of a URL must not fix its budget.
SITES: Final = {
    "one root": Site({R: Html((A, B)), A: Html((C,)), B: Moved(C), C: Moved(D)}, (R,), 1),
    "two roots": Site({A: Html((C,)), B: Moved(C), C: Moved(D)}, (A, B), 1),
}


def find(mutant: Mutant) -> Found | None:
    """The shortest order of moves of the first scene, or the site."""
    if mutant.replaces == "Frontier":
        sites = (site for site in SITES if wrong_results(mutant, site))
        return next(({"site": site} for site in sites), None)
    for scene in SCENES_OF.get(mutant.replaces, ()):
        found = first_wrong(scene_of(scene), mutant.names(), mutant.new_loop, WAITERS, MOVES_MOST)
        if found is not None:
            return {"scene": scene, "moves": list(found.steps)}
    return None


def again(mutant: Mutant, found: Found) -> bool:
    if mutant.replaces == "Frontier":
        return wrong_results(mutant, found["site"])
    scene = scene_of(found["scene"])(mutant.names(), WAITERS)
    return bool(play(scene, mutant.new_loop(), tuple(found["moves"])))


def scene_of(name: str) -> type[Scene]:
    return next(scene for scene in SCENES if scene.__name__ == name)


def wrong_results(mutant: Mutant, site: str) -> bool:
    """Whether some schedule has another result than the oracle."""
    return final_results(SITES[site], mutant.wrong) != [oracle(SITES[site])]
