"""Rendered pages and redirects: many forms, one meaning, the same in every process."""

from __future__ import annotations

from hypothesis import event, example, given
from hypothesis import strategies as st

from impl.web.links import links
from impl.web.serving.render import html, location, reference
from impl.web.serving.site import Html
from impl.web.url import canonical

from ..process import python

URL = "http://site.test/a/page"

SEGMENTS = st.sampled_from(
    ["a", "b", "page", "", "x y", "q'q", "é", "a:b", ".hidden", "%2e", "http:", "a&b", "=", "~"]
)
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
