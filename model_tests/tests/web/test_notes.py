"""The notes of a link checker about a page: the line and text of each reference, resources, anchors."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impl.web.http import Response
from impl.web.interpret import outcome
from impl.web.limits import LIMITS
from impl.web.links import LinkReader, links
from impl.web.notes import TEXT_MAX, Noted
from impl.web.outcome import FetchFailure, Page, Redirect
from impl.web.reference import CHECKS, Reference, bare_fragment

URL = "http://a.test/dir/"
PAGE = """<!doctype html>
<h1 id=top>A</h1>
<a href="b#x y">one
 <b>two</b></a> no text <a href=c>three<a href="b#x y">again</a>
<a name=n href="#caf%C3%A9"><img src=i.png alt="a picture"></a>
<area href=d alt="an area"><noscript>
<img srcset="s1.png 1x, s2.png, data:image/png;base64,AA== 3x,"></noscript>
<template><a href=no id=no></a></template><!-- <img src=no> -->
<link rel=stylesheet href=s.css><link rel=preconnect href=/no><script src=t.js>"<img src=no>"</script>
<img src=""><video poster=p.jpg><source src=v.mp4></video><object data=o></object><a href="mailto:x">no</a>"""

WORDS = PAGE.replace("\n", " \n").split(" ")


def noted(text: str, check: str, pieces: int = 1) -> Noted:
    reader = LinkReader(URL, check=CHECKS[check])
    size = max(1, -(-len(text) // pieces))
    for i in range(0, len(text), size):
        reader.feed(text[i : i + size])
    found = reader.finish()
    assert found.links == links(text, URL)  # checking changes no link
    assert found.noted is not None
    return found.noted


def at(name: str, line: int, text: str = "", fragment: str = "", element: str = "a") -> Reference:
    return Reference(URL + name, fragment, element, line, text)


def test_what_each_check_notes() -> None:
    assert noted(PAGE, "links") == (
        (),
        (
            at("b", 3, "one two"),
            at("c", 4, "three"),
            at("", 5, "a picture"),
            at("d", 6, "an area", element="area"),
        ),
        (),
    )
    found = noted(PAGE, "fragments")
    assert found.anchors == ("top", "n")
    assert found.references[:3] == (
        *(at("b", 3, "one two", "x y"), at("c", 4, "three"), at("", 5, "a picture", "caf%C3%A9")),
    )
    assert found.resources == ()
    found = noted(PAGE, "all")
    names = ("i.png", "s1.png", "s2.png", "s.css", "t.js", "p.jpg", "v.mp4", "o")
    assert found.resources == tuple(URL + name for name in names)
    places = {each.url.removeprefix(URL): (each.element, each.line, each.text) for each in found.references}
    expected = [("img", 5, "a picture"), ("img", 7, ""), ("link", 9, ""), ("source", 10, "")]
    assert [places[name] for name in ("i.png", "s2.png", "s.css", "v.mp4")] == expected


@pytest.mark.parametrize("check", CHECKS)
def test_the_notes_do_not_depend_on_the_pieces(check: str) -> None:
    assert all(noted(PAGE, check, pieces) == noted(PAGE, check) for pieces in (2, 7, 50, len(PAGE)))


@given(st.lists(st.sampled_from(WORDS), max_size=30), st.sampled_from(list(CHECKS)))
def test_odd_mark_up_changes_no_link(words: list[str], check: str) -> None:
    noted(" ".join(words), check)


def test_a_text_is_cut() -> None:
    [reference] = noted(f"<a href=x>{'long ' * 1000}</a>", "links").references
    assert (len(reference.text), reference.text[-3:]) == (TEXT_MAX, "...")


@pytest.mark.parametrize(
    ("href", "fragment"),
    [
        *(("x", ""), ("x#", ""), ("x#a", "a"), ("#Top", ""), ("#a#b", "a#b"), (" #a\n ", "a")),
        *(("#:~:text=x", ""), ("#a:~:x", "a")),
    ],
)
def test_the_fragment_that_is_asked_for(href: str, fragment: str) -> None:
    assert bare_fragment(href) == fragment


def test_a_page_that_forbids_its_links_still_has_resources() -> None:
    reader = LinkReader(URL, obeys=True, check=CHECKS["all"])
    reader.feed("<meta name=robots content=nofollow><a href=x></a><img src=i>")
    found = reader.finish()
    assert (found.links, found.noted) == ((), ((f"{URL}i",), (at("i", 1, element="img"),), ()))


TOO_MANY = [("links", "<img src={}>"), ("anchors", "<b id={}>"), ("anchors", "<a href='#{}'>")]


@pytest.mark.parametrize(("limit", "text"), TOO_MANY)
def test_more_than_the_limit_is_too_large(limit: str, text: str) -> None:
    limits = replace(LIMITS, **{limit: 3})
    for count, error in ((3, None), (4, "too-large")):
        body = "".join(text.format(i) for i in range(count)).encode()
        response = Response(200, ((b"content-type", b"text/html"),), body)
        result = outcome(URL, response, limits, check=CHECKS["all"])
        assert (result.error if isinstance(result, FetchFailure) else None) == error


def test_an_outcome_has_the_notes() -> None:
    page = Response(200, ((b"content-type", b"text/html"),), b"<a href=x id=y>")
    assert outcome(URL, page) == Page((f"{URL}x",), 200, 15, "text/html")
    result = outcome(URL, page, check=CHECKS["fragments"])
    assert result == Page((f"{URL}x",), 200, 15, "text/html", (), (at("x", 1),), ("y",))
    moved = Response(302, ((b"location", b"x#y"),), b"")
    assert outcome(URL, moved) == Redirect(f"{URL}x")
    assert outcome(URL, moved, check=CHECKS["fragments"]) == Redirect(f"{URL}x", fragment="y")
