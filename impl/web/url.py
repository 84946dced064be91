"""URLs: one canonical string for each http(s) URL, as the WHATWG URL standard serialises it.

Everywhere else a URL is an opaque canonical string: equal strings are the same document.  The standard's parser
(`impl.web.whatwg`) determines the form: scheme and host in lower case, international names in ASCII (IDNA), default
port dropped, dot segments resolved, an empty path made "/", special characters escaped.  In addition a crawler drops
the fragment, which never reaches a server (RFC 9110, 4.2.5), all schemes but http and https, and the ports that
browsers block (fetch standard, "port blocking").  Userinfo is dropped, too: it is never sent (RFC 9110, 4.2.4), would
make many URLs of one document, and belongs in no report.
Other parts that the standard keeps are kept: an empty query ("/?"), the order of a query.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from .whatwg.parser import href

#: The ports that a canonical URL leaves out.
DEFAULT_PORTS: Final = {"http": 80, "https": 443}

# The ports that browsers block: other protocols listen there, and could take a request for one of their own.
# From tcpmux and echo over smtp, imap and nfs to sip, X11, irc and amanda.
_PORTS: Final = """
0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135
137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719
1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080
"""
_BLOCKED_PORTS: Final = frozenset(map(int, _PORTS.split()))

_PREFIXES: Final = ("http://", "https://")

# RFC 3986, 3.1, and a required "://": "localhost:8000" names a host and a port, not a scheme.
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)

# Scheme, authority (host, port), target of a canonical URL.
_PARTS: Final = re.compile(r"(https?)://(([^/@]*?)(?::(\d+))?)(/.*)")
_HOST: Final = re.compile(r"https?://([^/@]*?)(?::\d+)?/")
_USERINFO: Final = re.compile(r"(https?://)[^/]*@")
_PORT: Final = re.compile(r"https?://[^/]*:(\d+)/")

# A crawl splits a URL several times: to check the scope, to connect, to send the request.  And most links of a page
# are links of other pages, too.
_REMEMBERED: Final = 1 << 14


class Address(NamedTuple):
    """The parts of a canonical URL that a fetch needs."""

    scheme: str
    #: In the form for a resolver: an IPv6 address has no brackets.
    host: str
    port: int
    #: Path and query: the request target in origin form (RFC 9112, 3.2.1).
    target: str
    #: Host, and port unless it is the default one: the value of the Host header (RFC 9110, 7.2).
    authority: str


def origin(address: Address) -> str:
    """The scheme and the authority of a URL, as the begin of its text."""
    return f"{address.scheme}://{address.authority}"


def resolve(text: str, base: str | None = None) -> str | None:
    """Resolve `text` against `base` (any scheme, fragment kept); None if it is not a valid URL.

    The standard's parser drops white space around `text`, and tabs and line ends within.  A lone surrogate makes a
    text invalid, because no page and no header that was decoded holds one.
    """
    try:
        return href(text, base)
    except ValueError:
        return None


def canonical(text: str, base: str | None = None) -> str | None:
    """Resolve `text` against `base` to a canonical http(s) URL, without userinfo and fragment.

    None if it is malformed, relative without a base, of another scheme, or has a port that browsers block.
    """
    url = resolve(text, base)
    if url is None or not url.startswith(_PREFIXES):
        return None
    url = url.partition("#")[0]
    userinfo = _USERINFO.match(url) if "@" in url else None
    if userinfo is not None:
        url = userinfo[1] + url[userinfo.end() :]
    port = _PORT.match(url)
    return None if port is not None and int(port[1]) in _BLOCKED_PORTS else url


def linked(text: str, base: str) -> str | None:
    """`canonical`, of a link in a page; the pages of one folder share their resolved links.

    Of an http(s) `base`, a relative reference replaces all that follows the last "/" of the path, unless it is empty or
    begins with "?" or "#", white space apart (RFC 3986, 5.2.2).  One with a ":" may begin with a scheme, "http:?q".

    Parameters:
        base: as `resolve` returns it, of any scheme.
    """
    first = text[:1]
    if first <= " " or first in "?#" or ":" in text or not base.startswith(_PREFIXES):
        return canonical(text, base)
    return _linked(text, base[: base.rindex("/") + 1])


_linked: Final = lru_cache(maxsize=_REMEMBERED)(canonical)


def with_scheme(text: str) -> str:
    """Prefix `text`, a root as users type it, with "http://" if it names no scheme.

    "localhost:8000" is a host and a port here, although the standard would take "localhost" as its scheme.
    """
    text = text.strip()
    return text if _SCHEME.match(text) else f"http://{text}"


def host(url: str) -> str:
    """The host of a canonical URL, as `split` has it; a scope looks at the links of all pages, and at nothing else.

    Raises:
        ValueError: it is no http(s) URL with a host.
    """
    found = _HOST.match(url)
    if found is None:
        raise ValueError(f"not a canonical http(s) URL: {url!r}; pass it through canonical() first")
    return found[1].strip("[]")


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
