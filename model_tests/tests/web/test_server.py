"""Client against server, back to back in memory: a site served and fetched is the site again.

Rendered pages and redirects have many forms and one meaning, the same in every process.  Each fault of an attempt is as
its name says, and they strike attempt by attempt.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Generator
from random import Random

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from impl.web.http import HttpError, Receive, Response, Send, get
from impl.web.interpret import failure, outcome
from impl.web.links import links
from impl.web.outcome import FetchFailure, Outcome, Page, Redirect
from impl.web.serving.commands import HANG, RESET, Command, HalfClose, Hang, Pause, Reset
from impl.web.serving.faults import FAULTS, HARMLESS, UNANSWERED, Attempts, served
from impl.web.serving.render import html, location, reference
from impl.web.serving.server import serve
from impl.web.serving.site import AttemptFault, Broken, Fault, Html, Moved, Raw, Resource, Site, Struck
from impl.web.url import canonical

from ...crawls.oracle import ERRORS
from ..process import python

URL = "http://site.test/a/page"

SEGMENTS = st.sampled_from(["a", "b", "page", "", "x y", "q'q", "é", "a:b", ".hidden", "%2e", "http:", "a&b", "=", "~"])
PATHS = st.lists(SEGMENTS, max_size=4).map("/".join)
QUERIES = st.sampled_from(["", "?", "?q=1&copy=2", "?a='b'", '?x="<y>`&amp;'])
ORIGINS = st.sampled_from(["http://site.test", "http://other.test:8080", "https://site.test", "http://[::1]"])


def _url(origin: str, path: str, query: str) -> str:
    url = canonical(f"{origin}/{path}{query}")
    assert url is not None
    return url


URLS = st.builds(_url, ORIGINS, PATHS, QUERIES)


@given(URLS, URLS, st.integers(0, 99).map(str))
def test_every_reference_means_its_target(base: str, target: str, label: str) -> None:
    form = reference(target, base, label)
    assert canonical(form, base) == target
    event("absolute" if form.startswith(target) else "relative")


def test_references_and_redirects_take_every_form() -> None:
    target = "http://site.test/a/c?d"
    forms = {reference(target, URL, str(i)) for i in range(200)}
    plain = {target, "//site.test/a/c?d", "/a/c?d", "./c?d"}
    assert forms == {form + mark for form in plain for mark in ("", "#", "#top")}
    forms = {location(f"http://site.test/{i}", "http://site.test/x").partition("x")[0] for i in range(100)}
    assert forms == {"http://site.test/", "//site.test/", "/", "./"}


@given(URLS, st.lists(URLS, max_size=12, unique=True).map(tuple))
@example("http://site.test/", ())
def test_the_links_of_a_rendered_page_are_those_of_the_resource(url: str, targets: tuple[str, ...]) -> None:
    assert links(html(url, Html(targets)).decode(), url) == targets


def test_a_long_page_shows_every_way_of_writing_a_link() -> None:
    text = html(URL, Html(tuple(f"http://site.test/a/{i}" for i in range(200)))).decode()
    for way in (
        *("<A HREF = '", "<area", "class=plain href=/", "&#x2f;", 'href="\n', "<!-- <a", "<script>"),
        *("mailto:", "[bad"),
    ):
        assert way in text


def test_rendering_does_not_depend_on_the_hash_seed() -> None:
    program = (
        "from impl.web.serving.render import html, location; from impl.web.serving.site import Html;"
        "import hashlib; u = 'http://site.test/a';"
        "page = html(u, Html(tuple(f'{u}/{i}' for i in range(50)))) + location(u, u).encode();"
        "print(hashlib.sha256(page).hexdigest())"
    )
    printed = {python("-c", program, env={"PYTHONHASHSEED": seed}, check=True).stdout for seed in ("1", "2")}
    assert len(printed) == 1


# --- client against server ------------------------------------------------------------------------------------------

Cut = Callable[[bytes], list[bytes]]


def whole(data: bytes) -> list[bytes]:
    return [data]


def at_random(seed: int) -> Cut:
    random = Random(seed)

    def cut(data: bytes) -> list[bytes]:
        segments = []
        while data:
            size = random.randint(1, random.choice((3, 40, 4000)))
            segments.append(data[:size])
            data = data[size:]
        return segments

    return cut


def answer(site: Site, request: bytes, cut: Cut = whole) -> tuple[bytes, list[Command]]:
    """Return all bytes that the server sends for a request and the end of the stream, and its other commands."""
    server = serve(site)
    left = iter([*cut(request), b""])
    sent = b""
    others: list[Command] = []
    received: bytes | None = None
    try:
        while True:
            command = server.send(received)
            received = None
            match command:
                case Send(data):
                    sent += data
                case Receive():
                    received = next(left)
                case Pause() | HalfClose():
                    others.append(command)
                case Hang() | Reset():
                    server.close()
                    return sent, [*others, command]
    except StopIteration:
        return sent, others


def fetch(site: Site, url: str, cut: Cut = whole) -> tuple[Outcome, list[Command]]:
    """Return the outcome of `url`, and the server's commands besides sending; a hang counts as a timeout."""
    client: Generator[Send | Receive, bytes | None, Response] = get(url)
    request = next(client)
    assert isinstance(request, Send)
    sent, others = answer(site, request.data, cut)
    if HANG in others:
        return FetchFailure("timeout"), others
    segments = iter([*cut(sent), b""])
    try:
        client.send(None)
        while True:
            segment = next(segments)
            if segment == b"" and others and isinstance(others[-1], Reset):
                return FetchFailure("reset"), others
            client.send(segment)
    except StopIteration as end:
        return outcome(url, end.value), others
    except HttpError as error:
        return failure(error), others


