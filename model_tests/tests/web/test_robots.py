"""robots.txt: RFC 9309, and the tables of "How Google interprets the robots.txt specification"."""

import pytest

from impl.web.robots import ALL, BYTES_MAX, NOTHING, robots

SITE = "http://a.test"


def allowed(text: str, path: str) -> bool:
    return robots(200, text.encode()).allows(SITE + path)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        pytest.param("", "/a", True, id="no rules: everything"),
        pytest.param("User-agent: *\nDisallow: /a", "/ab", False, id="a path begins with the rule"),
        pytest.param("User-agent: *\nDisallow: /a", "/b/a", True, id="only at its begin"),
        pytest.param("User-agent: *\nDisallow:", "/a", True, id="an empty rule"),
        pytest.param("user-AGENT: *\ndisALLOW: /a", "/a", False, id="2.2: names in any case"),
        pytest.param("User-agent: *\nDisallow: /A", "/a", True, id="2.2.2: paths in their case"),
        pytest.param("User-agent: *\n # all\nDisallow: /a # b", "/a", False, id="comments"),
        pytest.param("User-agent: *\r\nDisallow: /a\r\n", "/a", False, id="CR LF"),
        pytest.param("User-agent: *\rDisallow: /a\r", "/a", False, id="CR"),
        pytest.param("\ufeffUser-agent: *\nDisallow: /a", "/a", False, id="a byte order mark"),
        pytest.param("Disallow: /a\nUser-agent: *\nDisallow: /b", "/a", True, id="a rule of no group"),
        pytest.param("User-agent: LoopSpec\nDisallow: /a", "/a", False, id="2.2.1: our name, in any case"),
        pytest.param(
            "User-agent: *\nDisallow: /\n\nUser-agent: loopspec\nDisallow: /a", "/b", True, id="our own group"
        ),
        pytest.param(
            "User-agent: loopspec\nDisallow: /a\n\nUser-agent: other\nDisallow: /\n\n"
            "User-agent: loopspec\nDisallow: /b",
            "/b",
            False,
            id="2.2.1: two groups of ours are one",
        ),
        pytest.param("User-agent: other\nUser-agent: loopspec\nDisallow: /a", "/a", False, id="a group of two"),
        pytest.param("User-agent: other\nDisallow: /", "/a", True, id="a group of another, and none for all"),
        pytest.param("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True, id="2.2.2: the longest match"),
        pytest.param("User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/c", False, id="in any order"),
        pytest.param("User-agent: *\nDisallow: /a\nAllow: /a", "/a", True, id="2.2.2: of equal ones, allow"),
        pytest.param("User-agent: *\nDisallow: /*.gif$", "/x/y.gif", False, id="2.2.3: * and $"),
        pytest.param("User-agent: *\nDisallow: /*.gif$", "/x/y.gif?a", True, id="2.2.3: $ is the end"),
        pytest.param("User-agent: *\nDisallow: /a%3cd", "/a%3Cd", False, id="2.2.2: escapes in any case"),
        pytest.param("User-agent: *\nDisallow: /\u30c4", "/%E3%83%84", False, id="2.2.2: escaped or not"),
        pytest.param("User-agent: *\nDisallow: /", "/robots.txt", True, id="2.2.2: robots.txt itself"),
        pytest.param("User-agent: *\nSitemap: /s\nDisallow: /a", "/a", False, id="2.2.4: other records"),
        pytest.param("\0\xff\nUser-agent: *\nDisallow: /a", "/a", False, id="a line that is none"),
    ],
)
def test_rfc_9309(text: str, path: str, expected: bool) -> None:
    assert allowed(text, path) is expected


def test_what_a_status_means() -> None:
    """2.3.1.3: an unavailable file has no rules, even if it is forbidden; 2.3.1.4: unreachable is any of 5xx."""
    meant = {204: True, 304: True, 404: True, 403: True, 429: True, 500: False, 599: False}
    assert {status: robots(status, b"").allows(f"{SITE}/a") for status in meant} == meant


def test_the_first_500_kib_count() -> None:
    """At least so much is read (2.5); the bytes after it are not, and no half of a line."""
    filler = b"#" * (BYTES_MAX - 60) + b"\n"
    text = b"User-agent: *\nDisallow: /a\n" + filler + b"Disallow: /" + b"b" * 100 + b"\nDisallow: /c\n"
    assert len(filler) < BYTES_MAX < len(text)
    rules = robots(200, text)
    assert [rules.allows(SITE + path) for path in ("/a", "/bbb", "/c")] == [False, True, True]


@pytest.mark.parametrize(
    ("rule", "paths", "others"),
    [
        *(("/", "/ /any", ""), ("/*", "/ /any", ""), ("/$", "/", "/any")),
        ("/fish", "/fish /fish.html /fish/salmon /fishheads /fish.php?id=x", "/Fish.asp /catfish /?id=fish"),
        ("/fish*", "/fish /fish.html /fishheads/yummy", "/Fish.asp /catfish"),
        ("/fish/", "/fish/ /fish/?id=x /fish/salmon.htm", "/fish /fish.html /animals/fish/"),
        ("/*.php", "/index.php /folder/any.php?x /folder/any.php.file.html /a.php/", "/ /windows.PHP"),
        ("/*.php$", "/filename.php /folder/filename.php", "/filename.php?x /filename.php/ /windows.PHP"),
        ("/fish*.php", "/fish.php /fishheads/catfish.php?x", "/Fish.PHP"),
    ],
)
def test_the_matches_of_googles_specification(rule: str, paths: str, others: str) -> None:
    text = f"User-agent: *\nDisallow: {rule}"
    assert [path for path in paths.split() if allowed(text, path)] == []
    assert [path for path in others.split() if not allowed(text, path)] == []


@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        ("allow: /p\ndisallow: /", "/page", True),
        ("allow: /folder\ndisallow: /folder", "/folder/page", True),
        ("allow: /page\ndisallow: /*.htm", "/page.htm", False),
        ("allow: /page\ndisallow: /*.ph", "/page.php5", True),
        ("allow: /$\ndisallow: /", "/", True),
        ("allow: /$\ndisallow: /", "/page.htm", False),
    ],
)
def test_the_precedence_of_googles_specification(rules: str, path: str, expected: bool) -> None:
    assert allowed(f"user-agent: *\n{rules}", path) is expected


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("User-agent: *\nCrawl-delay: 2.5", 2.5), ("User-agent: *\nCrawl-delay: soon", 0.0)),
        *(("User-agent: *\nCrawl-delay: -1", 0.0), ("User-agent: *\nCrawl-delay: nan", 0.0)),
        *(("User-agent: *\nCrawl-delay: inf", 0.0), ("User-agent: other\nCrawl-delay: 9", 0.0)),
    ],
)
def test_a_delay_that_is_asked_for(text: str, seconds: float) -> None:
    assert robots(200, text.encode()).delay_s == seconds
    assert ALL.delay_s == NOTHING.delay_s == 0.0


def test_a_hostile_rule_costs_little() -> None:
    """A regular expression would try for ever."""
    text = "User-agent: *\nDisallow: /" + "a*" * 1000 + "b$"
    assert allowed(text, "/" + "a" * 2000)
