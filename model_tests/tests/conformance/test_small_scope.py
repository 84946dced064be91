"""Every order of hand-over, cancel, arrival and turn on two and three waiters; the wrong classes that it must catch."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest

import impl

from ...mutants.caught import Found
from ...mutants.checks import exploration
from ...mutants.mutant import Mutant
from ...scenes import SCENES, Notified, NotifiedSlowly, Parties, ShutGetters, ShutPutters
from ...small_scope import Scene, find, runs
from ..mutants.caught_by import caught_by

SCENE = pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)


def test_how_many_orders_there_are() -> None:
    """Pinned, so that none is left out unseen."""
    assert sum(1 for _ in runs(2, 5)) == 1431
    assert sum(1 for _ in runs(3, 4)) == 779
    assert len(set(runs(2, 5))) == 1431


@SCENE
@pytest.mark.parametrize("waiters", [2, 3])
def test_nothing_goes_wrong(scene: Callable[[Any, int], Scene], waiters: int, full: bool) -> None:
    assert find(scene, impl, impl.Loop, waiters, 7 - waiters + full) is None


@caught_by("exploration", *exploration.SCENES_OF)
def test_it_catches_what_is_wrong(mutant: Mutant, found: Found, caplog: pytest.LogCaptureFixture) -> None:
    assert exploration.again(mutant, found)
    caplog.clear()  # the loop reports waiters that end with an error


#: What asyncio gets wrong: the scene, the first version that does not (None: none known).
ASYNCIO_BUGS = {Notified: (3, 13), NotifiedSlowly: (3, 13), Parties: None}  # gh-112202, gh-155233


@SCENE
def test_asyncio_has_just_its_known_bugs(scene: type[Scene]) -> None:
    if scene in (ShutGetters, ShutPutters) and not hasattr(asyncio, "QueueShutDown"):
        pytest.skip("Queue.shutdown is new in 3.13")
    mended = ASYNCIO_BUGS.get(scene, (3, 0))
    found = find(scene, asyncio, asyncio.new_event_loop, 2, 4)
    assert (found is None) == (mended is not None and sys.version_info >= mended), found
