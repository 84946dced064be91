"""The wheel with each of its extras, in an empty environment of each Python.

The extra has to install, and the libraries that it names have to be imported; those that a marker of pyproject.toml
leaves out on a Python are printed.  With the extra `crawl` the command then crawls a site on the loopback interface,
with `conform` it holds asyncio to rules.

    python -m model_tests.dev.extras WHEEL [EXTRA...]       default: all
"""

import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from .installation import PACKAGE, PYPROJECT, pip
from .pythons import Interpreter, pythons, run_command

EXTRAS: Final = tuple(PYPROJECT["project"]["optional-dependencies"])

#: Run in the environment: prints the libraries of an extra that are not there, and fails if one cannot be imported.
IMPORTS: Final = """
import importlib.metadata as metadata, importlib.util as util, re, sys
package, extra = sys.argv[1:]
plain = lambda name: re.sub(r"[-_.]+", "-", name).lower()
modules = {}
for module, distributions in metadata.packages_distributions().items():
    for each in distributions:
        modules.setdefault(plain(each), []).append(module)
for each in metadata.requires(package):
    name = re.match(r"[\\w.-]+", each)[0]
    if name == package or not re.search(rf"extra == .{extra}\\b", each):
        continue
    if plain(name) not in modules:
        print(name)
        continue
    public = [module for module in modules[plain(name)] if module.isidentifier() and module[0] != "_"]
    there = [module for module in public if util.find_spec(module)]
    assert there, f"nothing of {name} can be imported"
    for module in there:
        __import__(module)
"""
CONFORM: Final = ("conform", "asyncio", "--only", "FUT-2", "QUEUE-5", "--random", "0")
#: A site of three pages.
PAGES: Final = {
    "index.html": '<a href="a.html">a</a> <a href="b/">b</a>',
    "a.html": '<a href="/">home</a>',
    "b/index.html": '<a href="../a.html#top">a</a>',
}


class Fails(Exception):
    """An extra cannot be installed or used; the text is the output of the command."""


def checked(python: Interpreter, wheel: Path, extra: str, folder: Path) -> str:
    """Install an extra into an empty environment in `folder`, and use it; return the libraries that it does not bring.

    Raises:
        Fails: it does not install, a library cannot be imported, the crawl does not read the site, or the kit fails.
    """
    _run(python.path, "-m", "venv", "--without-pip", folder)
    inside = folder / "bin" / "python"
    _run(*pip(inside), f"{wheel}[{extra}]")
    absent = _run(inside, "-W", "ignore", "-c", IMPORTS, PACKAGE, extra).split()
    if extra == "crawl":
        _crawl(inside.with_name(PACKAGE), folder / "site")
    if extra == "conform":
        _run(inside.with_name(PACKAGE), *CONFORM)
    return ", ".join(absent)


def _crawl(command: Path, site: Path) -> None:
    for name, text in PAGES.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(f"<html><body>{text}</body></html>", encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_QuietFileServer, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        seen = _run(command, "crawl", "--private", f"http://127.0.0.1:{server.server_port}/")
        server.shutdown()
    if f"{len(PAGES)} URLs" not in seen:
        raise Fails(f"the crawl has not read {len(PAGES)} pages:\n{seen}")


class _QuietFileServer(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def _run(*command: str | Path) -> str:
    ran = run_command(*command)
    if ran.returncode:
        raise Fails(f"{' '.join(map(str, command[:6]))} ...: status {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def main(argv: Sequence[str]) -> int:
    """Check these extras on each Python; 0, 1 if one fails, 2 on bad usage."""
    wanted = argv[1:] or EXTRAS
    if not argv or not argv[0].endswith(".whl") or not Path(argv[0]).is_file() or {*wanted} - {*EXTRAS}:
        print(
            f"usage: python -m model_tests.dev.extras WHEEL [EXTRA...]; the extras are {', '.join(EXTRAS)}",
            file=sys.stderr,
        )
        return 2
    status = 0
    for python in pythons():
        for extra in wanted:
            began = time.monotonic()
            try:
                with tempfile.TemporaryDirectory(prefix="loopspec-extra-") as folder:
                    absent = checked(python, Path(argv[0]).resolve(), extra, Path(folder).resolve())
            except Fails as error:
                status, said = 1, f"FAILS: {error}"
            else:
                said = f"without {absent}" if absent else "whole"
            print(f"{python.release} [{extra}]: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
