"""Helpers of the tests of TLS: certificates of an authority of their own, and two ends of a connection.

Keys are fresh in every run, so the sizes of handshakes vary by some bytes: no test of TLS asserts a digest or a number
of loop iterations.  The module is apart from helpers.py because it needs trustme.
"""

import ssl
from datetime import UTC, datetime
from typing import Final

import trustme

from impl import Task
from impl.net import NetworkConditions
from impl.net.tls import TlsStream, default_context, tls_client, tls_server

from .helpers import World

AUTHORITY: Final = trustme.CA()


def server_context(*names: str, expired: bool = False) -> ssl.SSLContext:
    """For a server that has a certificate of ours for `names`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    until = datetime(2001, 1, 1, tzinfo=UTC) if expired else None
    AUTHORITY.issue_cert(*names, not_before=datetime(2000, 1, 1, tzinfo=UTC), not_after=until).configure_cert(context)
    return context


def client_context(version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> ssl.SSLContext:
    """The default context, for clients that trust our authority and speak up to `version`."""
    context = default_context()
    AUTHORITY.configure_trust(context)
    context.maximum_version = version
    return context


# --- Two ends of TLS on a `World` ---------------------------------------------------------------------------


VERSIONS: Final = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]
DATA: Final = bytes(range(256)) * 160  # more than two records
SOME: Final = DATA[:2000]
#: Less than a handshake needs, but half of it holds the tickets at its end, which `pair` does not read.
BUFFER: Final = 1500
ROUGH: Final = NetworkConditions(latency_ms_max=3, segments_max=3, buffer_bytes=BUFFER)

SERVER: Final = server_context("server")
CLIENT: Final = client_context()


async def shaken(
    world: World, client: ssl.SSLContext = CLIENT, server: ssl.SSLContext = SERVER, host: str = "server"
) -> tuple[Task[TlsStream], Task[TlsStream]]:
    """Handshakes, begun on a fresh connection: the client's and the server's."""
    near, far = await world.pair()
    return world.spawn(tls_client(near, host, client)), world.spawn(tls_server(far, server))


async def pair(world: World, client: ssl.SSLContext = CLIENT) -> tuple[TlsStream, TlsStream]:
    """Two ends of a connection, after the handshake."""
    ours, theirs = await shaken(world, client)
    return await ours, await theirs
