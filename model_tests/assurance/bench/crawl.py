"""`make bench-crawl`: one real documentation site behind nginx on loopback, crawled by ours and by its peers.

    python -m model_tests.assurance.bench.crawl [--rounds N] [--site DIR] [NAME...]

Each crawler is a process of its own, as a user would start it, with ten requests at a time (wget supports one).  Its
requests are read from nginx's access log, not from its own output.  The sets of (path, status) of all crawlers must be
equal, or the exit status is 1, because the figures would not be comparable.  Pages per second are counted from the
first answer in the log to the last, so they exclude the start of Python.  Wall and CPU time are those of the whole
process.  Rounds are interleaved; the table has medians of the rounds.  Other load on the machine changes pages per
second first; it changes the least CPU time of all rounds, per URL, the least.

Exit status: 2 when something is missing, with one line that names it.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Final

from ...crawls.nginx import PYTHON, Nginx, NginxError, PendingRequest, serve
from ...dev.pythons import ROOT

CONCURRENCY: Final = "10"
_ROUNDS: Final = 3

#: Each crawler's command; {url} is the root.
COMMANDS: Final = {
    "loopspec": (
        *("-m", "model_tests.commands.cli", "crawl", "-q", "--exit-zero", "--no-robots"),
        *("--max-tasks", CONCURRENCY, "--per-host", CONCURRENCY, "{url}"),
    ),
    "aiohttp": ("-m", "model_tests.assurance.bench.aiohttp_crawler", "{url}"),
    "scrapy": ("-m", "model_tests.assurance.bench.scrapy_crawler", "{url}"),
    "wget": (
        *("wget", "--no-config", "--no-proxy", "-q"),
        *("-r", "-l", "inf", "-e", "robots=off", "--follow-tags=a,area", "{url}"),
    ),
}
_BASE: Final = "aiohttp"


class Missing(Exception):
    """The bench lacks something; the text is one line."""


@dataclass(frozen=True, slots=True)
class Crawl:
    """One crawl by one crawler."""

    wall_s: float
    cpu_s: float
    asked: list[PendingRequest]

    @property
    def pages(self) -> frozenset[tuple[str, int]]:
        return frozenset((asked.path, asked.status) for asked in self.asked)

    @property
    def pages_per_s(self) -> float:
        """Requests per second, from the first answer to the last."""
        times = [asked.at for asked in self.asked]
        return (len(times) - 1) / max(max(times) - min(times), 0.001)  # at least the log's resolution


def run_crawler(name: str, nginx: Nginx) -> Crawl:
    """Crawl once.

    Raises:
        subprocess.CalledProcessError: it failed; its stderr is ours.
    """
    url = f"{nginx.url}index.html"
    words = [word.format(url=url) for word in COMMANDS[name]]
    command = words if name == "wget" else [sys.executable, *words]
    with tempfile.TemporaryDirectory() as place:  # wget keeps its pages
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        before = time.monotonic()
        process = subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.DEVNULL)
        try:
            _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        wall = time.monotonic() - before
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0 and not (name == "wget" and process.returncode == 8):  # 8: a link was broken
        raise subprocess.CalledProcessError(process.returncode, command)
    return Crawl(wall, used.ru_utime + used.ru_stime, nginx.asked())


def find_site(given: str | None) -> Path:
    """Return the directory of the site.

    Raises:
        Missing: it has no index.html, or none is known.
    """
    if given is not None:
        root = Path(given).resolve()
        if not (root / "index.html").is_file():
            raise Missing(f"--site {given} has no index.html")
        return root
    installed = PYTHON.root()
    if installed is None:
        raise Missing(
            f"Python's documentation is not installed (Debian: apt-get install {PYTHON.name}); or name --site DIR"
        )
    return installed


def check_crawlers(names: Sequence[str]) -> None:
    """Check that every crawler is installed.

    Raises:
        Missing: the first that is not.
    """
    if "wget" in names and shutil.which("wget") is None:
        raise Missing("wget is not installed (Debian: apt-get install wget)")
    for package in ("aiohttp", "scrapy"):
        if package in names and find_spec(package) is None:
            raise Missing(f"{package} is not installed (`make bench-crawl` installs it)")


def differences(crawls: dict[str, list[Crawl]]) -> list[str]:
    """Return a line for each crawler with other requests than the first one, or with the same request twice."""
    first, *_ = crawls
    expected = crawls[first][0].pages
    found = []
    for name, own in crawls.items():
        for crawl in own:
            odd = sorted(crawl.pages ^ expected)
            if odd:
                found.append(f"{name} and {first} differ in {len(odd)} URLs, the first is {odd[0]}")
            if len(crawl.asked) != len(crawl.pages):
                found.append(f"{name} asked {len(crawl.asked)} times for {len(crawl.pages)} URLs")
    return list(dict.fromkeys(found))


def table(crawls: dict[str, list[Crawl]]) -> str:
    """Yield one line per crawler; ratios are medians of the ratios within the rounds."""
    lines = [
        f"{'crawler':<12}{'URLs':>6}{'pages/s':>10}{'/ ' + _BASE:>12}{'wall s':>10}{'CPU s':>8}{'least ms/URL':>14}"
    ]
    for name, own in crawls.items():
        speed = median(crawl.pages_per_s for crawl in own)
        ratio = "-"
        if _BASE in crawls:
            of_base = [a.pages_per_s / b.pages_per_s for a, b in zip(own, crawls[_BASE], strict=True)]
            ratio = f"{median(of_base):.2f}"
        wall, cpu = median(crawl.wall_s for crawl in own), median(crawl.cpu_s for crawl in own)
        least = min(crawl.cpu_s / len(crawl.asked) for crawl in own) * 1000
        lines.append(f"{name:<12}{len(own[0].pages):>6}{speed:>10.0f}{ratio:>12}{wall:>10.2f}{cpu:>8.2f}{least:>14.2f}")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m model_tests.assurance.bench.crawl", allow_abbrev=False)
    parser.add_argument("--rounds", type=int, choices=range(1, 100), default=_ROUNDS, metavar="N")
    parser.add_argument("--site", metavar="DIR", help="a directory of HTML files with an index.html")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(COMMANDS)}")
    options = parser.parse_args(argv)
    names = options.names or list(COMMANDS)
    if unknown := [name for name in names if name not in COMMANDS]:
        parser.error(f"no crawler is named {unknown[0]!r}; they are {', '.join(COMMANDS)}")
    crawls: dict[str, list[Crawl]] = {name: [] for name in names}
    try:
        check_crawlers(names)
        root = find_site(options.site)
        with serve(root) as nginx:
            for _ in range(options.rounds):
                for name in names:
                    crawls[name].append(run_crawler(name, nginx))
    except (Missing, NginxError) as error:
        print(f"bench-crawl: {error}", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"bench-crawl: {' '.join(error.cmd)} exited with {error.returncode}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"{root} behind nginx on loopback, medians of {options.rounds} interleaved rounds")
    print(table(crawls))
    for text in (odd := differences(crawls)):
        print(text)
    return 1 if odd else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nginx is stopped on this path too
    sys.exit(main())
