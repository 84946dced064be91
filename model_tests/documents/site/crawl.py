"""The crawl of the built site, served on the loopback interface: `loopspec crawl --check all` must find nothing."""

import json
import sys
import tempfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from ...crawls.server import Background
from ...dev.pythons import run_command

_LOOPBACK: Final = "127.0.0.1"


class _Quiet(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # Any: as in http.server
        pass


def crawl(site: Path) -> tuple[int, str]:
    """Crawl a site, with fragments, images, scripts and stylesheets; return the exit status and the output.

    Links to other hosts are not followed.  A page without a link to it is named, too, and makes the status 1.
    """
    listening = ThreadingHTTPServer((_LOOPBACK, 0), partial(_Quiet, directory=str(site)))
    with Background(listening), tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "crawl.jsonl"
        url = f"http://{_LOOPBACK}:{listening.server_port}/index.html"
        options = ["--check", "all", "--quiet", "--no-robots", "--per-host", "8", "--json"]
        words = [sys.executable, "-m", "model_tests.commands.cli", "crawl", url, *options, str(lines)]
        ran = run_command(*words)
        reached = {
            unquote(urlsplit(row["url"]).path).lstrip("/")
            for row in map(json.loads, lines.read_text(encoding="utf-8").splitlines())
            if "url" in row
        }
    unlinked = [
        page
        for page in sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
        if page not in reached and page != "404.html"
    ]
    printed = ran.stdout + ran.stderr + "".join(f"no link leads to {page}\n" for page in unlinked)
    return ran.returncode or int(bool(unlinked)), printed
