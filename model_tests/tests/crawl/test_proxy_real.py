"""`loopspec crawl --proxy` through a real proxy on loopback: the option, and the secrets that it keeps."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from impl.crawl.commands import crawl as command
from impl.web.serving.site import Raw, Site

from ...crawls.server import Connections, Server
from ..fixtures import Captured, Patch
from ..net.tls import AUTHORITY, server_context
from .test_proxy import END, Head, lines

_BLOCK: Final = 65536
NAME = "site.test"
PAGES = {"": b"<a href=a>", "a": b"<a href=/>", "robots.txt": b"User-agent: *\nDisallow: /b"}
VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


class RealProxy(Connections):
    """A proxy on loopback, for the duration of its context: every name leads to the server at `origin`."""

    def __init__(self, origin: tuple[str, int]) -> None:
        super().__init__(self._converse)
        self.port = self.address[1]
        self.heads: list[Head] = []
        self._origin = origin

    def _converse(self, client: socket.socket) -> None:
        received = b""
        while not received.endswith(END):
            data = client.recv(_BLOCK)
            if not data:
                return
            received += data
        head = lines(received)
        self.heads.append(head)
        with socket.create_connection(self._origin) as origin:
            if head[0].startswith("CONNECT "):
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                kept = [line for line in head if not line.startswith("Proxy-")]
                origin.sendall("\r\n".join([*kept, "Connection: close", "", ""]).encode())
            back = threading.Thread(target=_copy, args=(origin, client))
            back.start()
            _copy(client, origin)
            back.join()


def _copy(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(_BLOCK):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


def serve(server: Server, name: str = NAME) -> None:
    pages = {
        f"http://{name}/{path}": Raw(text, "text/plain" if path == "robots.txt" else "text/html")
        for path, text in PAGES.items()
    }
    server.dial(Site(pages, (f"http://{name}/",)))


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: Patch) -> None:
    for name in (*VARIABLES, *(name.upper() for name in VARIABLES), "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def proxy(no_certificates: None) -> Iterator[RealProxy]:
    with Server() as server, RealProxy(server.address) as proxy:
        serve(server)
        yield proxy


def firsts(proxy: RealProxy) -> list[str]:
    return sorted({head[0] for head in proxy.heads})


ASKED = [f"GET http://{NAME}/{path} HTTP/1.1" for path in ("", "a", "robots.txt")]


def test_a_crawl_through_the_proxy_of_the_option(proxy: RealProxy, tmp_path: Path, capsys: Captured) -> None:
    """The site has no address here: the proxy looks it up.  The password is in no output."""
    path = tmp_path / "found.json"
    option = f"http://me:secret@127.0.0.1:{proxy.port}"
    assert command.main(["--proxy", option, "-v", "--json", str(path), f"http://{NAME}/"]) == 0
    assert firsts(proxy) == ASKED
    assert all("Proxy-Authorization: Basic bWU6c2VjcmV0" in head for head in proxy.heads)
    records = [json.loads(line) for line in path.read_text("ascii").splitlines()[1:]]
    assert {row["url"]: row["status"] for row in records} == {f"http://{NAME}/": 200, f"http://{NAME}/a": 200}
    written = "".join([*capsys.readouterr(), path.read_text("ascii")])
    assert "secret" not in written
    assert "bWU6c2VjcmV0" not in written


def test_a_crawl_goes_on_through_another_proxy(proxy: RealProxy, tmp_path: Path) -> None:
    path, root = str(tmp_path / "found.json"), f"http://{NAME}/"
    options = ("-q", "--max-tries", "1")
    command.main([*options, "--proxy", "http://127.0.0.1:1", "--json", path, root])
    assert command.main([*options, "--proxy", f"http://127.0.0.1:{proxy.port}", "--resume", path, root]) == 1


def test_a_crawl_through_the_proxies_of_the_environment(proxy: RealProxy, monkeypatch: Patch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
    assert command.main(["--proxy", "env", "-q", f"http://{NAME}/"]) == 0
    assert firsts(proxy) == ASKED


@pytest.mark.parametrize("options", [(), ("--proxy", "env")])
def test_no_environment_counts(proxy: RealProxy, monkeypatch: Patch, options: tuple[str, ...]) -> None:
    """Nor where no_proxy has the host: a host that does not exist is asked for directly."""
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
    monkeypatch.setenv("no_proxy", NAME)
    monkeypatch.setattr(socket, "getaddrinfo", _unknown)
    assert command.main([*options, "-q", "--max-tries", "1", f"http://{NAME}/"]) == 1
    assert proxy.heads == []


def _unknown(host: str, *rest: object, **more: object) -> object:
    raise socket.gaierror(socket.EAI_NONAME, "unknown")


def test_https_is_a_tunnel_with_tls_in_it(tmp_path: Path, monkeypatch: Patch) -> None:
    store = tmp_path / "authority.pem"
    AUTHORITY.cert_pem.write_to_path(str(store))
    monkeypatch.setenv("SSL_CERT_FILE", str(store))
    with Server(server_context(NAME)) as server, RealProxy(server.address) as proxy:
        serve(server)
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.port}")
        assert command.main(["--proxy", "env", "-q", f"https://{NAME}/"]) == 0
        assert firsts(proxy) == [f"CONNECT {NAME}:443 HTTP/1.1"]


def test_a_link_to_a_private_address_is_not_asked_of_the_proxy(capsys: Captured) -> None:
    """A root is, if it is written so; its host, without www., is in scope, but was not written."""
    site, local = f"http://{NAME}/", "http://www.localhost./"
    with Server() as server, RealProxy(server.address) as proxy:
        server.dial(Site({site: Raw(b"<a href='http://localhost./'>", "text/html")}, (site,)))
        options = ("--proxy", f"http://127.0.0.1:{proxy.port}", "--no-robots", "-v")
        assert command.main([*options, site, local]) == 1
        assert firsts(proxy) == [f"GET {site} HTTP/1.1", f"GET {local} HTTP/1.1"]
        assert "---  http://localhost./  private\n" in capsys.readouterr().out
        assert command.main([*options, "--private", site, local]) == 1
        assert "GET http://localhost./ HTTP/1.1" in firsts(proxy)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("socks5://me:secret@127.0.0.1:1080", "only http:// proxies are supported, not socks5://"),
        ("https://me:secret@127.0.0.1:1080", "only http:// proxies are supported, not https://"),
        ("http://me:secret@", "a proxy is named by a URL"),
    ],
)
@pytest.mark.parametrize("variable", [False, True])
def test_what_is_no_http_proxy_is_a_usage_error_without_the_password(
    value: str, why: str, variable: bool, capsys: Captured, monkeypatch: Patch
) -> None:
    monkeypatch.setenv("ALL_PROXY", value)
    assert command.main(["--proxy", "env" if variable else value, "http://a.test/"]) == 2
    out, err = capsys.readouterr()
    where = "all_proxy: " if variable else ""
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"loopspec crawl: argument --proxy: {where}{why}")
    assert "secret" not in err
