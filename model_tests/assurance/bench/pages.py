"""Seconds and bytes a URL of simulated crawls that grow by decades: both must hardly grow with the crawl.

Each crawl is `loopspec simulate` in a process of its own: CPU seconds and peak memory are those of that process, less
those of a crawl of one page.  Linux only: the peak is read from /proc.

    python -m model_tests.assurance.bench.pages [PAGES...]      1000 10000 100000 1000000 unless others are given
"""

import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Final

from impl.crawl.commands import simulate

_PAGES: Final = (1_000, 10_000, 100_000, 1_000_000)
#: The most that seconds and bytes a URL may grow, from one number of pages to the next.
GROWTH_MAX: Final = 1.5
_KIB: Final = 1024
#: The option of the process that makes one crawl.
_ONE: Final = "--one"


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a whole crawl, where `bytes` is the peak; or of a URL of it, beyond a crawl of one page."""

    pages: int
    urls: int
    seconds: float
    bytes: float


def cost(pages: int) -> Cost:
    """Crawl so many pages, in a process of its own.

    Raises:
        subprocess.CalledProcessError: the crawl failed.
    """
    command = [sys.executable, "-m", "model_tests.assurance.bench.pages", _ONE, str(pages)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    urls, seconds, peak = ran.stdout.split()
    return Cost(pages, int(urls), float(seconds), int(peak))


def _one(pages: int) -> int:
    """Crawl so many pages in this process; print URLs, CPU seconds and the peak of memory in bytes."""
    with redirect_stdout(StringIO()) as report:
        status = simulate.main(["--pages", str(pages)])
    urls = report.getvalue().split()[0].replace(",", "")
    # Not ru_maxrss, which a process inherits from the one that started it.
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="utf-8"))
    assert peak is not None
    print(urls, time.process_time(), int(peak[1]) * _KIB)
    return status


def row(whole: Cost, least: Cost) -> Cost:
    """Return the cost of a URL."""
    urls = whole.urls - least.urls
    seconds, memory = whole.seconds - least.seconds, whole.bytes - least.bytes
    return Cost(whole.pages, whole.urls, seconds / urls, memory / urls)


def lines(rows: Iterable[Cost]) -> Iterator[str]:
    """Yield the table, a line as soon as its row is there."""
    yield f"{'pages':>9} {'URLs':>9} {'ms a URL':>9} {'growth':>7} {'bytes a URL':>12} {'growth':>7}"
    before = None
    for now in rows:
        slower, larger = growth(before, now) if before is not None else (1.0, 1.0)
        yield (
            f"{now.pages:>9,} {now.urls:>9,} {now.seconds * 1000:>9.3f} {slower:>7.2f}"
            f" {now.bytes:>12,.0f} {larger:>7.2f}"
        )
        before = now


def growth(before: Cost, now: Cost) -> tuple[float, float]:
    """Return the growth of seconds and bytes a URL, as factors."""
    return now.seconds / before.seconds, now.bytes / before.bytes


def main(argv: Sequence[str]) -> int:
    """Print the table; returns 1 if a URL costs too much more in a larger crawl."""
    if argv[:1] == [_ONE]:
        return _one(int(argv[1]))
    least = cost(1)
    rows: list[Cost] = []

    def measured() -> Iterator[Cost]:
        for pages in map(int, argv) if argv else _PAGES:
            rows.append(row(cost(pages), least))
            yield rows[-1]

    for line in lines(measured()):
        print(line, flush=True)
    grown = [factor for pair in pairwise(rows) for factor in growth(*pair)]
    return 1 if any(factor > GROWTH_MAX for factor in grown) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
