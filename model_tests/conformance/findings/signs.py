"""The signs of each primitive: how a smallest program shows that a rule is broken, the more special first.

Each function returns the rule, or "" if no sign fits.
"""

from typing import Final

from ...programs.enumeration import Json
from .content import ShownProgram

#: How the outcome of a call begins at a timeout, and after a cancel.
LATE: Final = "raised TimeoutError"
CANCELLED: Final = "raised CancelledError"


def queues(s: ShownProgram) -> str:
    """Return the broken rule of a queue."""
    if s.uses("LifoQueue", "PriorityQueue") and s.another("get", "get_nowait"):
        return "QUEUE-28" if s.uses("LifoQueue") else "QUEUE-29"
    if s.call("get_nowait", wanted="raised QueueShutDown", had="raised QueueEmpty"):
        return "QUEUE-24"
    if s.refuses("shutdown"):
        return "QUEUE-37"
    if s.refuses("join"):
        return "QUEUE-15" if ".join" in str(s.program["main"]) else "QUEUE-16"
    if s.uses(".shutdown"):
        return "QUEUE-31" if "immediate" in str(s.program) else "QUEUE-32" if s.stuck else "QUEUE-30"
    if s.call("put_nowait", wanted="raised QueueFull") or (s.look("full") and not s.uses(".cancel", "create_task")):
        return "QUEUE-25" if s.call("put_nowait") and not s.look("qsize") else "QUEUE-2"
    if s.call("get_nowait", wanted="raised QueueEmpty") and not s.uses("create_task"):
        return "QUEUE-24"
    if s.refuses("get_nowait", "put_nowait"):
        return "QUEUE-24" if s.refuses("get_nowait") else "QUEUE-25"
    if s.refuses("task_done") or s.call("task_done", wanted="raised", had="raised"):
        return "QUEUE-14"
    if s.call("task_done"):
        return "QUEUE-8" if s.call("task_done", wanted="raised") else "QUEUE-20"
    if s.uses(".join"):
        return joins(s)
    if s.uncancelled:
        return "QUEUE-18"
    return items(s)


def joins(s: ShownProgram) -> str:
    """Return the broken rule of Queue.join."""
    if s.freed and not s.uses(".put_nowait"):
        return "QUEUE-20"
    main = [text for text in map(str, s.program["main"]) if ".put" in text or ".task_done" in text]
    again = any(".task_done" in text for text in main[:-1]) and ".put" in "".join(main[1:])
    if s.stuck:
        return "QUEUE-16" if again else "QUEUE-6"
    if s.freed and not s.uses(".cancel") and ".task_done" not in str(s.program):
        return "QUEUE-6"
    return "QUEUE-7" if s.freed or not s.differing or any(each.actor == "handler" for each in s.differing) else ""


def items(s: ShownProgram) -> str:
    """Return the broken rule about waiting getters and putters."""
    size = s.look("qsize")
    if s.overtaken:
        return "QUEUE-3"
    if s.raised("QueueEmpty", but="get_nowait"):
        return "QUEUE-4"
    if s.call("get", wanted="", had="raised") and not s.call("get", had="raised CancelledError"):
        return "QUEUE-4"
    if s.stuck and not s.freed:
        if s.at_end("full") != "True" and s.call("put", had=""):
            return "QUEUE-21"
        if s.call("get", had=""):
            return "QUEUE-5" if s.at_end("qsize") != "0" else "QUEUE-1"
    if s.uses(".cancel") and size:
        had = int(size[1] or 0)  # "" of a queue that could not be made
        return "QUEUE-18" if had > int(size[0]) and s.uses(".put") else "QUEUE-1"
    if s.returned("put"):
        return "QUEUE-13"
    if s.uses("LifoQueue", "PriorityQueue") and (s.call("get") or s.call("get_nowait")):
        return "QUEUE-28" if s.uses("LifoQueue") else "QUEUE-29"
    return "QUEUE-1" if s.call("get", "get_nowait") else ""


def locks(s: ShownProgram) -> str:
    """Return the broken rule of a lock or semaphore."""
    bounded, counts = s.uses("BoundedSemaphore"), s.uses("Semaphore", "BoundedSemaphore")
    if s.call("release", wanted="raised"):
        return "SEM-3" if bounded else "LOCK-9"
    if bounded and any(had.startswith("raised ValueError") for each in s.differing for had in each.had):
        return "SEM-3"
    if s.refuses("acquire", "with") or s.another("acquire"):
        return "LOCK-1"
    if "CancelledError" in s.words and s.call("acquire", wanted="True", had=CANCELLED):
        return "LOCK-1"  # it was cancelled before
    if not s.uses(".acquire") and not s.uses("create_task"):
        changed = ("SEM-3" if bounded else "LOCK-2") if s.uses(".release") else "SEM-1"
        return changed if counts else ""
    if s.overtaken:
        return "SEM-2" if counts else "LOCK-10"
    if s.uncancelled:
        return "LOCK-4"
    if s.stuck and not s.freed:
        return stuck_lock(s, counts)
    locked = s.look("locked")
    if s.uses(".cancel") and locked == ("True", "False"):
        return "LOCK-6" if counts else "LOCK-7"
    if s.uses(".cancel") and locked == ("False", "True"):
        return "LOCK-8" if counts else "LOCK-16"
    if counts and s.ends.get("main", ("",))[0] == "pending" and not s.uses(".cancel"):
        return "SEM-2"  # main comes after those that wait
    if s.freed:
        return "LOCK-7" if not counts or s.uses(".cancel") else "LOCK-6"
    return ""


