"""The server of the crawls on real sockets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ...crawls.server import Server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running
