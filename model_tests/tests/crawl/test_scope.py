"""Which URLs belong to a crawl; the original crawler's host behaviours, with the defects of its lenient rule gone."""

import pytest

from impl.crawl.scope import Scope


def allowed(scope: Scope, *hosts: str) -> list[bool]:
    return [scope.allows(f"http://{host}/") for host in hosts]


@pytest.mark.parametrize(
    ("root", "strict", "inside", "outside"),
    [
        ("example.com", True, "example.com www.example.com", "foo.example.com example.org ample.com"),
        ("www.example.com", True, "example.com www.example.com", "ww.example.com"),
        ("www.example.com", False, "example.com a.b.example.com", "example.org ample.com com"),
        # The original joined the labels with nothing between: ab.cde was abc.de.
        ("ab.cde", False, "x.ab.cde", "x.abc.de abc.de"),
        # To the original all of co.uk was one site, by its last two labels.
        ("www.example.co.uk", False, "example.co.uk a.b.example.co.uk", "example2.co.uk co.uk"),
        ("me.github.io", False, "x.me.github.io", "you.github.io github.io"),
        ("co.uk", False, "co.uk", "example.co.uk"),  # a public suffix is a site of its own
        (
            "www.xn--85x722f.xn--55qx5d.cn",
            False,
            "xn--85x722f.xn--55qx5d.cn",
            "xn--fiqs8s.xn--55qx5d.cn",
        ),  # 公司.cn
        # The dot of an absolute name is no label.
        ("example.com.", False, "www.example.com. www.example.com", "other.com."),
    ],
)
def test_a_root_takes_the_hosts_of_its_site(root: str, strict: bool, inside: str, outside: str) -> None:
    """Strict: the same host, with or without www.; lenient: all hosts that were registered together."""
    scope = Scope((f"http://{root}/",), strict=strict)
    assert {*allowed(scope, *inside.split())} == {True}
    assert {*allowed(scope, *outside.split())} == {False}


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
        *("https://a.test/", "http://a.test:81/elsewhere", "http://b.test/"),
        "http://c.test/?http://a.test/",
    )
    assert [scope.allows(url) for url in urls] == [True, True, True, False]


def test_exclude_is_searched_in_the_whole_url() -> None:
    scope = Scope(("http://a.test/",), exclude=r"/private/|\?")
    urls = ("http://a.test/", "http://a.test/private/x", "http://a.test/x?y", "http://a.test/private")
    assert [scope.allows(url) for url in urls] == [True, False, False, True]


def test_a_root_may_be_excluded_or_missing() -> None:
    assert not Scope(("http://a.test/",), exclude="a[.]test").allows("http://a.test/")
    assert not Scope(()).allows("http://a.test/")


def test_a_bad_expression_or_root_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^exclude is not a regular expression: '\(': .+$") as caught:
        Scope(("http://a.test/",), exclude="(")
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="not a canonical"):
        Scope(("http://A.test",))
