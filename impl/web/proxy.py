"""Proxies: which one leads to a URL, by its own URL or by the environment.  No I/O.

1.  A proxy is named by an http:// URL.  User name and password in it are its credentials, which `Client` sends to the
    proxy only; no error and no representation contains them.
2.  The environment is read as the standard library does (`urllib.request`): http_proxy, https_proxy, all_proxy and
    no_proxy, in lower or upper case.  HTTP_PROXY does not count in a CGI program, where a client could set it.

Source: RFC 9110, 3.7 and 11.7; RFC 7617 (Basic).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote_to_bytes, urlsplit

from .url import Address, resolve, with_scheme

_PORT: Final = 80
_SCHEMES: Final = ("http", "https")


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy; `authorization` is the value of Proxy-Authorization, None if it needs none."""

    host: str
    port: int
    authorization: str | None = field(default=None, repr=False)


#: Returns the proxy that leads to an address; None: the way is direct.  A worker in another process can be sent it.
Choose = Callable[[Address], Proxy | None]


@dataclass(frozen=True, slots=True)
class Always:
    """The choice of one proxy for all addresses."""

    proxy: Proxy

    def __call__(self, address: Address) -> Proxy:
        return self.proxy


@dataclass(frozen=True, slots=True)
class _Environment:
    """The choice by scheme; `found` has the variables; no_proxy among them names the hosts without one."""

    proxies: Mapping[str, Proxy]
    found: Mapping[str, str]

    def __call__(self, address: Address) -> Proxy | None:
        from urllib import request  # here, because few crawls need it

        # typeshed does not have it.
        bypass: Callable[[str, Mapping[str, str]], bool] = request.proxy_bypass_environment  # type: ignore[attr-defined]
        proxy = self.proxies.get(address.scheme)
        return None if proxy is None or bypass(address.authority, self.found) else proxy


def proxy_of(text: str) -> Proxy:
    """The proxy that a URL names; without a scheme it is http, without a port 80.

    Raises:
        ValueError: it is no such URL; the message does not contain it, because it may hold a password.
    """
    url = resolve(with_scheme(text)) if text.strip() else None
    if url is None:
        raise ValueError("a proxy is named by a URL, http://HOST:PORT")
    parts = urlsplit(url)
    if parts.scheme != "http":
        raise ValueError(f"only http:// proxies are supported, not {parts.scheme}://")
    if parts.path not in ("", "/") or parts.query or parts.fragment or not parts.hostname:
        raise ValueError("the URL of a proxy has a host and a port, and nothing after them")
    return Proxy(parts.hostname, parts.port or _PORT, _basic(parts.username, parts.password))


def environment() -> Choose:
    """The choice that the environment makes, as it is now.

    Raises:
        ValueError: a variable names no proxy that can be used; the message has the name of the variable only.
    """
    from urllib import request  # here, because few crawls need it

    found = request.getproxies_environment()
    proxies: dict[str, Proxy] = {}
    for scheme in _SCHEMES:
        name = scheme if scheme in found else "all"
        if name in found:
            try:
                proxies[scheme] = proxy_of(found[name])
            except ValueError as error:
                raise ValueError(f"{name}_proxy: {error}") from None

    return _Environment(proxies, found)


def _basic(name: str | None, password: str | None) -> str | None:
    if name is None and password is None:
        return None
    pair = b":".join(unquote_to_bytes(part or "") for part in (name, password))
    return f"Basic {b64encode(pair).decode()}"
