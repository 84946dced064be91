"""Politeness on the virtual clock: the times of requests to a host; robots.txt before the first URL of an origin."""

import re
import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from impl import Choices, Loop, get_running_loop, sleep
from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.polite import Manners, Polite
from impl.crawl.robots import Gate
from impl.web.http import HttpError, Response
from impl.web.interpret import outcome
from impl.web.links import links
from impl.web.outcome import FetchFailure, Outcome, Page

A, B = "http://a.test", "http://b.test"
PAUSE = FetchFailure("status", 503, retry_after_s=7.0)


@dataclass
class Log:
    """The requests to hosts, and their times; the answer takes `takes_s`."""

    answers: Callable[[str], Outcome] = lambda url: Page(())
    takes_s: float = 0.0
    begun: list[tuple[float, str]] = field(default_factory=list)
    most: Counter[str] = field(default_factory=Counter)
    _now: Counter[str] = field(default_factory=Counter)

    async def fetch(self, url: str) -> Outcome:
        host = url.split("/")[2]
        self.begun.append((round(get_running_loop().time(), 6), url))
        self._now[host] += 1
        self.most[host] = max(self.most[host], self._now[host])
        await sleep(self.takes_s)
        self._now[host] -= 1
        return self.answers(url)


def crawl(
    log: Log,
    roots: list[str],
    manners: Manners,
    *,
    asked: Callable[[str], Awaitable[float]] | None = None,
    choices: Choices | None = None,
) -> Crawler:
    loop = Loop()
    polite = Polite(log.fetch, loop.time, choices or Choices.plain(), manners, asked)
    crawler = Crawler(CrawlConfig(tuple(roots)), polite, again=polite.again)
    loop.run(crawler.crawl())
    return crawler


def test_a_host_has_a_delay_and_a_limit_of_its_own() -> None:
    log = Log(takes_s=0.1)
    crawl(log, [f"{host}/{n}" for n in range(3) for host in (A, B)], Manners(delay_s=2.0))
    for host in (A, B):
        assert [at for at, url in log.begun if url.startswith(host)] == [0.0, 2.0, 4.0]
    log = Log(takes_s=1.0)
    crawl(log, [f"{A}/{n}" for n in range(9)] + [f"{B}/{n}" for n in range(2)], Manners(per_host=3))
    assert log.most == {"a.test": 3, "b.test": 2}


def test_a_host_may_ask_for_a_greater_delay() -> None:
    async def asked(url: str) -> float:
        return 5.0 if url.startswith(A) else 0.5

    log = Log()
    crawl(log, [f"{host}/{n}" for n in range(2) for host in (A, B)], Manners(delay_s=1.0), asked=asked)
    assert [at for at, url in log.begun if url.startswith(A)] == [0.0, 5.0]
    assert [at for at, url in log.begun if url.startswith(B)] == [0.0, 1.0]


def test_a_host_that_asks_to_wait_is_not_asked_before() -> None:
    """Another URL of the host waits too, and the one that was answered so is tried again."""
    left = {f"{A}/0": 1}

    def answers(url: str) -> Outcome:
        left[url] = left.get(url, 0) - 1
        return PAUSE if left[url] >= 0 else Page(())

    log = Log(answers, takes_s=1.0)
    crawler = crawl(log, [f"{A}/0", f"{A}/1", f"{B}/0"], Manners(per_host=1))
    expected = [(0.0, f"{A}/0"), (8.0, f"{A}/1"), (9.0, f"{A}/0")]
    assert [(at, url) for at, url in log.begun if url.startswith(A)] == expected
    assert (0.0, f"{B}/0") in log.begun
    wanted = {f"{A}/0": 2, f"{A}/1": 1, f"{B}/0": 1}
    assert {record.url: record.tries for record in crawler.records()} == wanted


def test_a_server_that_asks_for_too_long_a_wait_has_answered() -> None:
    log = Log(lambda url: PAUSE)
    crawler = crawl(log, [f"{A}/0"], Manners(wait_max_s=6.0))
    [record] = crawler.records()
    assert (record.error, record.status, record.tries) == ("status", 503, 1)


@pytest.mark.parametrize(("jitter", "begun"), [(0, [0.0, 1.0, 3.0, 7.0]), (500, [0.0, 1.5, 4.5, 10.5])])
def test_after_an_error_of_the_network_a_try_waits_longer_each_time(jitter: int, begun: list[float]) -> None:
    log = Log(lambda url: FetchFailure("reset"))
    crawl(log, [f"{A}/0"], Manners(backoff_s=1.0), choices=Choices.listed({"schedule": [jitter] * 3}))
    assert [at for at, _ in log.begun] == begun


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        *((503, {"Retry-After": "7"}, 7.0), (429, {"Retry-After": "7"}, 7.0)),
        *((404, {"Retry-After": "7"}, None), (503, {}, None), (503, {"Retry-After": "soon"}, None)),
        *((503, {"Retry-After": "-7"}, None), (503, {"Retry-After": "9" * 5000}, 999_999_999.0)),
        (
            503,
            {"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT", "Date": "Fri, 31 Dec 1999 23:59:49 GMT"},
            10.0,
        ),
        (503, {"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"}, None),
        (503, {"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT", "Date": "Fri, 31 Dec 2010 23:59:59 GMT"}, 0.0),
    ],
)
def test_what_retry_after_says(status: int, headers: dict[str, str], seconds: float | None) -> None:
    found = outcome(f"{A}/", response(status, headers=headers))
    assert isinstance(found, FetchFailure)
    assert found.retry_after_s == seconds


def response(status: int = 200, body: bytes = b"", headers: dict[str, str] | None = None) -> Response:
    pairs = tuple((name.lower().encode(), value.encode()) for name, value in (headers or {}).items())
    return Response(status, pairs, body)


