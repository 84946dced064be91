"""The examples that inputs are made from, and the tokens of their languages; the examples are those of our tests."""

import gzip
import zlib
from typing import Final

from impl.crawl.record import record
from impl.crawl.results.journal import head, line
from impl.web.outcome import FetchFailure, Page, Redirect
from impl.web.reference import Reference

URL: Final = "http://site.test/a/b.html?q=1"

_OK: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
_CHUNKED: Final = _OK + b"Transfer-Encoding: chunked\r\n"

#: Texts of HTML.
PAGES: Final = (
    b"<!DOCTYPE html><html><head><base href='/c/'><meta charset=utf-8><title>t</title></head><body>"
    b"<A HREF=../2?x=1&amp;y=2#part>2</A><!-- <a href='/3'> --><area href=' /4 '><a href='//a.test/1'>a</a></body>",
    b"<meta name=robots content='noindex, nofollow'><a rel='nofollow me' href=x>x</a><a href=y rel=next>y</a>",
    b"<script>if (a < b) { '<a href=no>' }</script><style>a{}</style><textarea><a href=no></textarea><a href=yes>",
    b"<noscript><a href=in></noscript><template><a href=no><template></template></template><a href=out>",
    b"<svg><title><a href=1></title><![CDATA[<a href=2>]]></svg><math><a href=3></math><plaintext><a href=4>",
    b"<a a=1 a=2 href href=x><a href='a&#x41;&#0;&#xD800;&notit;&amp'><a/href=y><a\nhref\n=\nz></a href=no>",
    "<a href='http://\xe4\u0431\u4e2d/\U0001f600?\u202e#x'>\xe9</a><a href='caf\xe9'>".encode(),
    "\ufeff<a href='\u3042'>".encode("utf-16-le") + b"\xff",
    b"<meta http-equiv=content-type content='text/html; charset=shift_jis'><a href='\x82\xa0\\'>\x82",
    b"<ul><li><a href=1>" * 20 + b"<b><p></b></p>" * 10,
    b"<a href=javascript:x><a href=mailto:a@b><a href=data:,x><a href='http://[::1]:25/'><a href=http://u:p@h/>",
    b"<p id=top><img src=i.png srcset='a.png 1x, b.png 2x' alt=' an  image '><link rel=stylesheet href=s.css>"
    b"<a href=x#y name=n>some <b>text</b></a><script src=x.js></script><a href='#top'><img src=j alt=j></a>",
    b"<!--><a href=1><!---><a href=2><!-- --!><a href=3><?x><a href=4></><a href=5><![x><a href=6>",
)

#: Complete responses, broken ones, and answers that are no HTTP.
RESPONSES: Final = (
    *(_OK + b"Content-Length: %d\r\n\r\n" % len(page) + page for page in PAGES[:4]),
    _OK + b"\r\n<a href=until-the-end>",
    _CHUNKED + b"\r\n2\r\nhe\r\n3;ext=1\r\nllo\r\n0\r\nT: x\r\n\r\n",
    _CHUNKED + b"Content-Encoding: gzip\r\n\r\n40\r\n" + gzip.compress(PAGES[1], mtime=0)[:64] + b"\r\n0\r\n\r\n",
    *(
        _OK + b"Content-Encoding: %b\r\nContent-Length: %d\r\n\r\n" % (coding, len(body)) + body
        for coding, body in (
            (b"gzip", gzip.compress(PAGES[1], mtime=0)),
            (b"deflate", zlib.compress(PAGES[2])),
            (b"deflate", zlib.compress(PAGES[2])[2:-4]),
            (b"gzip, deflate", zlib.compress(gzip.compress(PAGES[0], mtime=0))),
            (b"x-gzip", gzip.compress(b"a" * 3000, mtime=0) * 3),
            (b"br", b"\x0b\x02\x80hello\x03"),
        )
    ),
    b"HTTP/1.0 200 OK\r\n\r\nold",
    b"HTTP/1.1 200\nContent-Length: 2\n\nlf",
    b"HTTP/1.1 301 Moved\r\nLocation: ../x?y#z\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: http://other.test:25/\xe2\x80\xae\r\nContent-Length: 2\r\n\r\nno",
    b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
    b"HTTP/1.1 404 \r\nContent-Length: 2\r\n\r\nno",
    b"HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 429 Slow\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:50:37 GMT\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\nLink: x\r\n\r\n" + _OK + b"Content-Length: 1\r\n\r\nx",
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nX-Robots-Tag: googlebot: noindex\r\nX-Robots-Tag: none\r\nA:b\r\n folded\r\n\r\n",
    b"HTTP/2 200\r\n\r\n",
    b"220 mail.test ESMTP\r\n",
    b"\x16\x03\x01\x02\x00",
)

