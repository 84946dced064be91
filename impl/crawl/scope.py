"""The scope of a crawl: which URLs belong to the sites of its roots.

Theory of operation.  A pure predicate on canonical URLs.  It sees links, redirect targets and roots alike,
so that no redirect leads out of scope.  Hosts are compared; schemes and ports are not, as in the chapter's
crawler.  *Strict* takes a host that equals a root's but for a leading "www.".  *Lenient* takes a host whose
last two labels are those of a root: labels, not the text they make when joined, so `ab.cde` is not
`x.abc.de`.  An IP address, and a host of a single label, belongs to no family: it equals only itself.
"""

from __future__ import annotations

import re

from ..web.url import split

# IPv4 in canonical form; an IPv6 address has no dots, so it is a single label.
_NUMERIC = re.compile(r"[\d.]+")


class Scope:
    """The sites of `roots`, without what `exclude` finds."""

    def __init__(self, roots: tuple[str, ...], exclude: str | None = None, strict: bool = True) -> None:
        """`roots`: canonical URLs; `exclude`: a regular expression, searched in the whole URL.

        Raises:
            ValueError: `exclude` is no regular expression, or a root is not canonical.
        """
        try:
            self._exclude = None if exclude is None else re.compile(exclude)
        except re.error as error:
            raise ValueError(f"exclude is not a regular expression: {exclude!r}: {error}") from None
        self._family = _modulo_www if strict else _last_two_labels
        self._families = frozenset(self._family(split(root).host) for root in roots)

    def allows(self, url: str) -> bool:
        """Whether `url` is to be fetched.

        Raises:
            ValueError: it is not canonical.
        """
        if self._family(split(url).host) not in self._families:
            return False
        return self._exclude is None or self._exclude.search(url) is None


def _modulo_www(host: str) -> str:
    return host.removeprefix("www.")


def _last_two_labels(host: str) -> str:
    """The family of a host; a dot at its end (RFC 1034, 3.1: an absolute name) does not count."""
    if _NUMERIC.fullmatch(host):
        return host
    return ".".join(host.removesuffix(".").split(".")[-2:])
