"""The scope of a crawl: which URLs belong to the sites of its roots.

Theory of operation.  A pure predicate on canonical URLs.  It sees links, redirect targets and roots alike,
so that no redirect leads out of scope.  Hosts are compared; schemes and ports are not, as in the chapter's
crawler.  *Strict* takes a host that equals a root's but for a leading "www.".  *Lenient* takes a host that
was registered together with a root's: the label that somebody registered and the public suffix that it was
registered under (publicsuffix.org; the package `publicsuffixlist` carries the list).  The original took the
last two labels, so that all of "co.uk" was one site.  A suffix that no rule of the list names is one label
(its rule "*"), so there the last two labels it is.  An IP address, a host of a single label and a public
suffix itself belong to no family: each equals only itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

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
        self._family = _modulo_www if strict else _registered()
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


@cache
def _registered() -> Callable[[str], str]:
    """The family of a host, by the list of public suffixes; reading that takes some 50 ms, once."""
    from publicsuffixlist import PublicSuffixList  # here, because only a lenient scope needs it

    registered = PublicSuffixList().privatesuffix

    def family(host: str) -> str:
        host = host.removesuffix(".")  # RFC 1034, 3.1: the dot of an absolute name does not count
        return host if _NUMERIC.fullmatch(host) else registered(host) or host

    return family