URLS: Final = (
    b"http://site.test/",
    b"HTTPS://user:pass@WWW.Site.Test:443/a/./b/../c?d=e&f#g",
    b"//other.test:8080/d",
    b"http://[2001:db8::1%25eth0]:81/@:82",
    b"http://[::ffff:1.2.3.4]/",
    b"http://0x7f.1/",
    b"http://1.2.3.4.:025/",
    "http://b\xfccher.\u0645\u062b\u0627\u0644.test/\U0001f600?\xe9".encode(),
    b"http://xn--bcher-kva.test/%7e%zz%",
    b" \n/d\te \r",
    b"?q=2",
    b"#here",
    b"http:d.html",
    b"http:\\\\site.test\\a\\..\\b",
    b"mailto:me@site.test",
    b"javascript:void(0)",
    b"data:text/html,x",
    b"file:///etc/passwd",
    b"blob:http://site.test/1",
    b"localhost:8000/x",
    b"http://site.test:65536/",
    b"http://a.b.co.uk./x;y/=&$@!",
    *rb"file:///C|/a/../../b file://localhost/d:/x \\host\c:\x /C|/x ftp://u@h:21/%2e%2E/a foo:/.//p wss:\\h:443"
    rb" foo://u:p@[::1]:80/../a\b?'c'#d'e http://[1:0:0:2::3:4.5.6.7]/ http://09.0x.1/".split(),
    b"data: x  ?y",
    "http://\u2100.xn--mgb.\uff21\u3002stra\xdfe/".encode(),
    "http://\u0644\u200c\u0644.\u0915\u094d\u200d.test/".encode(),
    "http://xn--fa-hia.\u05d0\u0308.\u01c5/".encode(),
)

#: The bases that a URL is resolved against.
BASES: Final = (
    *(None, URL, "https://u:p@[::1]:81/x/", "mailto:me@site.test", "file:///C:/a/b", "file://h/x"),
    *("foo://u@h:1/a/b?c", "foo:/a", "ws://h"),
)

ROBOTS: Final = (
    b"User-agent: *\nDisallow: /a\nAllow: /a/b\nCrawl-delay: 2.5\nSitemap: http://site.test/s.xml\n",
    b"\xef\xbb\xbfuser-AGENT: loopspec # me\r\ndisALLOW: /*.gif$\r\nUser-agent: other\r\nDisallow: /\r\n",
    b"User-agent: a\rUser-agent: loopspec\rDisallow: /%3c\rRequest-rate: 1/10s 1300-1900\rVisit-time: 0600-0845\r",
    b"User-agent: *\nDisallow: /" + b"a*" * 50 + b"b$\nClean-param: a&b /x\nHost: site.test\n",
    "User-agent: *\nDisallow: /\u30c4\nAllow: /$\nDisallow: \nDisallow\n: /x\nNoindex: /y\n".encode(),
    b"<!DOCTYPE html><title>Not found</title>",
)

