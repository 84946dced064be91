"""What must hold: executable specifications in ordinary typed Python, and the kit that checks them.

A specification is one text that several readers share.  Its state is a frozen dataclass; an action is a generator
`(k, s, *params) -> Iterator[S]` in which `if` is a guard, `for` is "there exists" and every `yield` is one allowed
successor; a property is a plain predicate; `k` holds the constants.  Every action and property has a docstring that
begins with its rule identifier (`QUEUE-4: ...`) and ends with its source and standing.

    spec.kit           Spec, Model, Holds, explore, ...   what a text, its models and its instances are made of
    spec.kit.check     explore, Graph, Violation          breadth-first search over all reachable states
    spec.kit.liveness  check, Lasso                       what is led to, in every fair run
    spec.kit.refines   refines, NotRefined                whether what a text does is, seen so, what another one allows
    spec.kit.fifo      Fifo, Jobs                         the runs in which turns come first in, first out
    spec.kit.vacuity   cover, unfailing                   whether instances put to the test all that a text says
    spec.kit.monitor   Monitor, Rejected                  whether a recorded run is one that a text allows
    spec.kit.subset    outside                            what of a text only Python can follow
    spec.kit.document  document                           texts as Markdown, in mathematical notation

    spec.queue         the join queue of asyncio          spec.crawl_fifo   the chapter's loop, which is a crawl
    spec.crawl         the crawl, its least fixpoint      spec.stream       one direction of a connection; its `ends`
    spec.task          tasks and cancel; its `loop`       spec.task_hops   the same cancel, hop by hop
    spec.future        futures and their callbacks        spec.locks       permits; `spec.events`: a level
    spec.promises      what is told in a sentence only
    spec.models        finite models of the texts         spec.mistakes     the texts with one known error each
    spec.instances     REGISTRY: the models with their pinned counts; `python -m spec` checks them all
    spec.commands      loopspec check, rules and render
    spec.tla           the queue and the crawl again, in TLA+: an independent witness

To extend a text without touching it, derive: `mine = Spec("mine", Queue, extends=queue)`, then `@mine.invariant`.
The tutorial is `README.md`, beside this file.

So that other readers than Python can follow, texts keep to a subset of it, which stands in `spec.kit.subset` and is
checked there.  A helper that would turn ugly leaves it by name, with the reason (`Spec(..., opaque={name: reason})`).
"""
