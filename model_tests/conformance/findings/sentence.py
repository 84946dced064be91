"""One sentence for a finding: the failure, in plain words."""

from itertools import zip_longest

from ...programs.comparison import DifferentStep
from .content import ShownProgram
from .finding import Finding

#: By the beginning of an outcome: how a sentence has it.
SPOKEN = (
    ("raised ", "raised {}"),
    ("gave ", "returned {}"),
)


def sentence(finding: Finding) -> str:
    """Return the sentence, without the rule."""
    if finding.fact:
        return f'{finding.seen[0][3] or finding.seen[0][2]}, contrary to "{finding.fact.text}"'
    if finding.said:
        return finding.said
    shown = finding.shown
    calls, waits = shown.calls_that_differ, shown.waits
    goes_on = next((each for each in calls if len(each.had) > len(each.wanted)), None)
    last = finding.seen[-1][2] if finding.seen and finding.seen[-1][1] == "loop" else ""
    if last and last != "left":
        return f"the program {last}"
    if any(each.what == "repeat" for each in calls):
        return "each time that this is done, an object is kept for ever"
    if finding.kind in ("stuck", "lost") and waits:
        lost = finding.kind == "lost" and not shown.overtaken
        after = " after a cancel: its wake-up was lost" if lost else ""
        if waits.wanted[len(waits.had)].startswith("raised CancelledError"):
            after = ", and should be cancelled"
        return f"a task waits in {spoken(waits, shown)} for ever{after}"
    if shown.went_on:
        return "a task was cancelled, and went on as if it had not been"
    if finding.kind == "order" and not calls:
        return "tasks or callbacks ran in another order"
    if goes_on and not goes_on.wanted and goes_on is calls[0]:
        return f"{spoken(goes_on, shown)} ended, and should wait"
    for each in calls or shown.differing:
        wanted, had = next(pair for pair in zip_longest(each.wanted, each.had) if pair[0] != pair[1])
        if each.actor == "handler":
            return f"the exception handler was {'not ' if had is None else ''}called"
        if had is None or wanted is None:
            return f"{spoken(each, shown)} {'did not end' if had is None else 'ended, and should wait'}"
        rather = outcome(wanted).removeprefix("returned ").removeprefix("was ")
        return f"{spoken(each, shown)} {outcome(had)}, and not {rather}"
    return "the same happened at another time"


def spoken(each: DifferentStep, shown: ShownProgram) -> str:
    """Return a call with the classes of things in place of their names."""
    what = each.what.removeprefix("await ").removeprefix("see ")
    name, dot, rest = what.partition(".")
    if each.actor == "end":
        return f"the {shown.things.get(what, what)} at the end"
    return f"{shown.things.get(name, name)}{dot}{rest}" if dot else shown.things.get(what, what)


def outcome(text: str) -> str:
    """Return an outcome as a part of a sentence."""
    if not text:
        return "did nothing"
    if text in ("pending", "cancelled") or "=" in text:
        return f"was {text}"
    return text if text.startswith("raised ") else f"returned {text.removeprefix('gave ')}"
