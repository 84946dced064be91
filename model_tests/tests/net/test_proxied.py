"""A network on which all leads to a proxy."""

from __future__ import annotations

import pytest

from impl.net import Conn, Net
from impl.net.proxied import ProxiedNet, ProxyDownError
from impl.web.interpret import failure

from .helpers import ask, network


def test_every_name_and_port_lead_to_the_proxy() -> None:
    clock, net = network()
    listener = net.listen(("server", 3128))
    [conn] = ask(clock, ProxiedNet(net, "server", 3128), "unknown.test", 443)

    assert conn.remote == listener.address


@pytest.mark.parametrize("host", ["server", "unknown.test", "10.9.9.9"])
def test_its_errors_are_the_proxys(host: str) -> None:
    """Nothing listens there, the name does not exist, no host has the address."""
    clock, net = network()
    found: list[tuple[str, ...] | Conn | OSError] = []
    through: Net = ProxiedNet(net, host, 3128)
    through.resolve("a.test", found.append)
    clock.run()
    [answer] = found
    if isinstance(answer, tuple):
        through.connect((answer[0], 443), found.append)
        clock.run()
    error = found[-1]
    assert isinstance(error, ProxyDownError)
    assert f"the proxy {host}:3128" in str(error)
    assert failure(error).error == "proxy-down"
