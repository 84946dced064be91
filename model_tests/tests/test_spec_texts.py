"""The texts of spec: every property can fail, the equation is solved, symmetry and small sites are as claimed.

Theory of operation.  A property that nothing can break says nothing, so for each of them a mutant stands below: a
derived specification with a wrong action, in which exactly this property is looked at and must be found broken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import factorial
from typing import Any

import pytest

from spec import crawl as crawls
from spec import queue as queues
from spec.crawl import Crawl, Kind, Phase, Url, Worker, closed, crawl, equation, least, spread
from spec.instances import DIAMOND, ONE_ROOT, REGISTRY, TWO_ROOTS, star
from spec.kit.check import Violation, explore
from spec.kit.core import Spec
from spec.kit.instance import Fails, Holds, only
from spec.kit.map import Map
from spec.kit.model import Model
from spec.mistakes import crawl as wrong_crawls
from spec.models.crawl import crawl_model, over
from spec.models.queue import queue_model
from spec.models.sites import classes, constants, inverse, renamed, renamings, site, universe
from spec.queue import At, Item, Queue, Sig, Task, queue

from ..pythons import ROOT

# Wrong actions.  Each stands in the place of the right one that MUTANTS names, and often spoils its result.


def unwind_keeping_the_signal(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    for q in queues.unwind(k, s, t):
        yield replace(q, sig=q.sig | {t: s.sig[t]})


def put_counting_twice(k: queues.Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    for q in queues.put(k, s, t, x):
        yield q if q.sent == s.sent else replace(q, unfinished=q.unfinished + 1)


def get_the_newest(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    for q in queues.get(k, s, t):
        yield q if q.got == s.got else replace(q, buf=s.buf[:-1], got=s.got + s.buf[-1:])


def task_done_releasing_nobody(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    for q in queues.task_done(k, s, t):
        yield replace(q, sig=s.sig)


def cancel_standing_in_line(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    for q in queues.cancel(k, s, t):
        yield replace(q, line=s.line)


def put_waking_anyone(k: queues.Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    for q in queues.put(k, s, t, x):
        for w in k.tasks:
            if queues.waits(s, w, At.GET):
                yield replace(q, sig=s.sig | {w: Sig.WOKEN}, line=queues.without(k, s, w))
        yield q


def get_resume_with_nothing(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    if s.at[t] == At.GET and s.sig[t] == Sig.WOKEN:
        yield queues.idle(s, t)


def redirect_for_free(k: crawls.Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    if (w, u) in s.flight and k.kind[u] == Kind.REDIRECT:
        yield crawls.complete(k, s, w, u, crawls.offer(k, s, frozenset({k.hop[u]}), s.best[u]))


def redirect_overwriting(k: crawls.Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    if (w, u) in s.flight and k.kind[u] == Kind.REDIRECT:
        yield crawls.complete(k, s, w, u, s.best | {k.hop[u]: s.best[u] - 1})


def page_forgetting_to_queue(k: crawls.Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    for q in crawls.page(k, s, w, u):
        yield replace(q, todo=s.todo)


def page_queued_again(k: crawls.Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    for q in crawls.page(k, s, w, u):
        yield replace(q, todo=q.todo | {u})


def start_leaving_it_queued(k: crawls.Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    for q in crawls.start(k, s, w, u):
        yield replace(q, todo=s.todo)


def cancel_any_time(k: crawls.Const, s: Crawl, w: Worker) -> Iterator[Crawl]:
    if s.phase != Phase.CLOSED and w in s.alive:
        yield replace(s, alive=s.alive - {w})


def fail_and_try_again(k: crawls.Const, s: Crawl, w: Worker, u: Url) -> Iterator[Crawl]:
    if (w, u) in s.flight and k.kind[u] == Kind.ERROR:
        yield replace(s, todo=s.todo | {u}, flight=s.flight - {(w, u)})


def mutant(base: Spec[Any, Any], action: str, wrong: Callable[..., Iterator[Any]]) -> Spec[Any, Any]:
    """`base` with `wrong`, of any signature, in the place of `action`."""
    derived = Spec(f"{base.name}: {wrong.__name__}", base.state, base, without=[action])
    wrong.__doc__ = f"{base.actions[action].rule}: Wrong."
    derived.action()(wrong)
    return derived


@dataclass(frozen=True)
class Mutant:
    """`broken` must be found broken in the model that `model` makes of `spec`."""

    broken: str
    spec: Spec[Any, Any]
    model: Callable[[Spec[Any, Any]], Model[Any, Any]]


def wrong_queue(action: str, wrong: Callable[..., Iterator[Queue]], broken: str) -> Mutant:
    spec = mutant(queue, action, wrong)
    return Mutant(broken, spec, lambda spec: queue_model(3, 2, 2, items=2, spec=spec))


def wrong_crawl(action: str, wrong: Callable[..., Iterator[Crawl]], broken: str, k: crawls.Const) -> Mutant:
    return Mutant(broken, mutant(crawl, action, wrong), lambda spec: crawl_model(k, spec=spec))


#: A page that links to a redirect back to it.
BACK = site({0: (1,)}, {1: 0})

MUTANTS = [
    wrong_queue("unwind", unwind_keeping_the_signal, "clean"),
    wrong_queue("put", put_counting_twice, "conserved"),
    wrong_queue("get", get_the_newest, "fifo"),
    wrong_queue("task_done", task_done_releasing_nobody, "join_waits"),
    wrong_queue("cancel", cancel_standing_in_line, "lined_up"),
    wrong_queue("put", put_waking_anyone, "oldest_first"),
    wrong_queue("get_resume", get_resume_with_nothing, "served"),
    wrong_crawl("redirect", redirect_for_free, "sound", site({0: (1,)}, {1: 2})),
    wrong_crawl("redirect", redirect_overwriting, "rooted", BACK),
    wrong_crawl("redirect", redirect_overwriting, "grows", BACK),
    wrong_crawl("page", page_forgetting_to_queue, "accounted", BACK),
    wrong_crawl("page", page_queued_again, "once", BACK),
    wrong_crawl("start", start_leaving_it_queued, "apart", BACK),
    wrong_crawl("cancel", cancel_any_time, "outlived", BACK),
    wrong_crawl("fail", fail_and_try_again, "ranked", site({}, {}, broken=[0])),
    Mutant("closed_when_done", wrong_crawls.forgetful, lambda spec: crawl_model(DIAMOND, spec=spec)),
]
#: The instances that must fail are mutants too: the check explores them.
KILLED = {(i.spec.name, i.broken) for i in REGISTRY if isinstance(i, Fails)}


@pytest.mark.parametrize("wrong", MUTANTS, ids=lambda m: f"{m.broken}, {m.spec.name}")
def test_a_mutant_breaks_its_property(wrong: Mutant) -> None:
    with pytest.raises(Violation) as caught:
        explore(wrong.model(only(wrong.spec, wrong.broken)))
    assert caught.value.name == wrong.broken


@pytest.mark.parametrize("text", [queue, crawl], ids=lambda text: text.name)
def test_every_property_has_a_mutant(text: Spec[Any, Any]) -> None:
    mine = {m.broken for m in MUTANTS if m.spec.extends is text}
    assert mine | {broken for name, broken in KILLED if name == text.name} == set(text.properties)


@pytest.mark.parametrize("text", [queue, crawl], ids=lambda text: text.name)
def test_every_rule_has_a_source_and_a_standing(text: Spec[Any, Any]) -> None:
    standings = {"queue": "documented|settled", "crawl": "documented|defined"}[text.name]
    rules = [item for table in text.tables() for item in table.values()]
    bad = [item.name for item in rules if not re.search(rf"\[[^]]+;\s+({standings})\]$", item.doc)]
    assert bad == []
    assert len({item.rule for item in rules}) == len(rules)
    assert {item.rule.partition("-")[0] for item in rules} == {text.name.upper()}


def test_every_rule_that_is_named_exists() -> None:
    known = {item.rule for text in (queue, crawl) for table in text.tables() for item in table.values()}
    named = {
        (path.relative_to(ROOT).as_posix(), rule)
        for wing in ("spec", "impl", "model_tests")
        for path in sorted((ROOT / wing).rglob("*.py"))
        for rule in re.findall(r"\b(?:QUEUE|CRAWL)-\d+\b", path.read_text(encoding="utf-8"))
    }
    assert sorted((path, rule) for path, rule in named if rule not in known) == []


# The equation.


def functions(k: crawls.Const) -> Iterator[Map[Url, int]]:
    """Every function from the site's URLs to budgets."""
    urls = sorted(k.urls)
    for values in product(range(-1, k.limit + 1), repeat=len(urls)):
        yield Map(dict(zip(urls, values, strict=True)))


