"""Tests on real sockets and on simulated ones; a test that is a coroutine function runs on its ground's loop."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator

import pytest

from .helpers import GROUNDS, Ground, ground_of


@pytest.fixture(params=GROUNDS)
def ground(request: pytest.FixtureRequest) -> Iterator[Ground]:
    with ground_of(request.param) as ground:
        yield ground


@pytest.fixture
def runs(ground: Ground) -> Callable[[Callable[[], Coroutine[None, None, None]]], None]:
    return lambda main: ground.loop.run_until_complete(main())