def one(resource: Resource, url: str = URL) -> Outcome:
    return fetch(Site({url: resource}, (url,)), url)[0]


OTHER_STATUSES = (204, 206, 300, 304, 305, 306, 400, 404, 410, 429, 500, 503, 599)


@pytest.mark.parametrize(
    ("broken", "error", "status"),
    [
        *((Broken(status=status), "status", status) for status in OTHER_STATUSES),
        *((Broken("status"), "status", 404), (Broken("reset"), "reset", None)),
        *((Broken("incomplete"), "incomplete", None), (Broken("silent"), "timeout", None)),
        *((Broken("garbage"), "protocol", None), (Broken("no-location"), "location", 302)),
    ],
)
def test_every_fault_and_other_status_is_its_failure(broken: Broken, error: str, status: int | None) -> None:
    found = one(broken)
    assert isinstance(found, FetchFailure)
    assert (found.error, found.status) == (error, status)


@pytest.mark.parametrize("fault", ["incomplete", "reset"])
def test_half_a_page_holds_a_link_that_a_careless_client_would_follow(fault: Fault) -> None:
    site = Site({URL: Broken(fault)}, (URL,))
    sent, _ = answer(site, b"GET /a/page HTTP/1.1\r\nHost: site.test\r\n\r\n")
    head, _, body = sent.partition(b"\r\n\r\n")
    promised = int(head.partition(b"Content-Length: ")[2].partition(b"\r\n")[0])
    assert 0 < len(body) < promised
    assert links(body.decode(), URL) == (f"{URL}?half",)


@pytest.mark.parametrize("fault", ["refused", "no-such-host"])
def test_a_fault_of_a_host_is_no_affair_of_a_server(fault: Fault) -> None:
    with pytest.raises(ValueError, match="must not accept connections"):
        one(Broken(fault))


def test_what_the_site_does_not_have_is_missing() -> None:
    found = fetch(Site({}, ()), URL)[0]
    assert found == FetchFailure("status", 404, 4, "text/plain; charset=utf-8")


@pytest.mark.parametrize(
    "resource",
    [
        *(Html((), 7), Raw(b"", "text/plain", 7), Moved(URL, 302, 7), Broken(latency_ms=7)),
        Broken("silent", 0, 7),
    ],
)
def test_latency_is_a_pause_before_the_answer(resource: Resource) -> None:
    assert fetch(Site({URL: resource}, ()), URL)[1][0] == Pause(7)


@pytest.mark.parametrize(
    ("content_type", "found"),
    [
        *(("text/html", True), ("Text/HTML; charset=utf-8", True), ("application/xhtml+xml", True)),
        *(("application/xml", True), ("text/plain", False), ("image/png", False), ("text/htmlx", False)),
    ],
)
def test_only_html_has_links(content_type: str, found: bool) -> None:
    body = b"<a href=b>b</a>"
    expected = ("http://site.test/a/b",) if found else ()
    assert one(Raw(body, content_type)) == Page(expected, 200, len(body), content_type)


# Whole sites.

HTTP_URLS = URLS.filter(lambda url: url.startswith("http:"))
LINKED = st.lists(URLS, max_size=6, unique=True).map(tuple)
RESOURCE_FAULTS: st.SearchStrategy[Fault] = st.sampled_from(
    ["status", "reset", "incomplete", "silent", "garbage", "no-location"]
)
RESOURCES: st.SearchStrategy[Resource] = st.one_of(
    st.builds(Html, LINKED),
    st.builds(Raw, st.binary(max_size=99), st.just("application/octet-stream")),
    st.builds(Moved, URLS, st.sampled_from((301, 302, 303, 307, 308))),
    st.builds(Broken, RESOURCE_FAULTS, st.sampled_from((400, 404, 500, 503))),
)


