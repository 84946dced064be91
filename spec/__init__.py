"""Executable specifications in ordinary typed Python, and the kit that checks them.

A specification has several readers.  Its state is a frozen dataclass; an action is a generator
`(k, s, *params) -> Iterator[S]`: there `if` is a guard, `for` is "there exists" and every `yield` is one allowed
successor; a property is a plain predicate; `k` holds the constants.  Every action and property has a docstring that
begins with its rule identifier (`QUEUE-4: ...`) and ends with its source and standing.

    spec.kit           Spec, Model, Holds, check, ...   the parts of specifications, models and bounded models
    spec.kit.search       check, Graph, Violation        breadth-first search over all reachable states
    spec.kit.liveness    check, Lasso                     leads-to properties, in every fair run
    spec.kit.refinement  refines, NotRefined              whether every step, seen through a view, is allowed above
    spec.kit.instances   search, Searched                 the search of a bounded model, with all that it claims
    spec.kit.fifo        Fifo, Jobs                       the runs with turns in first in, first out order
    spec.kit.vacuity     cover, unfailing                 whether bounded models exercise all of a specification
    spec.kit.monitor     Monitor, Rejected                whether a recorded run is one that a specification allows
    spec.kit.render      document, outside                specifications as Markdown; the subset that readers follow
    spec.kit.prove       Prover, Verdict                  specifications proved for all sizes, with Z3
    spec.kit.tla         asked, question                  specifications as modules of TLA+, which TLC searches

    spec.queue           the join queue of asyncio        spec.future     futures and their callbacks
    spec.locks           permits; `events`: a level       spec.stream     one direction of a connection
    spec.task            tasks and cancel                 spec.crawl      the crawl, its least fixpoint; `fifo`: a loop
    spec.callbacks       callbacks, timers, threads       spec.scopes     timeouts and task groups, nested
    spec.creation        create_task and eager start
    spec.promises        rules stated in a sentence only

    spec.specifications  SPECIFICATIONS: those that are shipped
    spec.registry        REGISTRY: the bounded models with their pinned counts; `python -m spec` checks them all
    spec.cases           CASES: the cases that `python -m spec prove` proves, with premises in premises.json
    spec.commands        loopspec check, prove, rules and render

The folder of a specification holds its state, actions and properties (`specification.py`, and further
chapters under their own names), how finite models of it are made (`models.py`), those that the check searches
(`bounded.py`), and the specification with one error each (`mutants.py`).

To extend a specification without touching it, derive: `mine = Spec("mine", Queue, extends=queue)`, then
`@mine.invariant`. The tutorial is `README.md`, beside this file.

So that readers other than Python can follow, specifications keep to a subset of it: `spec.kit.render.subset` lists and
checks it.  A helper that would turn ugly leaves it by name, with the reason (`Spec(..., opaque={name: reason})`).
"""