def stuck_lock(s: ShownProgram, counts: bool) -> str:
    """Return the broken rule if a task waits for ever."""
    releases = str(s.program["main"]).count(".release")
    if counts and not s.uses(".cancel"):
        return "LOCK-3" if releases > 1 else "SEM-2"
    if s.at_end("locked") == "True" and not counts:
        return "LOCK-16"
    return "LOCK-8" if s.uses(".release", ".cancel") else "LOCK-1"


def conditions(s: ShownProgram) -> str:
    """Return the broken rule of a condition."""
    if s.call("notify", "notify_all", "wait", "wait_for", wanted="raised RuntimeError"):
        return "COND-3"
    if s.uncancelled:
        return "LOCK-4"
    if s.uses(".wait_for"):
        return "COND-7"
    if s.overtaken:
        return "COND-1"
    if s.stuck and s.uses(".notify_all") and not s.uses(".cancel"):
        return "COND-8"
    if s.end("", "raised RuntimeError"):
        return "COND-4"
    if s.uses(".cancel"):
        return ""
    return "COND-1" if s.freed else "COND-9" if s.stuck else ""


def events(s: ShownProgram) -> str:
    """Return the broken rule of an event."""
    if s.call("is_set", wanted="True") and not s.uses("create_task"):
        return "EVENT-1"
    if s.call("is_set", wanted="False") or s.look("is_set") == ("False", "True"):
        return "EVENT-14"
    if s.uncancelled:
        return "EVENT-7"
    if s.call("wait", wanted="raised CancelledError", had="raised"):
        return "EVENT-8"
    return "EVENT-3" if s.uses(".clear") and s.freed else ""


def barriers(s: ShownProgram) -> str:
    """Return the broken rule of a barrier."""
    if s.uses(".reset"):
        return "BARRIER-2"
    if s.uses(".abort"):
        return "BARRIER-3"
    if s.uses(".cancel"):
        return "BARRIER-4"
    return "BARRIER-1" if s.call("wait") else ""


def gathers(s: ShownProgram) -> str:
    """Return the broken rule of gather."""
    if s.end("cancelled", "") and s.uses(".cancel") and "return_exceptions" not in str(s.program):
        return "GATHER-4"
    if s.end("pending", "cancelled") and s.uses(".set_exception") and not s.uses(".cancel"):
        return "GATHER-2"
    for wanted, had in s.results():
        if wanted.startswith("[") and had and not had.startswith(("[", "raised", "cancelled", "pending")):
            return "GATHER-1"
        if wanted.startswith("[") and had.startswith("["):
            words = [sorted(text.strip("[]").split(", ")) for text in (wanted, had)]
            if len(words[0]) != len(words[1]) and s.twins("gather"):
                return "GATHER-7"
            return "GATHER-3" if words[0] != words[1] and "return_exceptions" in str(s.program) else "GATHER-1"
    return ""


def timeouts(s: ShownProgram) -> str:
    """Return the broken rule of a timeout."""
    made = [e for e in s.calls() if len(e) == 2 and e[0] in ("timeout", "timeout_at", "Timeout")]
    if any(
        wanted.startswith("raised CancelledError") and had.startswith("raised Timeout") for wanted, had in s.results()
    ):
        return "TIMEOUT-2" if s.uses(".cancel") or len(made) < 2 else "TIMEOUT-6"
    if any(each.what.endswith(".cancelling()") for each in s.differing):
        return "TIMEOUT-8"
    if s.another("when"):
        return "TIMEOUT-3"
    if any(past(e[1]) for e in made):
        return "TIMEOUT-5"
    if len(made) == 1 and any(what.startswith(LATE) and not had for what, had in s.ends_of(made[0][0])):
        return "TIMEOUT-1"
    return "TIMEOUT-4" if s.look("expired") and len(s.differing) == 1 else ""


def steps(s: ShownProgram) -> str:
    """Return the broken rule of as_completed, if no step of it is cancelled."""
    if any(call[0] == "as_completed" and "timeout" in str(call[-1]) for call in s.calls()):
        return "ASDONE-2" if s.stuck else ""
    return "ASDONE-1" if s.stuck and all(s.things.get(name) == "Future" for name in s.cancelled()) else ""


def waits(s: ShownProgram) -> str:
    """Return the broken rule of wait."""
    if s.call("wait", wanted="[{}", had=""):
        return "WAIT-4"  # nothing is done, so its time was up
    ways = {"FIRST_COMPLETED": "WAIT-1", "FIRST_EXCEPTION": "WAIT-2"}
    hangs = s.call("wait", wanted="[", had="")
    return next((rule for way, rule in ways.items() if hangs and way in str(s.program)), "")


