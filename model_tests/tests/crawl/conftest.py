"""The fixtures that several tests of the crawl share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from multiprocessing import resource_tracker

import pytest

from ...crawls.server import Server
from ..fixtures import Captured
from ..net.helpers import no_descriptor_more
from .helpers import RealSite


@pytest.fixture
def no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust no certificate: loading those of the system takes longer than a small crawl."""
    monkeypatch.setenv("SSL_CERT_FILE", os.devnull)
    monkeypatch.setenv("SSL_CERT_DIR", os.devnull)


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch, full: bool) -> None:
    """In the short form, a crawl starts no second process: that takes longer, too."""
    if not full:
        monkeypatch.setattr("impl.crawl.real.processors", lambda: 1)


@pytest.fixture
def no_descriptor_is_left() -> Iterator[None]:
    resource_tracker.ensure_running()  # the first process that a test spawns would start it, and it stays
    with no_descriptor_more():
        yield


@pytest.fixture
def web(capsys: Captured, no_certificates: None, one_process: None) -> Iterator[RealSite]:
    with Server() as server:
        yield RealSite(server, capsys)
