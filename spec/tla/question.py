"""The question to TLC about a model of ours: a root module and its configuration.

The TLA+ modules have the names of ours, in their own style: `get_nowait` is `GetNowait`.  So the question follows from
the model: its constants, its symmetry, the properties of its specification and, if that is a mutant, which actions are
replaced by which wrong ones.  A part without a counterpart in TLA+ raises NoCounterpart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..crawl.specification import Const as SiteConst
from ..crawl.specification import Crawl, Kind, Url, crawl
from ..kit.core import Spec
from ..kit.model import Model
from ..queue.specification import Item, Order, Queue, queue

# Any below: models of two specifications, whose constants and states have no common type.

FOLDER = Path(__file__).parent
DEFINITION = re.compile(r"^(\w+)(?:\([\w, ]*\))? ==", re.MULTILINE)


class NoCounterpart(Exception):
    """A part of a specification that has no counterpart in TLA+; the text names it."""


class Question(NamedTuple):
    """The root module, MC, and its configuration."""

    module: str
    config: str


class Counterpart(NamedTuple):
    """A specification, its module in TLA+, the module of its mutants, and the set renamed in a symmetry.

    `constants`: those of a model; raises NoCounterpart for a model that the module does not have.
    """

    spec: Spec[Any, Any]
    module: str
    errors: str
    constants: Callable[[Model[Any, Any]], list[str]]
    renamed: str


def named(name: str) -> str:
    """The name in TLA+ of our `name`."""
    return "".join(word.capitalize() for word in name.split("_"))


def defined(module: str) -> set[str]:
    """The names that a module of this folder defines itself."""
    return set(DEFINITION.findall((FOLDER / f"{module}.tla").read_text(encoding="utf-8")))


def members(letter: str, names: Iterable[int]) -> str:
    """A set of model values, such as {t0, t1}."""
    return "{" + ", ".join(f"{letter}{name}" for name in sorted(names)) + "}"


def of_queue(model: Model[Any, Any]) -> list[str]:
    if model.k.order != Order.FIFO or model.k.shuts:
        raise NoCounterpart("JoinQueue is first in, first out, and is never shut down")
    return [
        f"Task = {members('t', model.k.tasks)}",
        f"Item = {members('i', model.domains[Item])}",  # type: ignore[arg-type]  # a domain may hold anything
        f"MaxSize = {model.k.maxsize}",
        f"Puts = {model.k.puts}",
        f"Withdraws = {str(model.k.withdraws).upper()}",
        "Nothing = Nothing",
    ]


def of_crawl(model: Model[Any, Any]) -> list[str]:
    return [
        "Sites <- mcSites",
        f"Roots = {members('', model.k.roots)}",
        f"Limit = {model.k.limit}",
        f"FirstWins = {str(model.k.first_wins).upper()}",
        f"Worker = {members('w', model.k.workers)}",
        "Idle = Idle",
        "Gone = Gone",
    ]


COUNTERPARTS = {
    Queue: Counterpart(queue, "JoinQueue", "QueueMutants", of_queue, "Task"),
    Crawl: Counterpart(crawl, "Crawl", "CrawlMutants", of_crawl, "Worker"),
}


#: The rules without a counterpart: JoinQueue is first in, first out, and is never shut down.
UNTOLD = {"QUEUE-28", "QUEUE-29", "QUEUE-30", "QUEUE-31", "QUEUE-32", "QUEUE-37", "QUEUE-38", "QUEUE-40"}


def is_told(model: Model[Any, Any]) -> bool:
    """Whether the TLA+ module has such a model."""
    try:
        counterpart(model.spec).constants(model)
    except NoCounterpart:
        return False
    return True


def counterpart(spec: Spec[Any, Any]) -> Counterpart:
    """The counterpart of `spec`.  Raises NoCounterpart."""
    if spec.state not in COUNTERPARTS:
        raise NoCounterpart(f"{spec.name} has no counterpart in TLA+")
    return COUNTERPARTS[spec.state]


def translated(names: Iterable[str], module: str) -> list[str]:
    """The names in TLA+; raises NoCounterpart for the first that `module` does not define."""
    known = defined(module)
    for name in names:
        if named(name) not in known:
            raise NoCounterpart(f"{module} does not define {named(name)}")
    return [named(name) for name in names]


def errors(spec: Spec[Any, Any]) -> Iterator[str]:
    """`Unwind <- UnwindSilently` for every rule whose action is not the right one.  Raises NoCounterpart."""
    base, module, wrong, *_ = counterpart(spec)
    names = {action.rule: action.name for action in base.actions.values()}
    for action in spec.actions.values():
        if action.rule not in names:
            raise NoCounterpart(f"{module} has no action {action.rule}")
        if action.name != names[action.rule]:
            (right,), (error,) = translated([names[action.rule]], module), translated([action.name], wrong)
            yield f"{right} <- {error}"


def answer(k: SiteConst, u: Url) -> str:
    """The answer of u, as a record."""
    to = {Kind.PAGE: k.links[u], Kind.REDIRECT: {k.hop[u]}, Kind.ERROR: set()}[k.kind[u]]
    return f'{u} :> [kind |-> "{k.kind[u]}", to |-> {members("", to)}]'


def site(k: SiteConst) -> str:
    """The site as a function from its URLs."""
    return "(" + " @@ ".join(answer(k, u) for u in sorted(k.urls)) + ")"


def question(
    models: Sequence[Model[Any, Any]],
    properties: Iterable[str],
    *,
    more: Iterable[str] = (),
    sites: str = "",
) -> Question:
    """The question whether all `models`, which differ in their sites at most, have these properties.

    `more`: invariants that only the TLA+ module has.  `sites`: a TLA+ expression for all the sites; without it they are
    written down one by one.  Raises NoCounterpart, and ValueError for models that differ in more than their sites.
    """
    spec, symmetric = models[0].spec, models[0].canon is not None
    here = counterpart(spec)
    constants = here.constants(models[0])
    if any(here.constants(m) != constants or (m.canon is not None) != symmetric for m in models):
        raise ValueError(f"{spec.name}: the models differ in more than their sites")
    asked = [name for name in spec.properties if name in set(properties)]
    invariants = translated([name for name in asked if name in spec.invariants], here.module)
    temporal = translated([name for name in asked if name not in spec.invariants], here.module)
    config = ["SPECIFICATION Spec", "CONSTANTS", *constants, *errors(spec)]
    config += [f"INVARIANT {name}" for name in [*invariants, *more]]
    config += [f"PROPERTY {name}" for name in temporal]
    module = [f"EXTENDS {here.errors}, Universe, TLC"]
    if spec.state is Crawl:
        module.append(f"mcSites == {sites or '{' + ', '.join(site(m.k) for m in models) + '}'}")
    if symmetric:
        module.append(f"mcRenamings == Permutations({here.renamed})")
        config.append("SYMMETRY mcRenamings")
    return Question("\n".join(["---- MODULE MC ----", *module, "====", ""]), "\n".join([*config, ""]))
