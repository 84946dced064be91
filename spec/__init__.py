"""What must hold: executable specifications in ordinary typed Python, and the kit that checks them.

A specification is one text that several readers share.  Its state is a frozen dataclass; an action is a generator
`(k, s, *params) -> Iterator[S]` in which `if` is a guard, `for` is "there exists" and every `yield` is one allowed
successor; a property is a plain predicate; `k` holds the constants.  Every action and property has a docstring that
begins with its rule identifier (`QUEUE-4: ...`) and ends with its source and standing.

    spec.kit.core      Event, Spec, Model                 what a text is made of; spec.kit.map: Map
    spec.kit.check     explore, Graph, Violation          breadth-first search over all reachable states
    spec.queue         the join queue of asyncio          spec.crawl      the crawl, and its least fixpoint
    spec.instances     REGISTRY: the finite models with their pinned counts; `python -m spec` checks them all

To extend a text without touching it, derive: `mine = Spec("mine", Queue, extends=queue)`, then `@mine.invariant`.

So that other readers than Python can follow, texts keep to a subset: `if`/`elif`/`else`, `for`, `yield` of a state or
of `replace(s, ...)`, `yield from` a helper generator, helper functions with a `return` on every branch, names that are
given one value, `and`/`or`/`not`, comparisons, `x if c else y`, `all`/`any`/`sum` over generators, sets and maps
changed by `|` and `-` with a display or a comprehension, `frozenset` of one, `+`, `[:1]`, `[1:]` and `len` on tuples,
and reads of a `Map`.  What leaves the subset says so in its docstring.
"""
