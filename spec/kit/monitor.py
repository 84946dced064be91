"""The monitor: whether a recorded run is one that a specification allows.

The lines of a run (`trace.py`) seldom determine the state of the specification: hidden actions may have happened or
not.  So the monitor keeps the set of all possibilities, a subset construction over hidden actions, and each line leaves
those that agree with it.  A run is accepted while one is left.  A possibility is a state, the calls that have not taken
place yet, and the results that were delivered but not seen yet.  Invariants and step properties thin the set too, so a
property that a user adds judges recorded runs as well.

The line that finds most is `End`: in an idle loop no fair hidden action may be due (one that is not fair need never
happen) and no caller may have a result to come.  It finds lost wake-ups.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from typing import Any, Generic, NamedTuple, get_args, get_type_hints

from .core import Event, K, S, Spec, SpecError
from .model import Model
from .search import LimitError, whole
from .trace import Call, Do, End, Line, Return, Seen

#: The beginning that the texts of the same action have in common, or the texts of answers.
CALL = re.compile(r"\w+\(|return ")
#: The most rows of allowed lines that a rejection shows.
MOST_SHOWN = 12
#: The most possibilities after a line of a run.
MOST_POSSIBLE = 100_000


class Maybe(NamedTuple, Generic[S]):
    """One possibility: `owed` pairs a caller with the result that it will return."""

    state: S
    calls: frozenset[Event]
    owed: frozenset[tuple[Hashable, Hashable]]


class Rejected(Exception):
    """The specification does not allow the run.

    `accepted`: the longest prefix that it allows; `line`: the line that it does not; `allowed`: the lines that it would
    have allowed, as text, sorted; `broken`: the properties that every explanation of the line breaks, if that is the
    reason; `thinned`: those that ruled other explanations out before; `due`: the events that prevent an end.  `rules`:
    the rules of these properties; else of the due events; else of the line's action, or of the one before.  `states`:
    if the line is a look at the state, the states that were possible, which the text shows as allowed.  `hint`:
    one more line of the text.
    """

    def __init__(
        self,
        spec: str,
        accepted: list[Line],
        line: str,
        allowed: list[str],
        broken: list[str],
        thinned: list[str],
        due: list[str],
        rules: Sequence[str] = (),
        states: Sequence[str] = (),
        hint: str = "",
    ) -> None:
        self.accepted, self.line, self.allowed, self.broken = accepted, line, allowed, broken
        self.thinned, self.due, self.rules = thinned, due, tuple(rules)
        super().__init__(
            "\n".join(
                [
                    f"{spec}: rejected at line {len(accepted) + 1}: {line}",
                    *([f"  it breaks {', '.join(broken)}"] if broken else []),
                    *([f"  other explanations break {', '.join(thinned)}"] if thinned else []),
                    *([f"  still due: {', '.join(due)}"] if due else []),
                    *([f"  {hint}"] if hint else []),
                    *compared([*map(str, accepted), line], states or allowed),
                ]
            )
        )


def compared(seen: Sequence[str], allowed: Iterable[str]) -> list[str]:
    """A table of the lines that were seen and, beside the last one, of the lines allowed in its place.

    The allowed events of one action share a row, and so do the answers that may be returned.
    """
    kinds: dict[str, list[str]] = {}
    for text in allowed:
        kind = CALL.match(text)
        kinds.setdefault(kind[0] if kind else text, []).append(text)
    rows = [", ".join(texts) for texts in kinds.values()] or ["nothing"]
    if len(rows) > MOST_SHOWN:
        rows[MOST_SHOWN:] = ["..."]
    width = max(map(len, ("seen", *seen)))
    beside = ["allowed", *[""] * (len(seen) - 1), *rows]
    numbered = [("", "seen"), *((str(n), text) for n, text in enumerate(seen, start=1))]
    numbered += [("", "")] * (len(rows) - 1)
    return [
        f"  {number:>3}  {text:<{width}}  {may}".rstrip() for (number, text), may in zip(numbered, beside, strict=True)
    ]


class Monitor(Generic[K, S]):
    """Follows one run against `model`; its domains need to hold only the values that hidden actions range over.

    `unseen`: visible actions that the recorder of this run cannot see; they count as hidden.
    `widest`: the greatest number of possibilities so far.
    """

    def __init__(self, model: Model[K, S], *, unseen: Collection[str] = ()) -> None:
        actions = model.spec.actions
        for name in unseen:
            self._known(model, name)
        for action in actions.values():
            if action.answer and not action.params:
                raise SpecError(f"{model.spec.name}.{action.name} has an answer but no caller: give it a parameter")
        self._by_itself = frozenset(a.name for a in actions.values() if a.hidden or a.name in unseen)
        self.model = model
        self._hidden = [event for event in model.events if event.name in self._by_itself]
        self._seen = [event for event in model.events if event.name not in self._by_itself]
        self._place = {event: place for place, event in enumerate(self._seen)}
        self._fair = frozenset(a.name for a in actions.values() if a.fair)
        # Any: `cache` forgets the signature.  A state recurs in many runs, and thousands are followed at a time.
        self._due: Callable[[S], Any] = cache(self._due_in)
        self._take: Callable[[S, Event], Any] = cache(self._taken)
        self._visible: Callable[[S], Any] = cache(self._visible_in)
        self._bad: Callable[[S], Any] = cache(lambda s: tuple(p.name for p in model.broken(s)))
        self.restart()

    def restart(self) -> None:
        """Begin another run; caches are kept.  Raises Rejected if no initial state is allowed."""
        self.lines: list[Line] = []
        self.widest = 0
        self._thinned: set[str] = set()
        self.now: frozenset[Maybe[S]] = frozenset()
        found = {Maybe(s, frozenset(), frozenset()) for s in self.model.init if not self._bad(s)}
        if not found:
            raise self._rejected("the beginning", {name for s in self.model.init for name in self._bad(s)})
        self._become(found)

    def follow(self, lines: Iterable[Line]) -> None:
        """Feed every line; raises Rejected at the first that is not allowed."""
        for line in lines:
            self.feed(line)

    def feed(self, line: Line) -> None:
        """One more line of the run; raises Rejected, and then nothing has changed.

        Raises SpecError for a line that no run can have: its event is none of the specification, happens by itself, or
        has a value that the model has not.  Raises LimitError if too many states are possible.
        """
        self._demand(line)
        broken: set[str] = set()
        after = {m for before in self.now for m in self._step(before, line, broken)}
        if not after:
            raise self._rejected(line, broken)
        self._thinned |= broken
        self._become(after)
        self.lines.append(line)

    def see(self, agrees: Callable[[S], bool], what: str = "what is seen of the state") -> None:
        """Something was seen of the state itself: only states that agree are left.  Raises Rejected."""
        left = [m for m in self.now if agrees(m.state)]
        if not left:
            fields = self.model.spec.field_names
            raise self._rejected(what, set(), sorted({whole(fields, m.state) for m in self.now}))
        if len(left) < len(self.now):
            self._become(set(left))  # it was so at this moment: hidden actions may happen after it

    def enabled(self) -> list[Event]:
        """The visible events that may happen now, in the order of the specification."""
        found: set[Event] = set()
        for m in self.now:
            busy = _busy(m)
            free = [event for event in self._visible(m.state) if event.args[:1] not in busy]
            if len(self.now) == 1:
                return free
            found.update(free)
        return sorted(found, key=self._place.__getitem__)

    def may(self, event: Event) -> bool:
        """Whether `event` is among those that `enabled` returns."""
        return event in self._place and any(
            event.args[:1] not in _busy(m) and self._take(m.state, event) for m in self.now
        )

    def due(self) -> list[Event]:
        """The hidden events that may happen now and change something, in the order of the specification."""
        found = {event for m in self.now for event, *_ in self._due(m.state)}
        return [event for event in self._hidden if event in found]

    # --- one step ------------------------------------------------------------------------------------------

    def _step(self, m: Maybe[S], line: Line, broken: set[str]) -> Iterator[Maybe[S]]:
        match line:
            case Call(event) if event.args[:1] not in _busy(m):
                yield m._replace(calls=m.calls | {event})
            case Do(event) if event.args[:1] not in _busy(m):
                yield from self._after(m, event, m.calls, broken)
            case Return(caller, answer):
                if (caller, answer) in m.owed:
                    yield m._replace(owed=m.owed - {(caller, answer)})
            case End():
                if self._at_rest(m):
                    yield m

    def _after(self, m: Maybe[S], event: Event, calls: frozenset[Event], broken: set[str]) -> Iterator[Maybe[S]]:
        try:
            steps = self._take(m.state, event)
        except (LookupError, TypeError) as error:
            why = f"{type(error).__name__}: {error}"
            raise SpecError(
                f"{self.model.spec.name}: {event} has a value that is none of the model ({why}); its constants are"
                f" {self.model.k}"
            ) from error
        for t, owed, bad in steps:
            broken.update(bad)
            if not bad:
                yield Maybe(t, calls, m.owed | owed)

    def _become(self, found: set[Maybe[S]]) -> None:
        """The possibilities now: `found`, and all that hidden actions, and calls that take place, may make of them."""
        todo = list(found)
        while todo:
            m = todo.pop()
            more: list[Maybe[S]] = []
            for _, t, owed, bad in self._due(m.state):
                if bad:
                    self._thinned.update(bad)
                else:
                    more.append(Maybe(t, m.calls, m.owed | owed))
            for event in m.calls:
                more += self._after(m, event, m.calls - {event}, self._thinned)
            for n in more:
                if n not in found:
                    found.add(n)
                    todo.append(n)
            if len(found) > MOST_POSSIBLE:
                raise LimitError(
                    f"{self.model.spec.name}: more than {MOST_POSSIBLE:,} states are possible at line"
                    f" {len(self.lines) + 1}: bound what its hidden actions do"
                )
        self.now = frozenset(found)
        self.widest = max(self.widest, len(found))

    def _at_rest(self, m: Maybe[S]) -> bool:
        return not (m.calls or m.owed or any(event.name in self._fair for event, *_ in self._due(m.state)))

    # --- cached by state -----------------------------------------------------------------------------------

    def _due_in(self, s: S) -> tuple[tuple[Event, S, frozenset[Any], tuple[str, ...]], ...]:
        """The steps of hidden events, without those that change nothing and deliver no result."""
        return tuple((e, *taken) for e in self._hidden for taken in self._taken(s, e) if taken[0] != s or taken[1])

    def _visible_in(self, s: S) -> tuple[Event, ...]:
        return tuple(event for event in self._seen if self.model.allows(s, event))

    def _taken(self, s: S, event: Event) -> tuple[tuple[S, frozenset[Any], tuple[str, ...]], ...]:
        """The states after `event`, each with the result for its caller and the properties that the step breaks."""
        answer = self.model.spec.actions[event.name].answer
        found = []
        for t in self.model.after(s, event):
            given = answer(self.model.k, s, t, *event.args) if answer else ()
            bad = (*(p.name for p in self.model.broken(s, t, event)), *self._bad(t))
            found.append((t, frozenset((event.args[0], x) for x in given), bad))
        return tuple(found)

    def _rejected(self, line: Line | str, broken: set[str], states: Sequence[str] = ()) -> Rejected:
        allowed = {str(e) for m in self.now for e in self._visible(m.state) if e.args[:1] not in _busy(m)}
        allowed |= {str(Return(caller, answer)) for m in self.now for caller, answer in m.owed}
        if any(self._at_rest(m) for m in self.now):
            allowed.add(str(End()))
        due: set[Event | Return] = set()
        if isinstance(line, End):
            due |= {e for m in self.now for e, *_ in self._due(m.state) if e.name in self._fair}
            due |= {Return(caller, answer) for m in self.now for caller, answer in m.owed}
            due |= {call for m in self.now for call in m.calls}
        return Rejected(
            self.model.spec.name,
            list(self.lines),
            str(line),
            sorted(allowed),
            sorted(broken),
            sorted(self._thinned - broken),
            sorted(map(str, due)),
            self._rules(line, broken, due),
            states,
            self._unknown(line.answer) if isinstance(line, Return) else "",
        )

    def _unknown(self, answer: Hashable) -> str:
        """The advice about an answer that no action gives; nothing if one may."""
        words = answers_of(self.model.spec)
        if words is None or answer in words:
            return ""
        known = ", ".join(words) or "none"
        return f"no action answers {answer}; the answers are {known}: an adapter may translate it (said=)"

    def _rules(self, line: Line | str, broken: set[str], due: set[Event | Return]) -> list[str]:
        """The rules that a line breaks; see Rejected."""
        spec = self.model.spec
        if broken:
            return sorted({spec.properties[name].rule for name in broken})
        if isinstance(line, Call | Do):
            return [spec.actions[line.event.name].rule]
        moved = {each.name for each in due if isinstance(each, Event)}
        waits = {each.caller for each in (line, *due) if isinstance(each, Return)}
        before = [each.event for each in self.lines if isinstance(each, Call | Do)]
        asked = [event for event in before if event.args and event.args[0] in waits] or before
        moved |= {event.name for event in asked[-1:]} if waits or not moved else set()
        return sorted({spec.actions[name].rule for name in moved})

    def _demand(self, line: Line) -> None:
        """Raise SpecError for a line that no run can have."""
        try:
            hash(line)
        except TypeError:
            raise SpecError(f"{self.model.spec.name}: {line}: a value has no hash: write a number or a tuple") from None
        if isinstance(line, Call | Do):
            self._known(self.model, *line.event)
            if self.model.spec.actions[line.event.name].hidden and not isinstance(line, Seen):
                raise SpecError(
                    f"{self.model.spec.name}: {line}: {line.event.name} is hidden: it happens by itself, not called;"
                    " leave the line out, or write Seen, not Do, if the recorder sees it happen"
                )

    @staticmethod
    def _known(model: Model[K, S], name: str, args: tuple[Hashable, ...] | None = None) -> None:
        """Raise SpecError if the specification has no such action, or not with so many parameters."""
        action = model.spec.actions.get(name)
        if action is None:
            raise SpecError(f"{model.spec.name} has no action {name!r}")
        if args is not None and len(args) != len(action.params):
            raise SpecError(f"{model.spec.name}: {Event(name, args)}: {name} takes {len(action.params)} parameters")


def answers_of(spec: Spec[Any, Any]) -> list[str] | None:
    """The answers of all actions, if their functions say that they return words of enumerations, else None."""
    found: list[str] = []
    for answer in dict.fromkeys(a.answer for a in spec.actions.values() if a.answer):
        try:
            kind, *_ = (*get_args(get_type_hints(answer).get("return")), None)
        except (NameError, TypeError):  # a type that is imported for the type checker only, or no function
            return None
        if not (isinstance(kind, type) and issubclass(kind, StrEnum)):
            return None
        found += map(str, kind)
    return list(dict.fromkeys(found))


def _busy(m: Maybe[S]) -> set[tuple[Hashable, ...]]:
    """The callers that are still in a call, each as first arguments: it has not returned, or not been seen to."""
    return {(caller,) for caller, _ in m.owed} | {call.args[:1] for call in m.calls if call.args}
