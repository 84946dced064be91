"""The scope of a crawl: which URLs belong to the sites of its roots.

Theory of operation.  A pure predicate on canonical URLs.  It sees links, redirect targets and roots alike, so that
no redirect leads out of scope.  Hosts are compared, ports are not, as in the chapter's crawler.  *Strict* takes a
host that equals a root's but for a leading "www.".  *Lenient* takes a host whose last two labels are those of a root:
labels, not the text they make when joined, so `ab.cde` is not `x.abc.de`.  A numeric host, and one of a single label,
belongs to no family: it equals only itself.
"""

from __future__ import annotations

import re

from ..web.url import split

_NUMERIC = re.compile(r"[\d.]+|\[.*\]")  # canonical IPv4 and IPv6: a WHATWG host that ends in a number is an address


class Scope:
    """The sites of `roots`, without what `exclude` finds."""

    def __init__(self, roots: tuple[str, ...], exclude: str | None = None, strict: bool = True) -> None:
        """`roots`: canonical URLs; `exclude`: a regular expression, searched in the whole URL.

        Raises:
            ValueError: `exclude` is no regular expression.
        """
        try:
            self._exclude = None if exclude is None else re.compile(exclude)
        except re.error as error:
            raise ValueError(f"exclude is not a regular expression: {exclude!r}: {error}") from None
        self._family = _modulo_www if strict else _last_two_labels
        self._families = frozenset(self._family(split(root).host) for root in roots)

    def allows(self, url: str) -> bool:
        """Whether the canonical `url` is to be fetched."""
        address = split(url)
        if address.scheme not in ("http", "https") or self._family(address.host) not in self._families:
            return False
        return self._exclude is None or self._exclude.search(url) is None


def _modulo_www(host: str) -> str:
    bare = host.removeprefix("www.")
    return host if _NUMERIC.fullmatch(bare) else bare


def _last_two_labels(host: str) -> str:
    """The family of a host: its last two labels (of RFC 1034's absolute form too), or all of it."""
    if _NUMERIC.fullmatch(host):
        return host
    return ".".join(host.removesuffix(".").split(".")[-2:])