def below(x: Map[Url, int], y: Map[Url, int]) -> bool:
    return all(x[u] <= y[u] for u in x)


@pytest.mark.parametrize("roots", [1, 2])
def test_least_is_the_least_of_the_closed_functions(roots: int) -> None:
    for size in range(roots, 4):
        for shape in classes(size, roots, oddities=size < 3):
            k = constants(shape, roots=roots)
            shut = [x for x in functions(k) if closed(k, x)]
            assert shut == [x for x in functions(k) if below(equation(k, x), x)]
            assert least(k) in shut
            assert all(below(least(k), x) for x in shut)
            assert equation(k, least(k)) == least(k)


def test_spread_is_what_its_contract_says() -> None:
    """From any budgets and for any set of fetched redirects, cycles of redirects included."""
    looped = site({0: (1, 2)}, {1: 2, 2: 3, 3: 1}, limit=2)
    redirects = [Url(1), Url(2), Url(3)]
    for best in functions(looped):
        for n in range(len(redirects) + 1):
            for done in map(frozenset, combinations(redirects, n)):
                held = [
                    x
                    for x in functions(looped)
                    if below(best, x) and all(x[looped.hop[u]] >= x[u] - 1 for u in done)
                ]
                after = spread(looped, done, best)
                assert after in held
                assert all(below(after, x) for x in held)


