"""Tests on real sockets and on simulated ones: a test that is a coroutine function runs on its ground, or its world."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator

import pytest

from impl.net import IDEAL, Stream

from .helpers import GROUNDS, Ground, Place, World, ground_of


@pytest.fixture(params=GROUNDS)
def ground(request: pytest.FixtureRequest) -> Iterator[Ground]:
    with ground_of(request.param) as ground:
        yield ground


@pytest.fixture
def ends(ground: Ground) -> Iterator[tuple[Stream, Stream]]:
    """Two ends of a connection of the ground."""
    ends = ground.run(ground.pair())
    yield ends
    for end in ends:
        ground.run(end.aclose())


@pytest.fixture
def client(ends: tuple[Stream, Stream]) -> Stream:
    """The end that connected."""
    return ends[0]


@pytest.fixture
def server(ends: tuple[Stream, Stream]) -> Stream:
    """The accepted end."""
    return ends[1]


@pytest.fixture
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """A world of the conditions that are its parameter; without one, ideal ones."""
    made = World(getattr(request, "param", IDEAL))
    yield made
    made.loop.close()


@pytest.fixture
def runs(request: pytest.FixtureRequest) -> Callable[[Callable[[], Coroutine[None, None, None]]], None]:
    place: Place = request.getfixturevalue("world" if "world" in request.fixturenames else "ground")
    return lambda main: place.run(main())
