"""The nginx that tests and benches use: its log is complete, and it ends on every path."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ...crawls import nginx
from ...crawls.nginx import Nginx, NginxError, serve
from ...dev.pythons import ROOT


@pytest.fixture
def site() -> Iterator[Path]:
    """Make a directory that every user may read, with one page."""
    if nginx.find() is None:
        pytest.skip("not run, for want of nginx-light: apt-get install nginx-light")
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        (root / "index.html").write_text("a page")
        yield root


def refuses(server: Nginx) -> bool:
    """Return whether connections are refused."""
    try:
        server.get("/")
    except ConnectionRefusedError:
        return True
    return False


def test_each_log_holds_every_request_once_and_in_order(site: Path) -> None:
    with serve(site) as server:
        assert server.asked() == []
        for round_number in range(50):
            paths = [f"/{round_number}/{i}?q=%20" for i in range(5)]
            assert server.get(*paths) == [404] * 5
            log = server.asked()
            assert [(asked.scheme, asked.method, asked.status, asked.path) for asked in log] == [
                ("http", "GET", 404, path) for path in paths
            ]
        assert server.get("/") == [200]
    with serve(site) as one, serve(site) as other:
        assert one.url != other.url
        one.get("/one")
        assert [asked.path for asked in one.asked()] == ["/one"]
        assert other.asked() == []


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_it_ends_with_the_block(site: Path, error: type[BaseException]) -> None:
    with pytest.raises(error), serve(site) as server:
        raise error
    assert refuses(server)


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="not run, for want of setpriv (util-linux)")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_it_ends_with_the_process_that_started_it(site: Path, number: signal.Signals) -> None:
    """nginx also has the pipe (file descriptor 1): it closes when both processes have ended."""
    program = (
        "from pathlib import Path; from model_tests.crawls.nginx import serve; import sys\n"
        "with serve(Path(sys.argv[1])) as server:\n"
        "    print(server.url, flush=True); sys.stdin.read()"
    )
    # Its files are deleted with the site.
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(site)}
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(site)],
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        assert process.stdout.readline().startswith(b"http://")
        process.send_signal(number)
        assert process.wait() == -number
        assert process.stdout.read() == b""


def test_why_it_does_not_start_is_told(site: Path) -> None:
    with (
        pytest.raises(NginxError, match=r'did not start: .*unknown directive "wrong"'),
        serve(site, rules=["wrong;"]),
    ):
        pass
    (site / "index.html").chmod(0)
    with pytest.raises(NginxError, match=r"nginx answers 403 for /index.html: is it there"), serve(site):
        pass