_SETTINGS: Final = {"roots": [URL], "strict": True, "exclude": None, "max_redirect": 3}
_ROWS: Final = (
    record(URL, Page(("http://site.test/1", "http://site.test/2"), 200, 7, "text/html; \xfc"), 3, 1),
    record("http://site.test/1", Redirect("http://site.test/3", 301, 5, ""), 3, 2),
    record("http://site.test/2", FetchFailure("status", 404, 9, "text/html"), 3, 1),
    record("http://site.test/3", FetchFailure("refused"), 2, 4),
)
_NOTED: Final = Page((URL,), 200, 7, "text/html", (URL,), (Reference(URL, "x", "a", 1, "\u202e"),), ("x",))

JOURNALS: Final = (
    *(head(_SETTINGS) + b"".join(map(line, _ROWS[:length])) for length in range(5)),
    (head(_SETTINGS) + b"".join(map(line, _ROWS)))[:-20],
    head(_SETTINGS) + b"".join(map(line, _ROWS[1:])),  # it lost a line
    head(_SETTINGS) + line(record(URL, _NOTED, 3, 1, slow_ms=7)),
    head({}),
    head({"version": "2"}),
    head({"roots": [URL], "odd": {"a": [1.5, None]}}),
)

_COMMON: Final = (
    b"\r\n",
    b"\n",
    b"\0",
    b" ",
    b"0",
    b"-1",
    b"9" * 40,
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\x1b[2J",
)

HTML_TOKENS: Final = (
    *_COMMON,
    *b"<a href= <base href= <area href=x> <meta name=robots content=nofollow> </a> <!-- --> --!> <![CDATA[ ]]> <? </"
    b" <script> </script> <script><!-- <style> </style> <textarea> </textarea> <title> </title> <template>"
    b" </template> <noscript> </noscript> <svg> <math> <plaintext> <xmp> <iframe> <noframes> <noembed> <!DOCTYPE &amp;"
    b" &#x110000; &#99999999999; &notin &lt ' \" > = / <meta charset=utf-16> \xc3 \xe2\x80\xa8".split(b" "),
)

HTTP_TOKENS: Final = (
    *_COMMON,
    *b"HTTP/1.1 HTTP/1.0 HTTP/9.9 200 204 301 304 503 600 99 : ; , \r\n\r\n \r chunked identity gzip deflate close"
    b" keep-alive Content-Length: Transfer-Encoding: Content-Encoding: Connection: Location: Retry-After: Content-Type:"
    b" \x1f\x8b\x08 0\r\n\r\n ffffffffffffffff\r\n 1;a=b\r\n charset=utf-16 charset=rot13 application/xhtml+xml"
    b" \tfolded Date: 99:99:99 +9999".split(b" "),
)

URL_TOKENS: Final = (
    *_COMMON,
    *b"http:// https:// http: // / \\ /../ /./ %2e%2e %2F %00 %zz @ : :25 :0 :80 :443 :99999 ? # [ ]"
    b" [::1] [::ffff:1.2.3.4] 127.1 0x7f000001 4294967296 localhost . .. www. xn-- xn--a co.uk \xc2\xad"
    b" \xef\xbc\x8f \xe2\x80\xae | ^ < > ` { } \xe3\x80\x82 \xcc\x81"
    b" file: javascript: ftp:// foo: C| c:/ \xd7\x90 \xe2\x80\x8d \xc3\x9f \xe0\xa5\x8d \t".split(b" "),
)

ROBOTS_TOKENS: Final = (
    *_COMMON,
    *b"User-agent: Disallow: Allow: Crawl-delay: Request-rate: Visit-time: Sitemap: * $ # / loopspec : 1e999 nan 1/0s"
    b" %2F %zz /*/*/*/*$ \r \xef\xbb\xbf ? \\ ( [ \xe2\x80\xa8".split(b" "),
)

JOURNAL_TOKENS: Final = (
    *_COMMON,
    *b'{ } [ ] , : " null true 1e999 NaN -0 {} [] "version": "roots": "error": "page" "redirect" "refused"'
    b' "links": "url": "references": "anchors":'
    b" \\u0000 \\ud800 \\n \\u202e http://site.test/ http://site.test:25/ 18446744073709551616 1.0".split(b" "),
)
