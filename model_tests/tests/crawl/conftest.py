"""The fixtures that several tests of the crawl share."""

from __future__ import annotations

import os

import pytest


@pytest.fixture
def no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust no certificate: loading those of the system takes longer than a small crawl."""
    monkeypatch.setenv("SSL_CERT_FILE", os.devnull)
    monkeypatch.setenv("SSL_CERT_DIR", os.devnull)
