"""ProxiedNet: a network on which every name and every port lead to one proxy, which looks names up itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from .conn import Address, Conn, Listener, Net, PendingRequest

T = TypeVar("T")


class ProxyDownError(OSError):
    """The proxy has no address, or no connection to it can be made."""


class ProxiedNet:
    """`net`, with the proxy at `host` and `port` in the place of all others; `Net` has the methods.

    The errors of resolve and connect are those of the proxy: each is a ProxyDownError.
    """

    def __init__(self, net: Net, host: str, port: int) -> None:
        self._net = net
        self._host = host
        self._port = port

    def resolve(self, host: str, done: Callable[[tuple[str, ...] | OSError], None], /) -> PendingRequest:
        return self._net.resolve(self._host, partial(self._answer, done))

    def connect(self, address: Address, done: Callable[[Conn | OSError], None], /) -> PendingRequest:
        return self._net.connect((address[0], self._port), partial(self._answer, done))

    def listen(self, address: Address, backlog: int = 100, /) -> Listener:
        return self._net.listen(address, backlog)

    def _answer(self, done: Callable[[T | OSError], None], answer: T | OSError) -> None:
        if isinstance(answer, OSError):
            answer = ProxyDownError(answer.errno, f"the proxy {self._host}:{self._port}: {answer.strerror}")
        done(answer)
