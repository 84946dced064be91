"""The commands of `loopspec`, by their names."""

from typing import Final

#: subcommand -> (the module with its main, within HOME of cli.py, its line in the help)
COMMANDS: Final = {
    "crawl": (".impl.crawl.commands.crawl", "crawl real sites; crawl report FILE: print the report of a crawl again"),
    "simulate": (".impl.crawl.commands.simulate", "crawl a web on the simulated network, reproducibly"),
    "compare": (".model_tests.crawls.compare", "run the same crawls on impl, asyncio, aiohttp, trio and an oracle"),
    "conform": (".model_tests.conformance.command", "hold a namespace with asyncio's names to the rules"),
    "run": (".impl.bridges.command",
        "run an asyncio or trio program, unmodified, in virtual time on the simulated network"),
    "explore": (".impl.explore.command", "search the schedules of an asyncio or trio program for one that fails"),
    "ladder": (".impl.ladder.command", "fetch the same pages in every way of the source texts, measured"),
    "check": (".model_tests.commands.check", "check the finite instances of the specifications, or of a file of yours"),
    "step": (".spec.commands.step", "walk through a model of a specification, or of a file of yours, by hand"),
    "new": (".model_tests.commands.new", "write a specification of your own, its adapter and its test"),
    "prove": (".spec.commands.prove", "prove the specifications, or a file of yours, for all sizes, with Z3"),
    "explain": (".model_tests.documents.explain.command",
        "explain a rule, list rules, or print a specification as a document"),
    "order": (".model_tests.documents.order.command", "list the orders of events on asyncio, and what promises each"),
    "vectors": (".model_tests.conformance.vectors.command", "write the test vectors as JSON"),
}  # fmt: skip
#: The commands within a command; each has a parser of its own.
SUBCOMMANDS: Final = {"crawl": ("report",)}
