"""Links of nasty HTML, and the text of documents in the encodings that they claim."""

import pytest

from impl.web.charset import decoded, media_type
from impl.web.links import links

URL = "http://site.test/a/b.html"


def found(html: str, url: str = URL) -> list[str]:
    return [link.removeprefix("http://site.test") for link in links(html, url)]


def text(body: bytes, content_type: str) -> str:
    return "".join(decoded(body, content_type))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # Texts that the original's regular expression took for links, or missed (its defects O7 to O9 in our list).
        ("<!-- <a href='x'>x</a> -->", []),
        ("<script>'<a href=\"x\">'</script>", []),
        ("<style><a href=x></style><textarea><a href=x></textarea><title><a href=x></title>", []),
        ("<a data-href=x>x</a><a name=x>x</a><link href=x><img src=x>", []),
        ("<a href=x>x</a>", ["/a/x"]),
        ("<a href='x'>x</a><a href=\"y\">y</a>", ["/a/x", "/a/y"]),
        ('<a href="x?a=1&amp;b=2">x</a><a href="&#x79;">y</a>', ["/a/x?a=1&b=2", "/a/y"]),
        ("<A HREF = 'x' >x</A>", ["/a/x"]),
        ("<a href=x href=y>x</a>", ["/a/x"]),
        # White space, empty, fragments.
        *(('<a href="\n x\t\r\n">x</a>', ["/a/x"]), ('<a href="">x</a>', ["/a/b.html"])),
        ("<a href>x</a>", ["/a/b.html"]),
        ("<a href='#here'>x</a><a href=b.html>x</a>", ["/a/b.html"]),
        ("<a href=x#1>1</a><a href=y>y</a><a href=x#2>2</a>", ["/a/x", "/a/y"]),
        ("<a href='x #1'>x</a><a href='x '>x</a>", ["/a/x%20", "/a/x"]),
        # Only http and https, only well-formed URLs.
        ("<a href='mailto:a@b'>m</a><a href='javascript:x()'>j</a><a href='ftp://site.test/'>f</a>", []),
        ("<a href='http://[bad/'>x</a><a href=y>y</a>", ["/a/y"]),
        (
            "<a href='https://other.test/'>x</a><a href='//other.test'>y</a>",
            ["https://other.test/", "http://other.test/"],
        ),
        # Areas, document order, broken mark-up.
        ("<map><area href=1></map><a href=2>2</a><map><area href=3></map>", ["/a/1", "/a/2", "/a/3"]),
        ("<a href=1><div><a href=2></div><p><b></a><a href=3", ["/a/1", "/a/2"]),
        ("<table><a href=1>1</a><tr><td><a href=2>2</table>", ["/a/1", "/a/2"]),
        *(("<a href=1>\0<a href=2>", ["/a/1", "/a/2"]), ("", []), ("\0", []), ("plain text", [])),
    ],
)
def test_links(html: str, expected: list[str]) -> None:
    assert found(html) == expected


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        *(("<base href='/c/'>", "/c/x"), ("<base href='c/'>", "/a/c/x"), ("<base href='/c/d'>", "/c/x")),
        ("<base target=_top><base href='/c/'><base href='/d/'>", "/c/x"),
        ("<base href='https://other.test/c/'>", "https://other.test/c/x"),
        *(("<base href=''>", "/a/x"), ("<base href='http://[bad/'>", "/a/x")),
        *(("<base href='javascript:x'>", "/a/x"), ("<base href='data:text/html,x'>", "/a/x")),
        ("<!-- <base href='/c/'> -->", "/a/x"),
    ],
)
def test_the_first_base_counts_wherever_it_stands(base: str, expected: str) -> None:
    assert found(f"{base}<a href=x>x</a>") == [expected]
    assert found(f"<a href=x>x</a>{base}") == [expected]


def test_a_base_of_another_scheme_makes_relative_links_none_of_ours() -> None:
    assert found("<base href='ftp://site.test/'><a href=x>x</a><a href='http://site.test/y'>y</a>") == ["/y"]


E_ACUTE, A_CYRILLIC = "\N{LATIN SMALL LETTER E WITH ACUTE}", "\N{CYRILLIC SMALL LETTER A}"


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        # 1. a byte-order mark, even against the header
        (b"\xef\xbb\xbf\xc3\xa9", "text/html; charset=latin1", E_ACUTE),
        (b"\xfe\xff\x00\xe9", "text/html; charset=utf-8", E_ACUTE),
        (b"\xff\xfe\xe9\x00", "", E_ACUTE),
        # 2. the header, even against a <meta>
        (b"\xe9<meta charset=utf-8>", "text/html; charset=iso-8859-1", f"{E_ACUTE}<meta charset=utf-8>"),
        (b"\xe0", 'text/html; Charset="Windows-1251"', A_CYRILLIC),
        (b"\xe9", "text/html ; charset = latin1 ; x=y", E_ACUTE),
        # 3. a <meta> in the first 1024 bytes
        (b"<meta charset=koi8-r>\xc1", "text/html", f"<meta charset=koi8-r>{A_CYRILLIC}"),
        (b"<META CHARSET = 'koi8-r'>\xc1", "", f"<META CHARSET = 'koi8-r'>{A_CYRILLIC}"),
        (b"<meta charset=utf-16>\xc3\xa9", "", f"<meta charset=utf-16>{E_ACUTE}"),
        # 4. UTF-8
        *((b"\xc3\xa9", "text/html", E_ACUTE), (b"", "", "")),
        (b"a\xff", "", "a\N{REPLACEMENT CHARACTER}"),
        # An unknown charset, or none at all, is ignored: the original crawler hung on it.
        (b"\xc3\xa9", "text/html; charset=klingon", E_ACUTE),
        (b"\xc3\xa9", "text/html; charset=", E_ACUTE),
        (b"\xc3\xa9", "text/html; charset=unicode_escape", E_ACUTE),
        (b"\xc3\xa9", "text/html; charset=\0\xff", E_ACUTE),
        (b"<meta charset=nonsense><meta charset=koi8-r>", "", "<meta charset=nonsense><meta charset=koi8-r>"),
    ],
)
def test_the_text_of_a_document(body: bytes, content_type: str, expected: str) -> None:
    assert text(body, content_type) == expected


def test_which_meta_counts() -> None:
    meta = b'<meta content="text/html; charset=koi8-r" http-equiv=Content-Type>'
    assert text(meta + b"\xc1", "").endswith(A_CYRILLIC)
    assert not text(meta.replace(b"http-equiv", b"name") + b"\xc1", "").endswith(A_CYRILLIC)
    meta = b"<meta charset=koi8-r>"
    assert text(b"<!--" + meta + b"-->\xc3\xa9", "").endswith(E_ACUTE)
    assert text(b" " * (1024 - len(meta)) + meta + b"\xc1", "").endswith(A_CYRILLIC)
    assert text(b" " * (1025 - len(meta)) + meta + b"\xc3\xa9", "").endswith(E_ACUTE)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        *(("Text/HTML; charset=x", "text/html"), ("text/html", "text/html")),
        *((" text/html ;", "text/html"), ("", "")),
    ],
)
def test_media_type(header: str, expected: str) -> None:
    assert media_type(header) == expected
