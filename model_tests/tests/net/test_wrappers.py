"""The wrappers of a network: names lead to public addresses only, or all leads to a proxy.

Of the first: every special range, embedded addresses, mixed answers, and rebinding.
"""

from collections.abc import Callable

import pytest

from impl.net import Conn, Net
from impl.net.conn import PendingRequest
from impl.net.simulated.network import SimulatedNet
from impl.net.wrappers import PrivateAddressError, ProxiedNet, ProxyDownError, PublicNet, is_local, is_public
from impl.web.interpret import failure

from .helpers import ask, network

PRIVATE = (
    *("0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.9.9.9", "169.254.169.254", "172.16.0.1"),
    *("192.0.0.1", "192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "fc00::1", "fd12::1", "fe80::1", "fe80::1%1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "64:ff9b::a00:1"),
    # Teredo: the client's address is the complement of the last 32 bits
    "2001:0:808:808::80ff:fffe",
)
PUBLIC = ("8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808")


class Names(SimulatedNet):
    """A network on which each look-up of a name gives the next answer."""

    def __init__(self, *answers: tuple[str, ...]) -> None:
        self._answers = iter(answers)

    def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> PendingRequest:
        done(next(self._answers))
        return self

    def cancel(self) -> None:
        """The answer has come."""


def resolved(net: PublicNet, host: str = "a.test") -> tuple[str, ...] | OSError:
    found: list[tuple[str, ...] | OSError] = []
    net.resolve(host, found.append)
    [answer] = found
    return answer


@pytest.mark.parametrize("address", [*PRIVATE, *PUBLIC])
def test_an_address_is_public_or_private(address: str) -> None:
    public = address in PUBLIC
    assert (is_public(address), is_local(address)) == (public, not public)
    answer = resolved(PublicNet(Names((address,))))
    if public:
        assert answer == (address,)
    else:
        assert isinstance(answer, PrivateAddressError)
        assert failure(answer).error == "private"


def test_of_several_addresses_the_public_ones_remain() -> None:
    assert resolved(PublicNet(Names(("127.0.0.1", "8.8.8.8", "::1", "1.1.1.1")))) == ("8.8.8.8", "1.1.1.1")


def test_a_name_that_changes_is_looked_at_each_time() -> None:
    net = PublicNet(Names(("8.8.8.8",), ("127.0.0.1",)))
    assert resolved(net) == ("8.8.8.8",)
    assert isinstance(resolved(net), PrivateAddressError)


def test_a_trusted_name_may_be_private() -> None:
    net = PublicNet(Names(("10.0.0.1",), ("10.0.0.1",)), ["intranet"])
    assert resolved(net, "intranet") == ("10.0.0.1",)
    assert isinstance(resolved(net), PrivateAddressError)


def test_a_name_of_the_loopback_interface_is_local() -> None:
    names = ("localhost", "a.localhost", "localhost.", "a.localhost.", "localhost.test", "a.test", "a.test.")
    assert [name for name in names if is_local(name)] == [*names[:4]]


# --- all leads to a proxy ---


def test_every_name_and_port_lead_to_the_proxy() -> None:
    clock, net = network()
    listener = net.listen(("server", 3128))
    [conn] = ask(clock, ProxiedNet(net, "server", 3128), "unknown.test", 443)

    assert conn.remote == listener.address


@pytest.mark.parametrize("host", ["server", "unknown.test", "10.9.9.9"])
def test_the_errors_are_those_of_the_proxy(host: str) -> None:
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