def wait_fors(s: ShownProgram) -> str:
    """Return the broken rule of wait_for, if it is documented."""
    timed_out = any("wait_for(" in line[2] and line[3].startswith(LATE) for line in s.seen)
    if timed_out and s.call("cancel", wanted="True", had="False"):
        return "WAITFOR-2"  # its error comes before the end of the task that it cancels
    if any(s.things.get(name) != "Future" for name in s.cancelled()):
        return ""  # a caller, perhaps
    if s.call("wait_for", wanted="raised CancelledError", had=LATE):
        return "WAITFOR-1"
    late = any(wanted.startswith(LATE) for wanted, _ in s.results())
    return "WAITFOR-2" if s.end("cancelled", "") or late else ""


def settled_joins(s: ShownProgram) -> str:
    """Return the settled rule of Queue.join, or "" if no join differs."""
    return "QUEUE-16" if any(each.what.endswith(".join()") for each in s.differing) else ""


def settled_wait_fors(s: ShownProgram) -> str:
    """Return the settled rule of wait_for that is about the difference, or ""."""
    calls = [each for each in s.differing if each.what.startswith("await wait_for(")]
    results = [text for each in calls for text in each.wanted if not text.startswith((LATE, CANCELLED))]
    went_on = any(line[3].startswith(CANCELLED) and "wait_for(" not in line[2] for line in s.expected)
    if results and went_on:
        return "WAITFOR-3"
    return "WAITFOR-5" if any(each[0] == "wait_for" and past(each[-1]) for each in s.calls()) else ""


def groups(s: ShownProgram) -> str:
    """Return the broken rule of a task group."""
    if any(wanted.startswith("raised CancelledError") and not had for wanted, had in s.ends_of("TaskGroup")):
        return "GROUP-4"
    counts = [each.what.endswith((".cancelling()", ".uncancel()")) for each in s.differing]
    if counts and all(counts):
        return "GROUP-11" if "TaskGroup" in map(s.things.get, s.cancelled()) else "GROUP-9"
    if s.uses(".cancel"):
        return "GROUP-3" if s.cancels_of_groups() and not s.uses("raise") else ""
    if any(counts):
        return "GROUP-9"
    if s.end("gave", "cancelled"):
        return "GROUP-9"  # a request of its own is left
    groups = [had for wanted, had in s.results() if "Group(" in wanted]
    if groups:
        of_body = [
            each[1] for each in s.raises_in_main() if any("Group(" in had and each[1] not in had for had in groups)
        ]
        return "GROUP-6" if of_body else "GROUP-2"
    return "GROUP-2" if s.end("cancelled", "") else ""


def past(deadline: Json) -> bool:
    """Return whether a delay or a deadline is not after the beginning of the program."""
    return isinstance(deadline, int | float) and deadline <= 0


def sleeps(s: ShownProgram) -> str:
    """Return the broken rule of sleep."""
    return "TASK-4" if any(e[:2] == ["sleep", 0] for e in s.calls()) else ""


def tasks(s: ShownProgram) -> str:
    """Return the broken rule of a task."""
    if s.call("cancel", "uncancel", had="raised KeyError"):
        return "TASK-6"  # it has begun before its creator could name it
    if s.call("cancel", wanted="True", had="False") and s.end("cancelled", "gave"):
        return "TASK-6"
    if s.call("cancel", wanted="False", had="True") or s.call("cancel", wanted="True", had="raised"):
        return "CANCEL-1"
    if s.call("cancel", wanted="True", had="False"):
        return "CANCEL-1"
    if s.another("cancelling", "uncancel"):
        return "CANCEL-15" if s.uses(".uncancel") else "CANCEL-14"
    if s.end("cancelled", "raised"):
        return "TASK-5"
    if s.uses(".uncancel"):
        return "CANCEL-9" if s.call("uncancel", had="-") else ""
    if s.end_of("Future", "cancelled", "pending"):
        return "CANCEL-3" if "cancel" in s.called_in_bodies() else "CANCEL-1"
    awaited = [name for name, end in s.at_the_end().items() if end != "pending" and s.awaits(name)]
    return "TASK-1" if awaited and s.end_of("Task", "", "pending") else ""


def futures(s: ShownProgram) -> str:
    """Return the broken rule of a future."""
    if s.early("set_result", "set_exception", "cancel"):
        return "FUT-2"
    if s.early("add_done_callback"):
        return "FUT-3"
    if s.call("result", "exception") or s.end_of("Future", "raised", "gave"):
        return "FUT-6"
    texts = list(map(str, s.program["main"]))
    resolved = [place for place, text in enumerate(texts) if ".set_result" in text]
    if resolved and s.call(*s.things, wanted=None, had="") and "'await'" in "".join(texts[resolved[0] :]):
        return "FUT-4"
    return ""