def expected(url: str, resource: Resource) -> Outcome:
    match resource:
        case Html(targets):
            return Page(targets, 200, len(html(url, resource)), "text/html; charset=utf-8")
        case Raw(body, content_type):
            return Page((), 200, len(body), content_type)
        case Moved(target, status):
            return Redirect(target, status)
        case Broken("status", status):
            return FetchFailure("status", status)
        case Broken("no-location"):
            return FetchFailure("location", 302)
        case Broken(fault):
            return FetchFailure({"silent": "timeout", "garbage": "protocol"}.get(fault, fault))
        case _:
            raise AssertionError(f"no resource of a site: {resource}")


def bare(found: Outcome) -> Outcome:
    """Return an outcome without the size and type if it is no page: a site does not define them."""
    match found:
        case Redirect(target, status):
            return Redirect(target, status)
        case FetchFailure(error, status):
            return FetchFailure(error, status)
        case _:
            return found


@given(st.dictionaries(HTTP_URLS, RESOURCES, min_size=1, max_size=4), st.integers(0, 2**32))
def test_a_site_that_is_served_and_fetched_is_the_same(resources: dict[str, Resource], seed: int) -> None:
    site = Site(resources, tuple(resources))
    for url, resource in resources.items():
        found = {bare(fetch(site, url, cut)[0]) for cut in (whole, at_random(seed))}
        assert found == {expected(url, resource)}
        event(type(resource).__name__)


# --- faults of attempts -----------------------------------------------------------------------------------------------

PAGE = Html(("http://site.test/b",))
REQUEST = b"GET /a/page HTTP/1.1\r\nHost: site.test\r\n\r\n"


def site(*faults: AttemptFault | None) -> Site:
    return Site({URL: PAGE}, (URL,), faults={URL: faults})


def attempt(fault: AttemptFault) -> tuple[Outcome, list[Command]]:
    return fetch(served(site(fault)), URL)


def test_every_fault_is_here() -> None:
    assert set(FAULTS) == set(typing.get_args(AttemptFault))
    assert set(FAULTS) - HARMLESS <= set(ERRORS)


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_each_fault_gives_its_error_or_the_page(fault: AttemptFault) -> None:
    outcome, others = attempt(fault)
    if RESET in others and fault not in HARMLESS:
        assert ERRORS[fault] == "reset"
    elif fault in HARMLESS and fault != "half-close":  # the helper takes every hang for a timeout
        assert isinstance(outcome, Page)
        assert outcome.links == PAGE.links
    else:
        assert outcome == FetchFailure(ERRORS.get(fault, "timeout"))


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_bytes_and_commands_tell_the_faults_apart(fault: AttemptFault) -> None:
    others = attempt(fault)[1]
    assert (RESET in others) == fault.startswith("reset-")
    assert (HANG in others) == (fault.startswith("silent") or fault == "half-close")
    assert any(isinstance(command, HalfClose) for command in others) == (fault == "half-close")


def test_attempts_are_counted_once_and_meet_the_faults_in_order() -> None:
    attempts = Attempts(site("empty", None, "garbage"))
    met = [fetch(attempts.site(), URL)[0] for _ in range(4)]
    errors = [one.error if isinstance(one, FetchFailure) else "page" for one in met]
    assert errors == ["incomplete", "page", "protocol", "page"]
    assert attempts.struck == {"empty": 1, "garbage": 1}
    plain = Site({URL: PAGE}, (URL,))
    assert served(plain) is plain
    once = served(site("empty"))
    assert served(once) is once
    assert once.resources[URL] == Struck("empty", PAGE)
    assert list(once.resources) == [URL]
    assert len(once.resources) == 1


def second_request(fault: AttemptFault) -> Attempts:
    attempts = Attempts(site(fault))
    server = serve(attempts.site())
    next(server)
    for request in (REQUEST.replace(b"page", b"none"), REQUEST):
        received: bytes | None = request
        try:
            while isinstance(server.send(received), Send):
                received = None
        except StopIteration:
            break
    return attempts


@pytest.mark.parametrize("fault", ["empty", "half-head", "garbage"])
def test_the_end_of_a_reused_connection_is_no_attempt(fault: AttemptFault) -> None:
    """RFC 9112, 9.3.1: clients repeat such a request, so the next attempt must meet the same."""
    attempts = second_request(fault)
    assert attempts.struck == ({} if fault in UNANSWERED else {fault: 1})
    fetch(attempts.site(), URL)
    assert attempts.struck == {fault: 1}
