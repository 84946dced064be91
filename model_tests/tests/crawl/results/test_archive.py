"""The archive of --save, read by the library that others read such files with: it holds the server's bytes."""

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from impl.crawl.commands import crawl as command
from impl.web.http import Client, Identity, Response, Send
from impl.web.proxy import Proxy

from ....dev.pythons import ROOT
from ...crawls.bad_servers import BadServer, sends
from ...crawls.resources import PATIENCE_S
from ...fixtures import Captured
from ...process import python
from ..helpers import RealSite, room
from .test_crash import tree

NAME = "crawl-00000.warc.gz"
PLAIN = ("-q", "--no-robots", "--exit-zero", "--max-tries", "1")

PACKED = gzip.compress(b"<a href=none>" * 100)
LINKS = b"<a href=packed><a href=chunked><a href=trailer><a href=moved><a href=early><a href=cut>"
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n02\r\nde\r\n0\r\n"
#: The bodies of the server, by path.
ANSWERS = {
    "": b"HTTP/1.1 200 Fine\r\nContent-Type:text/html\r\nX-Odd:   a  b \r\n\r\n" + LINKS,
    "packed": OK + b"content-type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + PACKED,
    "chunked": CHUNKED + b"\r\n",
    "trailer": CHUNKED + b"X-Sum: 1\r\n\r\n",
    "moved": b"HTTP/1.1 301 Moved\r\nLocation: /none\r\nContent-Length: 4\r\n\r\nthen",
    "none": b"HTTP/1.1 404 None\r\nContent-Length: 5\r\n\r\nnone\n",
    "early": OK + b"Set-Cookie: a=b\r\nContent-Length: 0\r\n\r\n",
    "cut": OK + b"Content-Length: 9\r\n\r\nhalf",
}
BEFORE = {"early": b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"}


@pytest.fixture
def server(no_certificates: None) -> Iterator[BadServer]:
    with BadServer({path: sends(BEFORE.get(path, b""), data) for path, data in ANSWERS.items()}) as server:
        yield server


def records(path: Path) -> list[tuple[dict[str, str], bytes]]:
    with path.open("rb") as file:
        found = ArchiveIterator(file, no_record_parse=True)
        return [(dict(record.rec_headers.headers), record.raw_stream.read()) for record in found]


def of_type(path: Path, kind: str) -> dict[str, tuple[dict[str, str], bytes]]:
    found = [each for each in records(path) if each[0]["WARC-Type"] == kind]
    by_path = {fields["WARC-Target-URI"].rpartition("/")[2]: (fields, block) for fields, block in found}
    assert len(by_path) == len(found)
    return by_path


def test_each_response_is_there_byte_for_byte_with_its_request(server: BadServer, tmp_path: Path) -> None:
    assert command.main([*PLAIN, "--save", str(tmp_path / "new"), server.root]) == 0
    path = tmp_path / "new" / NAME
    responses, requests = of_type(path, "response"), of_type(path, "request")
    assert {name: block for name, (_, block) in responses.items()} == {
        name: answer for name, answer in ANSWERS.items() if name != "cut"
    }
    assert set(requests) == set(responses)
    for name, (fields, block) in requests.items():
        assert block.startswith(b"GET /%s HTTP/1.1\r\n" % name.encode())
        assert block.endswith(b"\r\n\r\n")
        assert fields["WARC-Concurrent-To"] == responses[name][0]["WARC-Record-ID"]
        assert fields["WARC-Date"] == responses[name][0]["WARC-Date"]
        assert fields["WARC-Target-URI"] == f"{server.root}{name}"
        assert fields["Content-Type"] == "application/http; msgtype=request"


def test_the_file_says_what_it_is(server: BadServer, tmp_path: Path) -> None:
    command.main([*PLAIN, "--save", str(tmp_path), "--contact", "me@a.test", server.root])
    path = tmp_path / NAME
    assert gzip.decompress(path.read_bytes()).startswith(b"WARC/1.1\r\nWARC-Type: warcinfo\r\n")
    (fields, block), *_ = records(path)
    assert fields["WARC-Filename"] == NAME
    assert b"software: loopspec\r\n" in block
    assert b"http-header-user-agent: loopspec (me@a.test)\r\nrobots: ignore\r\n" in block


def test_readers_undo_the_codings_and_the_digests_hold(server: BadServer, tmp_path: Path) -> None:
    command.main([*PLAIN, "--save", str(tmp_path), server.root])
    contents: dict[str, bytes] = {}
    with (tmp_path / NAME).open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            content = record.content_stream().read()
            if record.rec_type == "response":
                assert record.digest_checker.passed is True
                contents[record.rec_headers.get_header("WARC-Target-URI").rpartition("/")[2]] = content
    assert contents["packed"] == b"<a href=none>" * 100
    assert contents["chunked"] == b"abcde"
    assert contents["none"] == b"none\n"


def test_robots_txt_is_saved_too(tmp_path: Path, no_certificates: None) -> None:
    rules = b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nUser-agent: *"
    with BadServer({"robots.txt": sends(rules), "": sends(ANSWERS["none"])}) as server:
        command.main(["-q", "--save", str(tmp_path), server.root])
    assert of_type(tmp_path / NAME, "response")["robots.txt"][1] == rules


def test_no_value_of_a_users_header_is_written(server: BadServer, tmp_path: Path) -> None:
    secrets = ("Authorization: Basic c2VjcmV0", "Cookie: c2VjcmV0", "X-Key: c2VjcmV0")
    options = [part for secret in secrets for part in ("--header", secret)]
    command.main([*PLAIN, *options, "--save", str(tmp_path), server.root])
    written = gzip.decompress((tmp_path / NAME).read_bytes())
    assert b"c2VjcmV0" not in written
    for name, (_, block) in of_type(tmp_path / NAME, "request").items():
        assert b"\r\nAuthorization: \r\nCookie: \r\nX-Key: \r\n" in block, name


def response(client: Client) -> tuple[bytes, Response]:
    dialogue = client.get("http://a.test/")
    command = next(dialogue)
    assert isinstance(command, Send)
    next(dialogue)
    with pytest.raises(StopIteration) as stop:
        dialogue.send(ANSWERS["none"])
    assert isinstance(stop.value.value, Response)
    return command.data, stop.value.value


def test_the_request_is_the_one_that_was_sent_but_for_the_secrets() -> None:
    identity = Identity("me", (("Cookie", "c2VjcmV0"),), ("http://a.test",))
    sent, got = response(Client(identity=identity, proxy=Proxy("proxy.test", 1, "Basic c2VjcmV0"), keep=True))
    assert got.exchange is not None
    assert sent.count(b"c2VjcmV0") == 2
    assert got.exchange.request == sent.replace(b"Basic c2VjcmV0", b"").replace(b"c2VjcmV0", b"")
    assert got.exchange.head + got.exchange.body == ANSWERS["none"]


def test_a_response_is_kept_if_it_is_asked_for_and_no_other() -> None:
    assert response(Client())[1].exchange is None
    client = Client(keep=True)
    for _ in range(2):
        exchange = response(client)[1].exchange
        assert exchange is not None
        assert exchange.head + exchange.body == ANSWERS["none"]


def failing(capsys: Captured, *argv: str) -> str:
    assert command.main([*argv]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err.rstrip()


def test_a_file_that_exists_is_not_touched(server: BadServer, tmp_path: Path, capsys: Captured) -> None:
    path, journal = tmp_path / NAME, tmp_path / "journal"
    path.write_bytes(b"old")
    journal.write_bytes(b"old")
    line = failing(capsys, "--save", str(tmp_path), "--json", str(journal), server.root)
    assert line == f"loopspec crawl: --save: {path} exists; name another directory"
    assert (path.read_bytes(), journal.read_bytes(), server.asked) == (b"old", b"old", [])


@pytest.mark.parametrize(
    ("place", "why"),
    [("no/such", "No such file or directory"), ("file", "File exists"), ("file/x", "Not a directory")],
)
def test_a_place_without_room_is_bad_usage(tmp_path: Path, place: str, why: str, capsys: Captured) -> None:
    (tmp_path / "file").write_bytes(b"")
    line = failing(capsys, "--save", str(tmp_path / place), "http://127.0.0.1:2/")
    assert line == f"loopspec crawl: --save: cannot write {tmp_path / place / NAME}: {why}"


def test_neither_bad_usage_nor_a_missing_library_leaves_an_archive(tmp_path: Path, capsys: Captured) -> None:
    failing(capsys, "--save", str(tmp_path), "--json", "no/such/file", "http://127.0.0.1:2/")
    assert list(tmp_path.iterdir()) == []
    argv = ["crawl", "--save", str(tmp_path / "new"), "http://127.0.0.1:2/"]
    hide = "import sys; sys.modules['warcio'] = None\n"
    ran = python("-c", f"{hide}from model_tests.commands.cli import main; sys.exit(main({argv}))")
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert "needs warcio, which is not installed: pip install 'loopspec[warc]'" in ran.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [100, 1000, 2000, 3000])
def test_a_full_disk_is_one_line_and_what_was_written_is_whole(
    server: BadServer, tmp_path: Path, size: int, capsys: Captured
) -> None:
    with room(size):
        status = command.main([*PLAIN, "--max-tasks", "1", "--save", str(tmp_path), server.root])
    path = tmp_path / NAME
    lines = capsys.readouterr().err.splitlines()
    if size == 100:  # not even the first record
        assert (status, lines) == (2, [f"loopspec crawl: --save: cannot write {path}: File too large"])
        assert not path.exists()
        return
    assert (status, lines[0]) == (1, f"loopspec crawl: cannot write {path}: File too large")
    assert 0 < path.stat().st_size <= size
    assert len(of_type(path, "request")) == len(of_type(path, "response")) < 7


def readable(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    with path.open("rb") as file:
        records = iter(ArchiveIterator(file, check_digests="raise"))
        while True:
            try:
                record = next(records)
                record.content_stream().read()
            except Exception:
                return found
            if record.digest_checker.passed is not True:
                return found
            found.append(dict(record.rec_headers.headers))


def test_a_file_that_was_cut_can_be_read_up_to_its_last_record(server: BadServer, tmp_path: Path) -> None:
    command.main([*PLAIN, "--save", str(tmp_path), server.root])
    path = tmp_path / NAME
    whole = readable(path)
    path.write_bytes(path.read_bytes()[:-20])
    assert readable(path) == whole[:-1] != []


def test_a_crawl_that_was_killed_leaves_all_that_it_recorded(tmp_path: Path, web: RealSite) -> None:
    """A URL is in the journal only after its response is in the archive."""
    requests = web.serve(tree(web.root))
    journal = tmp_path / "journal"
    options = [*PLAIN, "--save", str(tmp_path), "--json", str(journal)]
    argv = [sys.executable, "-m", "impl", "crawl", *options, web.root]
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        requests.wait(lambda asked: asked.total() >= 20)
        process.kill()
        process.wait(PATIENCE_S)
    web.server.settle()
    recorded = [json.loads(line) for line in journal.read_text("ascii").split("\n")[1:-1]]
    archived = [fields["WARC-Target-URI"] for fields in readable(tmp_path / NAME)[1:]]
    assert {row["url"] for row in recorded if row["error"] is None} <= set(archived)
    assert len(archived) >= len(recorded) > 0
    with (tmp_path / NAME).open("rb") as file:
        assert len(list(ArchiveIterator(file))) == len(archived) + 1
