"""Which proxy leads to a URL, and the bytes that a client sends to it."""

import pickle
from base64 import b64encode

import pytest

from impl.web.http import Client, HttpError, Identity, ProxyError, Send
from impl.web.proxy import Always, Proxy, environment, proxy_of
from impl.web.url import split

SECRET = "Basic " + b64encode(b"me:pass word").decode()


@pytest.mark.parametrize(
    ("text", "proxy"),
    [
        ("http://proxy.test:3128", Proxy("proxy.test", 3128)),
        ("http://proxy.test:3128/", Proxy("proxy.test", 3128)),
        ("proxy.test:3128", Proxy("proxy.test", 3128)),
        ("HTTP://PROXY.test", Proxy("proxy.test", 80)),
        ("http://[::1]:8080", Proxy("::1", 8080)),
        ("http://me:pass%20word@proxy.test:1", Proxy("proxy.test", 1, SECRET)),
        ("http://me@proxy.test:1", Proxy("proxy.test", 1, "Basic " + b64encode(b"me:").decode())),
    ],
)
def test_a_url_names_a_proxy(text: str, proxy: Proxy) -> None:
    assert proxy_of(text) == proxy


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("https://me:secret@proxy.test", "only http:// proxies are supported, not https://"),
        ("socks5://me:secret@proxy.test:1080", "only http:// proxies are supported, not socks5://"),
        ("", "a proxy is named by a URL"),
        ("http://me:secret@", "a proxy is named by a URL"),
        ("http://me:secret@proxy.test:x", "a proxy is named by a URL"),
        ("http://me:secret@proxy.test/path", "nothing after them"),
        ("http://me:secret@proxy.test?query", "nothing after them"),
    ],
)
def test_what_names_no_proxy_is_an_error_without_the_password(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as error:
        proxy_of(text)
    assert "secret" not in str(error.value)


def chosen(monkeypatch: pytest.MonkeyPatch, url: str, **variables: str) -> str | None:
    """The host of the proxy that these variables choose, and no others."""
    names = ("http", "https", "all", "no")
    for name in (*(f"{name}_proxy" for name in names), *(f"{name}_proxy".upper() for name in names)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("REQUEST_METHOD", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    proxy = environment()(split(url))
    return None if proxy is None else proxy.host


@pytest.mark.parametrize(
    ("variables", "http", "https"),
    [
        ({}, None, None),
        ({"http_proxy": "a:1"}, "a", None),
        ({"HTTP_PROXY": "a:1", "HTTPS_PROXY": "b:1"}, "a", "b"),
        ({"http_proxy": "a:1", "HTTP_PROXY": "b:1"}, "a", None),
        ({"HTTP_PROXY": "a:1", "REQUEST_METHOD": "GET"}, None, None),
        ({"all_proxy": "a:1"}, "a", "a"),
        ({"all_proxy": "a:1", "https_proxy": "b:1"}, "a", "b"),
        ({"all_proxy": "socks5://a", "http_proxy": "b:1", "https_proxy": "c:1"}, "b", "c"),
        ({"all_proxy": "a:1", "no_proxy": "*"}, None, None),
        ({"all_proxy": "a:1", "no_proxy": "other.test, site.test"}, None, None),
        ({"all_proxy": "a:1", "no_proxy": ".test"}, None, None),
        ({"all_proxy": "a:1", "NO_PROXY": "other.test"}, "a", "a"),
        ({"all_proxy": "a:1", "no_proxy": "site.test:8000"}, "a", None),
    ],
)
def test_the_environment_is_read_as_the_standard_library_does(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], http: str | None, https: str | None
) -> None:
    assert chosen(monkeypatch, "http://www.site.test/", **variables) == http
    assert chosen(monkeypatch, "https://www.site.test:8000/", **variables) == https


def test_a_choice_can_be_sent_to_another_process_and_shows_no_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("http_proxy", "http://me:secret@p:1")
    for choose in (environment(), Always(proxy_of("http://me:secret@p:1"))):
        sent = pickle.loads(pickle.dumps(choose))
        assert sent == choose
        assert sent(split("http://a.test/")) == proxy_of("http://me:secret@p:1")
    proxy = Proxy("proxy.test", 1, SECRET)
    assert SECRET.split()[1] not in repr(proxy)


def test_an_error_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"^all_proxy: only http:// proxies are supported, not socks5://$"):
        chosen(monkeypatch, "http://a.test/", all_proxy="socks5://me:secret@a.test")


def lines(command: object) -> list[str]:
    assert isinstance(command, Send)
    return command.data.decode().split("\r\n")


def test_a_request_to_a_proxy_has_the_whole_url_and_the_credentials() -> None:
    client = Client(proxy=Proxy("proxy.test", 1, SECRET))
    first, host, *rest = lines(next(client.get("http://a.test:81/b?c")))
    assert (first, host) == ("GET http://a.test:81/b?c HTTP/1.1", "Host: a.test:81")
    assert f"Proxy-Authorization: {SECRET}" in rest
    assert not any("proxy" in line.lower() for line in lines(next(Client().get("http://a.test/"))))


@pytest.mark.parametrize(("url", "to"), [("https://a.test/x", "a.test:443"), ("https://[::1]:81/", "[::1]:81")])
def test_a_tunnel_is_asked_for_by_host_and_port(url: str, to: str) -> None:
    """The headers of the user are for the origin, not for the proxy."""
    identity = Identity("me", (("Cookie", "a=b"),), ("https://a.test", "https://[::1]:81"))
    client = Client(identity=identity, proxy=Proxy("proxy.test", 1, SECRET))
    asked = lines(next(client.tunnel(split(url))))
    assert asked[:2] == [f"CONNECT {to} HTTP/1.1", f"Host: {to}"]
    assert asked[2:] == ["User-Agent: me", f"Proxy-Authorization: {SECRET}", "", ""]


def answered(answer: bytes) -> None:
    """Read a proxy's answer to a CONNECT."""
    dialogue = Client(proxy=Proxy("proxy.test", 1)).tunnel(split("https://a.test/"))
    next(dialogue)
    next(dialogue)
    with pytest.raises(StopIteration):
        dialogue.send(answer)


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 Connection established\r\n\r\n",
        b"HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\n",  # without a meaning here: RFC 9110, 9.3.6
        b"HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 201 Created\r\n\r\n",
    ],
)
def test_a_tunnel_begins_after_the_head(answer: bytes) -> None:
    answered(answer)


@pytest.mark.parametrize("status", [301, 403, 407, 502])
def test_a_proxy_may_refuse_a_tunnel(status: int) -> None:
    with pytest.raises(ProxyError) as error:
        answered(b"HTTP/1.1 %d No\r\nContent-Length: 9\r\n\r\nsome text" % status)
    assert (error.value.kind, error.value.status) == ("proxy", status)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(b"HTTP/1.1 200 OK\r\n\r\nx", "protocol"), (b"SSH-2.0", "protocol"), (b"", "incomplete")],
)
def test_other_answers_make_no_tunnel(answer: bytes, kind: str) -> None:
    with pytest.raises(HttpError) as error:
        answered(answer)
    assert error.value.kind == kind


@pytest.mark.parametrize(("proxy", "refused"), [(Proxy("proxy.test", 1), True), (None, False)])
def test_407_is_the_answer_of_a_proxy(proxy: Proxy | None, refused: bool) -> None:
    dialogue = Client(proxy=proxy).get("http://a.test/")
    next(dialogue)
    next(dialogue)
    answer = b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
    with pytest.raises(ProxyError if refused else StopIteration):
        dialogue.send(answer)