Answer = Response | OSError | HttpError


class Robots:
    """The robots.txt of some origins, and how often each was asked for."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        self.answers = answers
        self.asked: Counter[str] = Counter()

    async def get(self, url: str) -> Response:
        self.asked[url] += 1
        await sleep(1)
        answer = self.answers.get(url, response(404))
        if isinstance(answer, Response):
            return answer
        raise answer


def outcomes(robots: Robots, *roots: str) -> dict[str, Outcome]:
    loop = Loop()
    crawler = Crawler(CrawlConfig(roots), Log().fetch, refuses=Gate(robots.get).refuses)
    loop.run(crawler.crawl())
    return crawler.frontier.outcomes


RULES = response(body=b"User-agent: *\nDisallow: /no\nCrawl-delay: 3")


def test_a_url_that_the_robots_txt_of_its_origin_forbids_is_not_fetched() -> None:
    robots = Robots({f"{A}/robots.txt": RULES})
    found = outcomes(robots, f"{A}/yes", f"{A}/no", f"{A}/no/more", f"{B}/no")
    no = [url for url, each in found.items() if each == FetchFailure("robots")]
    assert (no, len(found)) == ([f"{A}/no", f"{A}/no/more"], 4)
    assert robots.asked == {f"{A}/robots.txt": 1, f"{B}/robots.txt": 1}
    robots = Robots({f"{A}/robots.txt": RULES})
    found = outcomes(robots, f"{A}/no", f"{A}:81/no", "https://a.test/no")
    assert [type(each) for each in found.values()].count(Page) == 2
    assert len(robots.asked) == 3


def test_redirects_of_robots_txt_are_followed_and_its_rules_are_the_origins() -> None:
    hops = {
        f"{A}/robots.txt": response(301, headers={"Location": "/1"}),
        f"{A}/1": response(302, headers={"Location": f"{B}/rules"}),
        f"{B}/rules": RULES,
    }
    found = outcomes(Robots(dict(hops)), f"{A}/no", f"{B}/no")
    assert found == {f"{A}/no": FetchFailure("robots"), f"{B}/no": Page(())}


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(response(301, headers={"Location": "/robots.txt"}), id="for ever"),
        pytest.param(response(301), id="nowhere"),
        pytest.param(response(301, headers={"Location": "ftp://a.test/"}), id="out of the web"),
    ],
)
def test_redirects_that_lead_nowhere_are_no_rules(answer: Response) -> None:
    robots = Robots({f"{A}/robots.txt": answer})
    assert outcomes(robots, f"{A}/no") == {f"{A}/no": Page(())}
    assert robots.asked[f"{A}/robots.txt"] <= 6


@pytest.mark.parametrize(
    ("answer", "expected", "asked"),
    [
        (response(503), FetchFailure("robots"), 1),
        (HttpError("protocol", "no HTTP"), FetchFailure("protocol"), 1),
        (ConnectionRefusedError(), FetchFailure("refused"), 3),
        *((socket.gaierror(), FetchFailure("no-such-host"), 3), (TimeoutError(), FetchFailure("timeout"), 3)),
    ],
    ids=["5xx", "no HTTP", "refused", "no such host", "silent"],
)
def test_an_origin_whose_robots_txt_cannot_be_reached(answer: Answer, expected: FetchFailure, asked: int) -> None:
    """None of its URLs is fetched."""
    robots = Robots({f"{A}/robots.txt": answer})
    assert outcomes(robots, f"{A}/1", f"{A}/2") == {f"{A}/1": expected, f"{A}/2": expected}
    assert robots.asked == {f"{A}/robots.txt": asked}


@pytest.mark.parametrize(
    ("tags", "followed"),
    [
        *((("nofollow",), False), (("noindex, NoFollow",), False), (("none",), False)),
        *((("noindex",), True), (("loopspec: nofollow",), False), (("googlebot: nofollow",), True)),
        (("googlebot: nofollow", "nofollow"), False),
    ],
)
def test_links_are_not_followed_where_the_server_says_so(tags: tuple[str, ...], followed: bool) -> None:
    headers = ((b"content-type", b"text/html"), *((b"x-robots-tag", tag.encode()) for tag in tags))
    answer = Response(200, headers, b"<a href=/b>")
    assert outcome(f"{A}/", answer) == Page((f"{A}/b",), 200, 11, "text/html")
    assert outcome(f"{A}/", answer, obeys=True) == Page((f"{A}/b",) if followed else (), 200, 11, "text/html")


@pytest.mark.parametrize(
    ("html", "obeyed"),
    [
        ("<a href=/1>", "1"),
        ("<a href=/1 rel=nofollow><a href=/2 rel=next>", "2"),
        ("<a href=/1 rel='Next NOFOLLOW'><area href=/2 rel=nofollow>", ""),
        ("<a href=/1 rel=nofollow><a href=/1>", "1"),
        ("<meta name=Robots content='noindex, NoFollow'><a href=/1>", ""),
        ("<a href=/1><meta name=loopspec content=none>", ""),
        ("<meta name=googlebot content=nofollow><a href=/1>", "1"),
        ("<meta name=robots><meta name=robots content=noindex><a href=/1>", "1"),
        ("<!-- <meta name=robots content=nofollow> --><a href=/1>", "1"),
    ],
)
def test_links_are_not_followed_where_the_page_says_so(html: str, obeyed: str) -> None:
    assert [url[-1] for url in links(html, A)] == sorted(set(re.findall(r"href=/(\d)", html)))
    assert "".join(url[-1] for url in links(html, A, obeys=True)) == obeyed
