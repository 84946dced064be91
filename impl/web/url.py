"""URLs: one canonical string for each http(s) URL, as the WHATWG URL standard serialises it.

Theory of operation.  Everywhere else a URL is an opaque canonical string: equal strings are the same
document.  The standard's parser (ada-url) gives the form: scheme and host in lower case, international names
in ASCII (IDNA), default port dropped, dot segments resolved, an empty path made "/", what must be escaped
escaped.  On top of that a crawler drops the fragment, which never reaches a server (RFC 9110, 4.2.5), and all
schemes but http and https.  What the standard keeps is kept: an empty query ("/?"), the order of a query, and
userinfo, which is part of the URL's identity but is never sent (RFC 9110, 4.2.4).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from ada_url import join_url, normalize_url

#: The ports that a canonical URL leaves out.
DEFAULT_PORTS: Final = {"http": 80, "https": 443}

_PREFIXES: Final = ("http://", "https://")

# RFC 3986, 3.1, and the "://" by which a person means a scheme: "localhost:8000" names a host and a port.
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)

# Scheme, userinfo (left out), authority (host, port), target of a canonical URL.
_PARTS: Final = re.compile(r"(https?)://(?:[^/]*@)?(([^/]*?)(?::(\d+))?)(/.*)")

# A crawl asks for the parts of a URL again and again: to decide whether it may, to connect, to ask.
_REMEMBERED: Final = 1 << 14


class Address(NamedTuple):
    """Where a canonical URL is fetched from, and by which words."""

    scheme: str
    #: As a resolver wants it: an IPv6 address has no brackets.
    host: str
    port: int
    #: Path and query: the request target in origin form (RFC 9112, 3.2.1).
    target: str
    #: Host, and port unless it is the default one: the value of the Host header (RFC 9110, 7.2).
    authority: str


def resolve(text: str, base: str | None = None) -> str | None:
    """The URL that `text` means, seen from `base` (any scheme, fragment kept); None if it means none.

    White space around `text`, and tabs and line ends within, do not count (the standard's parser drops them).
    """
    try:
        return normalize_url(text) if base is None else join_url(base, text)
    except ValueError:
        return None


def canonical(text: str, base: str | None = None) -> str | None:
    """The canonical http(s) URL that `text` means, seen from `base`, without its fragment.

    None if it is malformed, relative without a base, or of another scheme.
    """
    url = resolve(text, base)
    if url is None or not url.startswith(_PREFIXES):
        return None
    return url.partition("#")[0]


def with_scheme(text: str) -> str:
    """`text` with "http://" before it if it names no scheme: how people type the root of a crawl.

    "localhost:8000" is a host and a port here, though for the standard its scheme would be "localhost".
    """
    text = text.strip()
    return text if _SCHEME.match(text) else f"http://{text}"


@lru_cache(maxsize=_REMEMBERED)
def split(url: str) -> Address:
    """The parts of a canonical URL.

    Raises:
        ValueError: `url` is not canonical.
    """
    parts = _PARTS.fullmatch(url)
    if parts is None or canonical(url) != url:
        raise ValueError(f"not a canonical http(s) URL: {url!r}; pass it through canonical() first")
    scheme, authority, host, port, target = parts.groups()
    return Address(scheme, host.strip("[]"), int(port or DEFAULT_PORTS[scheme]), target, authority)