# What depends on the schedule.


def outcomes(k: crawls.Const) -> set[tuple[int, ...]]:
    """The sets of fetched URLs that the schedules of a crawl end with."""
    graph = explore(crawl_model(k, spec=only(crawl, "sound")), may_end=over)
    return {tuple(sorted(s.done)) for s in graph.states if s.phase == Phase.CLOSED}


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_chapters_rule_depends_on_the_schedule_from_five_urls_on_or_four_with_two_roots(
    workers: int,
) -> None:
    assert outcomes(replace(ONE_ROOT, workers=frozenset(map(Worker, range(workers))))) == {
        (0, 1, 2, 3),
        (0, 1, 2, 3, 4),
    }
    assert outcomes(replace(TWO_ROOTS, workers=frozenset(map(Worker, range(workers))))) == {
        (0, 1, 2),
        (0, 1, 2, 3),
    }


def test_our_rule_does_not() -> None:
    assert outcomes(DIAMOND) == {(0, 1, 2, 3, 4)}
    assert outcomes(replace(TWO_ROOTS, first_wins=False)) == {(0, 1, 2, 3)}


def test_below_that_the_registry_has_every_site() -> None:
    families = {
        (i.title, i.counts.models)
        for i in REGISTRY
        if isinstance(i, Holds) and i.counts is not None and "chapter" in i.title and not i.full
    }
    assert families == {
        (
            "the chapter's rule, every site of up to 4 URLs, one root (2,709 classes of 14,867 sites), budget 1",
            2709,
        ),
        (
            "the chapter's rule, every site of up to 3 URLs, two roots (120 classes of 225 sites), budget 1",
            120,
        ),
    }
    assert [sum(1 for _ in universe(size)) for size in (1, 2, 3, 4)] == [1, 9, 216, 14_641]
    assert [sum(1 for _ in universe(size, oddities=True)) for size in (1, 2, 3)] == [4, 49, 1_728]


# Symmetry.


@pytest.mark.parametrize(("size", "roots"), [(2, 2), (3, 1), (3, 2), (4, 1), (4, 2)])
def test_the_classes_of_sites_partition_the_universe(size: int, roots: int) -> None:
    names = renamings(size, roots)
    assert len(names) + 1 == factorial(roots) * factorial(size - roots)
    members = [
        {shape, *(tuple(renamed(shape[old], new) for old in inverse(new)) for new in names)}
        for shape in classes(size, roots)
    ]
    assert sum(map(len, members)) == len(set().union(*members)) == len(list(universe(size)))


def test_symmetric_models_visit_one_state_of_each_class() -> None:
    pairs: list[tuple[Model[Any, Any], Model[Any, Any]]] = [
        (queue_model(3, 1, 2), queue_model(3, 1, 2, symmetric=True)),
        (crawl_model(star(6, 3)), crawl_model(star(6, 3), symmetric=True)),
    ]
    for plain, symmetric in pairs:
        assert symmetric.canon is not None
        found = explore(symmetric)
        assert set(found.states) == {symmetric.canon(s) for s in explore(plain).states}
        assert [symmetric.canon(s) for s in found.states] == found.states
