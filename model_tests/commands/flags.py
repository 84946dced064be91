"""The flags of all commands: each has one meaning, one type and one name for its value, wherever it stands.

That is in the commands of `loopspec`, in pyproject.toml (project.py), as parameters of Python functions
(`--max-seconds` is `max_seconds=`), and as options of pytest (`--explore-runs` is `--runs`).
tests/commands/test_flags.py compares all of them with this table.
"""

from dataclasses import dataclass
from typing import Final, Literal

#: What a flag takes: nothing; a whole number; a number of seconds; a text; a file that is written, which is no Python
#: source of the user's; one of some words; several texts.
Kind = Literal["switch", "number", "seconds", "text", "file", "choice", "list"]


@dataclass(frozen=True)
class Flag:
    """A flag, whatever command has it.

    Parameters:
        kind: the type of its value.
        metavar: the name of its value in help texts; None: it has none, or the help lists the values.
        meaning: words that each help text of it has.
        short: its other name.
    """

    kind: Kind
    metavar: str | None
    meaning: str
    short: str = ""


FLAGS: Final = {
    # of many commands
    "--html": Flag("file", "FILE", "write a page to step through"),
    "--json": Flag("file", "FILE", "as JSON"),
    "--max-seconds": Flag("seconds", "S", "seconds after which"),
    "--order": Flag("choice", None, "which ready task runs next"),
    "--pages": Flag("number", "N", "pages of the"),
    "--runs": Flag("number", "N", "number of runs"),
    "--runtime": Flag("choice", None, "run on this"),
    "--seed": Flag("number", "N", "seed of"),
    "--svg": Flag("file", "FILE", "write an SVG of"),
    "--timeout": Flag("seconds", "S", "seconds"),
    "--token": Flag("text", "T", "repeat the run of this token"),
    "--verbose": Flag("switch", None, "a line for each URL as it is done", "-v"),
    "--format": Flag("choice", None, "format of what is printed"),
    # run, explore
    "--before-run": Flag("text", "COMMAND", "before each run"),
    "--outside": Flag("list", "HOST:PORT", "a real server"),
    "--cancel": Flag("text", "NAMES", "tasks to cancel"),
    "--confirm": Flag("file", "SCRIPT", "write a plain asyncio script"),
    "--errors": Flag("text", "NAMES", "what the program must not leave behind"),
    "--follow": Flag("text", "NAMES", "installed packages to record as well"),
    "--every": Flag("switch", None, "run every schedule"),
    "--faults": Flag("text", "NAMES", "faults of the network"),
    "--iterations": Flag("number", "N", "loop iterations after which"),
    "--jobs": Flag("number", "N", "split the search over N processes"),
    "--keep-going": Flag("switch", None, "go on after a run that failed"),
    "--late": Flag("seconds", "S", "how late a timer may be"),
    "--preempt": Flag("switch", None, "a thread may let others go on at each access of shared state"),
    "--timeouts": Flag("switch", None, "a timeout may expire before all else"),
    # explore, in pytest only
    "--explore": Flag("switch", None, "explore each asynchronous test"),
    "--replay": Flag("switch", None, "repeat the failing runs"),
    "--pictures": Flag("text", "DIR", "write a picture of each failing marked test"),
    "--refused": Flag("choice", None, "something that cannot be simulated"),
    # conform
    "--badge": Flag("file", "FILE", "write a badge"),
    "--baseline": Flag("file", "FILE", "accept the findings of this file"),
    "--budget": Flag("number", "N", "play N times as many"),
    "--documented-only": Flag("switch", None, "leave out rules that are only settled"),
    "--exact": Flag("switch", None, "count a difference in timing"),
    "--junit": Flag("file", "FILE", "as JUnit's XML"),
    "--only": Flag("list", "RULE", "these rules only"),
    "--profile": Flag("text", "NAME|FILE", "what differs from asyncio's interface"),
    "--programs": Flag("file", "DIR", "write the function of each finding"),
    "--random": Flag("number", "N", "number of random programs"),
    "--update-baseline": Flag("switch", None, "to the file of --baseline"),
    # check, prove, explain
    "--brief": Flag("switch", None, "the document in short"),
    "--full": Flag("switch", None, "the long form"),
    "--graph": Flag("file", "FILE", "write an SVG of the graph"),
    "--output": Flag("file", "FILE", "write the document there"),
    "--pin": Flag("switch", None, "write to premises.json"),
    "--rules": Flag("switch", None, "list the rules"),
    "--sample": Flag("switch", None, "a sample of the rest"),
    "--tlc": Flag("switch", None, "let TLC search the same models"),
    "--trace": Flag("text", "PROPERTY", "print a shortest counterexample"),
    "--wrong": Flag("switch", None, "refute the mutants"),
    # compare, ladder, vectors
    "--faulty": Flag("switch", None, "meet faults"),
    "--latency": Flag("switch", None, "the table of latencies"),
    "--player": Flag("text", "COMMAND", "start a player"),
    "--real": Flag("switch", None, "on real sockets too"),
    "--real-sites": Flag("number", "N", "on real sockets too"),
    "--rung": Flag("text", "NAME", "only this one"),
    "--search": Flag("switch", None, "find all allowed outcomes again"),
    "--sites": Flag("number", "N", "random sites"),
    # simulate, crawl
    "--backoff": Flag("seconds", "S", "seconds before the second try"),
    "--check": Flag("choice", None, "links"),
    "--contact": Flag("text", "TEXT", "added to the user agent"),
    "--dask": Flag("text", "ADDRESS", "on the Dask cluster"),
    "--delay": Flag("seconds", "S", "seconds between requests to a host"),
    "--depth": Flag("number", "N", "links to follow from a root"),
    "--exclude": Flag("text", "REGEX", "leave out URLs"),
    "--exit-zero": Flag("switch", None, "exit status 0"),
    "--flush": Flag("choice", None, "where a line must be"),
    "--header": Flag("list", "NAME:VALUE", "with each request"),
    "--include": Flag("text", "REGEX", "only URLs"),
    "--latency-ms-max": Flag("number", "N", "greatest latency"),
    "--lenient": Flag("switch", None, "all hosts registered together"),
    "--limit": Flag("list", "NAME=VALUE", "set a limit of each response"),
    "--max-hosts": Flag("number", "N", "hosts to fetch from"),
    "--max-pages": Flag("number", "N", "URLs to fetch"),
    "--max-redirect": Flag("number", "N", "redirects to follow"),
    "--max-tasks": Flag("number", "N", "URLs in flight at once"),
    "--max-tries": Flag("number", "N", "tries for a URL"),
    "--max-wait": Flag("seconds", "S", "longest wait that a server may ask for"),
    "--no-robots": Flag("switch", None, "ask for no robots.txt"),
    "--one-process": Flag("switch", None, "read all pages in this process"),
    "--per-host": Flag("number", "N", "URLs of a host in flight at once"),
    "--private": Flag("switch", None, "private and loopback addresses"),
    "--proxy": Flag("text", "env|URL", "fetch through that"),
    "--quiet": Flag("switch", None, "no progress line", "-q"),
    "--resume": Flag("text", "FILE", "go on from that file"),
    "--save": Flag("text", "DIR", "write what the servers sent"),
    "--shards": Flag("number", "N", "split the hosts over N processes"),
    "--site": Flag("text", "DIR", "crawl this directory"),
    "--slow": Flag("seconds", "S", "name the URLs whose answer took longer"),
    "--sort": Flag("switch", None, "sort the lines of the file"),
    "--strict": Flag("switch", None, "only hosts of the roots"),
    "--user-agent": Flag("text", "TEXT", "loopspec"),
}
