"""Which URLs belong to a crawl; the original crawler's host behaviours, with the defects of its lenient rule gone."""

from __future__ import annotations

import pytest

from impl.crawl.scope import Scope


def allowed(scope: Scope, *hosts: str) -> list[bool]:
    return [scope.allows(f"http://{host}/") for host in hosts]


def test_strict_takes_a_host_modulo_www() -> None:
    scope = Scope(("http://example.com/",))
    assert allowed(scope, "example.com", "www.example.com") == [True, True]
    assert allowed(scope, "foo.example.com", "example.org", "ample.com") == [False, False, False]


def test_strict_works_from_a_root_with_www_too() -> None:
    scope = Scope(("http://www.example.com/",))
    assert allowed(scope, "example.com", "www.example.com", "ww.example.com") == [True, True, False]


def test_lenient_takes_what_was_registered_together() -> None:
    scope = Scope(("http://www.example.com/",), strict=False)
    assert allowed(scope, "example.com", "foo.example.com", "a.b.example.com") == [True, True, True]
    assert allowed(scope, "example.org", "ample.com", "com") == [False, False, False]


def test_lenient_compares_labels_and_not_what_they_make_when_joined() -> None:
    """The original joined the labels with nothing between: ab.cde was abc.de."""
    scope = Scope(("http://ab.cde/",), strict=False)
    assert allowed(scope, "x.ab.cde", "x.abc.de", "abc.de") == [True, False, False]


def test_lenient_knows_public_suffixes() -> None:
    """To the original all of co.uk was one site, by its last two labels."""
    scope = Scope(("http://www.example.co.uk/", "http://me.github.io/"), strict=False)
    assert allowed(scope, "example.co.uk", "a.b.example.co.uk", "x.me.github.io") == [True, True, True]
    assert allowed(scope, "example2.co.uk", "co.uk", "you.github.io", "github.io") == [False] * 4


def test_a_public_suffix_is_a_site_of_its_own() -> None:
    assert allowed(Scope(("http://co.uk/",), strict=False), "co.uk", "example.co.uk") == [True, False]


def test_lenient_knows_international_suffixes() -> None:
    scope = Scope(("http://www.xn--85x722f.xn--55qx5d.cn/",), strict=False)  # the suffix is 公司.cn
    assert allowed(scope, "xn--85x722f.xn--55qx5d.cn", "xn--fiqs8s.xn--55qx5d.cn") == [True, False]


def test_the_dot_of_an_absolute_name_is_no_label() -> None:
    scope = Scope(("http://example.com./",), strict=False)
    assert allowed(scope, "www.example.com.", "www.example.com", "other.com.") == [True, True, False]


@pytest.mark.parametrize("strict", [True, False])
def test_addresses_and_single_labels_equal_only_themselves(strict: bool) -> None:
    scope = Scope(("http://127.0.0.1/", "http://localhost/", "http://[::1]/"), strict=strict)
    assert allowed(scope, "127.0.0.1", "localhost", "[::1]") == [True, True, True]
    assert allowed(scope, "126.0.0.1", "10.1.0.1", "a.localhost", "[::2]") == [False, False, False, False]


@pytest.mark.parametrize("strict", [True, False])
def test_several_roots_deep_roots_schemes_and_ports(strict: bool) -> None:
    """Hosts are compared, ports and schemes are not."""
    scope = Scope(("http://a.test/deep/down.html", "https://b.test:8000/"), strict=strict)
    urls = (
        "https://a.test/",
        "http://a.test:81/elsewhere",
        "http://b.test/",
        "http://c.test/?http://a.test/",
    )
    assert [scope.allows(url) for url in urls] == [True, True, True, False]


def test_exclude_is_searched_in_the_whole_url() -> None:
    scope = Scope(("http://a.test/",), exclude=r"/private/|\?")
    urls = ("http://a.test/", "http://a.test/private/x", "http://a.test/x?y", "http://a.test/private")
    assert [scope.allows(url) for url in urls] == [True, False, False, True]


def test_a_root_may_be_excluded() -> None:
    assert not Scope(("http://a.test/",), exclude="a[.]test").allows("http://a.test/")


def test_no_roots_no_scope() -> None:
    assert not Scope(()).allows("http://a.test/")


def test_a_bad_expression_is_one_clear_line() -> None:
    with pytest.raises(ValueError, match=r"^exclude is not a regular expression: '\(': .+$") as caught:
        Scope(("http://a.test/",), exclude="(")
    assert "\n" not in str(caught.value)


def test_a_root_that_is_not_canonical_is_refused() -> None:
    with pytest.raises(ValueError, match="not a canonical"):
        Scope(("http://A.test",))
