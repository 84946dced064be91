"""Certificates for tests, made in memory by a private authority; keys are fresh, so handshake sizes vary from run to
run.
"""

from __future__ import annotations

import ssl
from datetime import UTC, datetime
from typing import Final

import trustme

from impl.net.tls import default_context

AUTHORITY: Final = trustme.CA()


def server_context(*names: str, expired: bool = False) -> ssl.SSLContext:
    """Return the context of a server that has a certificate of ours for `names`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    until = datetime(2001, 1, 1, tzinfo=UTC) if expired else None
    AUTHORITY.issue_cert(*names, not_before=datetime(2000, 1, 1, tzinfo=UTC), not_after=until).configure_cert(
        context
    )
    return context


def client_context(version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> ssl.SSLContext:
    """Return the default context of clients that trust our authority and support TLS up to `version`."""
    context = default_context()
    AUTHORITY.configure_trust(context)
    context.maximum_version = version
    return context
