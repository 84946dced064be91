"""Two ends of TLS on a `World`, for the laws of TLS streams."""

from __future__ import annotations

import ssl
from typing import Final

from impl import Task
from impl.net import Weather
from impl.net.tls import TlsStream, tls_client, tls_server

from .certificates import client_context, server_context
from .net_world import World

VERSIONS: Final = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]
DATA: Final = bytes(range(256)) * 160  # more than two records
SOME: Final = DATA[:2000]
ROUGH: Final = Weather(latency_ms_max=3, segments_max=3, buffer_bytes=900)

SERVER: Final = server_context("server")
CLIENT: Final = client_context()


def shaken(
    world: World, client: ssl.SSLContext = CLIENT, server: ssl.SSLContext = SERVER, host: str = "server"
) -> tuple[Task[TlsStream], Task[TlsStream]]:
    """Start the handshakes of a fresh connection: the client's and the server's."""
    near, far = world.pair()
    return world.spawn(tls_client(near, host, client)), world.spawn(tls_server(far, server))


def pair(world: World, client: ssl.SSLContext = CLIENT) -> tuple[TlsStream, TlsStream]:
    """Return two ends of a connection, after the handshake."""
    tasks = shaken(world, client)
    ours, theirs = (world.loop.run_until_complete(task) for task in tasks)
    return ours, theirs
