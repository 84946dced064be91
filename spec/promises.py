"""Rules that are stated in a sentence only, and shown by examples: most of them about asyncio's names.

A specification of this package states a rule as an action or a property.  Some rules gain nothing by that: the result
of a call, the text of a message, the way a combinator puts tasks together.  They are here, in the form of a docstring
of a specification (`kit/rules.py`): identifier, sentence, source, standing; so every rule is stated once, and can be
found by its name.  A rule is of the *names* if it can be seen through a namespace with asyncio's names: the test
vectors and the conformance kit show it there.  A rule of the *loop* is tested on our own loop only, one of the *crawl*
on crawls, and one of the *kernel* on the kernel of simulated runs, which has no names of asyncio.

Sources are pages of CPython's documentation of asyncio (3.15) and their sections, files of CPython, and its issues.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, cast

from .kit.core import IDENTIFIER
from .kit.rules import CITED, Promise, PromiseStanding, Where

NAMES: Final = """
FUT-6: result() returns the result or raises the error, exception() returns the error or None; both raise
    InvalidStateError if the future is pending, CancelledError if it is cancelled.  [Futures, Future.result and
    Future.exception; documented]
FUT-7: A future never holds StopIteration: it is stored as a RuntimeError.  [gh-112182; Futures,
    Future.set_exception; settled]
FUT-8: An exception that is raised again by each await of the same future does not grow its traceback.
    [bpo-45924; settled]
FUT-9: An exception that was never retrieved is reported to the exception handler, once, when the future is
    destroyed; retrieving it in any way silences the report.  [Developing with asyncio, Detect never-retrieved
    exceptions; documented]
FUT-10: remove_done_callback removes all equal callbacks, and returns how many there were.  [Futures,
    Future.remove_done_callback; documented]
FUT-11: A callback that raises is reported to the exception handler, and stops no other; KeyboardInterrupt and
    SystemExit propagate out of the loop.  [Event Loop, Error Handling API; documented]
FUT-12: A callback runs in the context that it was registered with, by default that of the code that registered it.
    [Futures, Future.add_done_callback; documented]
FUT-13: The message of cancel(msg) reaches every task that awaits the future.  [Futures, Future.cancel; bpo-45390;
    documented]

TASK-7: set_result and set_exception of a task are refused with RuntimeError.  [Coroutines and Tasks, Task
    Object; documented]
TASK-8: A coroutine that yields a value that no task can wait for gets a RuntimeError in its place.  [asyncio/tasks.py,
    what a step may yield; settled]
TASK-9: A task has a name: the one given, or one of its own, until set_name sets another.  [Coroutines and
    Tasks, Task.get_name and Task.set_name; documented]
TASK-10: current_task returns the task that runs, or None; all_tasks returns those of the loop that are not done.
    [Coroutines and Tasks, Introspection; documented]
TASK-11: A task runs in a copy, made at its creation, of the context of its creator, or in the one given, which must be
    a contextvars.Context.  [Coroutines and Tasks, Task Object; gh-157301; documented]
TASK-25: create_task passes its keywords to the task factory as they are given.  [Event Loop, loop.create_task and
    loop.set_task_factory, 3.14; documented]
TASK-26: create_task takes the first step of its task at once if eager_start is true and the loop runs, and in a later
    iteration if it is false; without it, the loop or its factory decides.  [Coroutines and Tasks, create_task, 3.14;
    documented]
GRAPH-1: The call graph of a future has the tasks that await it: directly, or through wait, wait_for, gather, shield,
    as_completed or a task group, as long as these wait.  [Call Graph Introspection, capture_call_graph; documented]
GRAPH-2: future_add_to_awaited_by adds an awaiter to the call graph of a future, future_discard_from_awaited_by removes
    it.  [Call Graph Introspection, Low level utility functions; documented]
TASK-13: KeyboardInterrupt and SystemExit end their task, and propagate out of the loop.  [asyncio/tasks.py, what a
    step does with errors; settled]
CANCEL-10: The message of a request to cancel survives the chain of awaits.  [Coroutines and Tasks, Task.cancel;
    bpo-45390; documented]
SHIELD-3: When the inner future of a shield is cancelled, so is the shield.  [Coroutines and Tasks, Shielding From
    Cancellation; documented]
ENSURE-1: ensure_future returns futures and tasks as they are, makes tasks of coroutines and other awaitables,
    and refuses the rest with TypeError.  [Futures, ensure_future; documented]

LOCK-9: Releasing a lock that is not held is a RuntimeError.  [Synchronization Primitives, Lock.release;
    documented]
SEM-1: A negative initial value is a ValueError.  [Synchronization Primitives, Semaphore; documented]
SEM-2: A newcomer does not overtake a waiter, not even one that was woken and has not run yet, unless the waiter was
    cancelled.  [gh-90155, gh-97545; settled]
SEM-3: Releasing a BoundedSemaphore above its initial value is a ValueError.  [Synchronization Primitives,
    BoundedSemaphore; documented]
COND-3: wait and notify without the lock are a RuntimeError.  [Synchronization Primitives, Condition.wait and
    Condition.notify; documented]
COND-4: When wait returns, or is cancelled, its caller holds the lock again.  [Synchronization Primitives,
    Condition.wait; documented]
COND-5: A cancel that arrives while wait acquires the lock again is raised as it was, with its message.  [gh-111693;
    settled]
COND-7: wait_for waits until the predicate holds, and returns its value.  [Synchronization Primitives,
    Condition.wait_for; documented]
BARRIER-1: When as many tasks wait as there are parties, all continue, each with a number of its own from 0.
    [Synchronization Primitives, Barrier.wait; documented]
BARRIER-2: reset raises BrokenBarrierError in the waiting tasks; when they have left, the barrier is as new, and until
    then newcomers wait.  [Synchronization Primitives, Barrier.reset; documented]
BARRIER-3: abort breaks the barrier: waiting tasks and newcomers get BrokenBarrierError.  [Synchronization
    Primitives, Barrier.abort; documented]
BARRIER-4: A waiter that is cancelled leaves, and is no longer counted.  [asyncio/locks.py, Barrier.wait; settled]
BARRIER-5: While an open barrier drains, a newcomer waits for the next opening.  [asyncio/locks.py, Barrier.wait;
    settled]

SLEEP-1: sleep returns its result when the delay has passed, at most one resolution of the clock earlier.
    [Coroutines and Tasks, Sleeping; documented]
SLEEP-2: Sleeping tasks wake in the order of their deadlines.  [asyncio/base_events.py, the heap of timers; settled]
TIMEOUT-3: reschedule moves the deadline; with None there is none; when() returns it.  [Coroutines and Tasks,
    Timeout.reschedule and Timeout.when; documented]
TIMEOUT-4: expired() says whether the deadline was exceeded.  [Coroutines and Tasks, Timeout.expired;
    documented]
TIMEOUT-5: A deadline that has passed takes effect at the first await of the block that suspends the task.
    [gh-95051; settled]
TIMEOUT-7: Entering twice is a RuntimeError, and so is rescheduling before entry, after the deadline took effect, or
    after the end.  [asyncio/timeouts.py; settled]

GATHER-1: The results are in the order of the arguments, in whatever order they complete.  [Coroutines and Tasks,
    gather; documented]
GATHER-2: The first exception is raised at once; the other awaitables continue.  [Coroutines and Tasks, gather;
    documented]
GATHER-3: With return_exceptions, exceptions are among the results.  [Coroutines and Tasks, gather; documented]
GATHER-4: Cancelling it cancels every child that is not done.  [Coroutines and Tasks, gather; documented]
GATHER-5: A child that is cancelled counts as if it raised CancelledError: the others are not cancelled.
    [Coroutines and Tasks, gather; documented]
GATHER-6: A gather whose children are all done refuses to be cancelled.  [bpo-26923; settled]
GATHER-7: The same awaitable given twice is awaited once, and its result is there twice.  [asyncio/tasks.py,
    gather; settled]
GATHER-8: A gather of nothing returns [].  [asyncio/tasks.py, gather; settled]
GATHER-9: Cancelling a gather that is done leaves its children alone.  [Coroutines and Tasks, gather: after it
    raised, it cancels no awaitable; documented]

WAIT-1: FIRST_COMPLETED returns when any is done, also a cancelled one.  [Coroutines and Tasks, wait; documented]
WAIT-2: FIRST_EXCEPTION returns when any raised, or when all are done; a cancelled one did not raise.
    [Coroutines and Tasks, wait; documented]
WAIT-3: ALL_COMPLETED returns when all are done.  [Coroutines and Tasks, wait; documented]
WAIT-4: A timeout neither raises nor cancels: what is not done is returned as pending.  [Coroutines and Tasks,
    wait; documented]
WAIT-5: A wait that is cancelled does not cancel what it waited for.  [asyncio/tasks.py, wait; settled]
WAIT-6: Coroutines are refused with TypeError, nothing at all with ValueError.  [Coroutines and Tasks, wait;
    asyncio/tasks.py; settled]
WAITFOR-1: An awaitable that ends in time returns its result, or raises its error.  [Coroutines and Tasks, wait_for;
    documented]
WAITFOR-2: At the timeout the inner awaitable is cancelled, its end awaited, and then TimeoutError raised.  [Coroutines
    and Tasks, wait_for; bpo-32751; documented]
WAITFOR-3: A result or an error that the inner awaitable delivers in spite of the timeout is delivered.  [bpo-37658,
    bpo-40607; settled]
WAITFOR-4: A cancel of the caller reaches the inner awaitable, and is lost only if that swallows it.
    [Coroutines and Tasks, wait_for; gh-86296; documented]
WAITFOR-5: A timeout of 0 or less returns a result that is there already, and else cancels at once.  [asyncio/tasks.py,
    wait_for; settled]
WAITFOR-6: A timeout of None waits without end.  [Coroutines and Tasks, wait_for; documented]
ASDONE-1: as_completed yields awaitables that give the results in the order of completion.  [Coroutines and Tasks,
    as_completed; documented]
ASDONE-2: An awaitable that is not done at the timeout raises TimeoutError.  [Coroutines and Tasks, as_completed;
    documented]
ASDONE-3: A cancelled step of as_completed loses no result.  [gh-158004; settled]
ASDONE-4: Iterated with async for, as_completed yields the very futures that it was given.  [Coroutines and
    Tasks, as_completed; documented]

GROUP-1: The end of the block waits for all tasks of the group, also for those created meanwhile.  [Coroutines
    and Tasks, Task Groups; documented]
GROUP-2: The first failure cancels the other tasks and the body; the failures are raised as an ExceptionGroup, or as a
    BaseExceptionGroup if one of them is no Exception.  [Coroutines and Tasks, Task Groups; documented]
GROUP-3: A task of the group that is cancelled is no failure.  [Coroutines and Tasks, Task Groups; documented]
GROUP-4: A cancel from outside cancels the tasks, and is raised when they are done, unless one of them failed.
    [Coroutines and Tasks, Task Groups; documented]
GROUP-6: An exception of the body is in the group with the failures of the tasks.  [Coroutines and Tasks, Task
    Groups; documented]
GROUP-7: create_task of a group that is not active is a RuntimeError, and the coroutine is closed.  [Coroutines
    and Tasks, TaskGroup.create_task; documented]
GROUP-8: KeyboardInterrupt and SystemExit are raised themselves, not in a group.  [Coroutines and Tasks, Task
    Groups; documented]
GROUP-12: cancel() of a group cancels each of its tasks that is not done, also one that it is starting.  [Coroutines and
    Tasks, TaskGroup.cancel; gh-155418; documented]
GROUP-13: If the body alone fails, with GeneratorExit, then that is raised itself, so an asynchronous generator can be
    closed.  [asyncio/taskgroups.py, `__aexit__`; gh-135736; settled]

RUN-1: run cancels the remaining tasks and waits for them, shuts asynchronous generators down, and waits for the
    threads of the default executor.  [Runners, run; documented]
RUN-2: A Runner runs several programs, coroutines or other awaitables (3.14), in one loop and one context, and closes as
    run does.  [Runners, Runner; documented]
"""

LOOP: Final = """
GRAPH-3: A call graph in which tasks await each other in a circle ends where the circle closes, and its text names the
    circle.  [asyncio recurses; defined]
TASK-12: A pending task that is destroyed is reported to the exception handler.  [asyncio/tasks.py,
    Task.__del__; settled]
WRAP-1: wrap_future returns a future that follows a concurrent.futures.Future, and cancels it when cancelled.
    [Futures, wrap_future; documented]
"""

LEAKS: Final = """
LEAK-1: A queue keeps no item that was taken from it, and nothing of a task that has left it.  [asyncio/queues.py, what
    Queue stores; settled]
LEAK-2: A lock, event, condition, semaphore or barrier keeps nothing of a task that has left it.  [asyncio/locks.py,
    waiters are removed however a wait ends; settled]
LEAK-3: A future keeps no callback that was called or removed, a task that is done nothing of its coroutine but the
    result; a task keeps no future that it has awaited.  [asyncio/futures.py; asyncio/tasks.py; settled]
LEAK-4: A shield that is over, or was left, keeps nothing of its caller.  [gh-155143; settled]
LEAK-5: A gather that is over, or was left, keeps its results only.  [asyncio/tasks.py, gather; settled]
LEAK-6: A wait that is over keeps nothing of its caller, and no future.  [gh-152569; settled]
LEAK-7: A wait_for that is over keeps nothing of its caller, and no result.  [gh-155143; settled]
LEAK-8: as_completed that is over, or was left, keeps nothing of its caller, and no result.  [asyncio/tasks.py,
    as_completed; settled]
LEAK-9: A TaskGroup keeps no task that is done, and no error that it has raised.  [asyncio/taskgroups.py, TaskGroup;
    settled]
LEAK-10: The loop keeps nothing of a timeout that has ended.  [asyncio/timeouts.py, Timeout; settled]
LEAK-11: run and a Runner that is closed keep neither the loop nor the result.  [asyncio/runners.py, Runner.close;
    settled]
"""

CRAWL: Final = """
CRAWL-22: Where timing decides whether a URL is answered, a crawl is right if it is one of the site as it was met: an
    error may stand in place of an answer, no URL is fetched that the answers do not lead to, and none is missing that
    they lead to.  [crawls under faults; defined]
"""

KERNEL: Final = """
KERNEL-1: An iteration moves the clock if nothing is ready, makes due timers ready, and runs as many items as are ready
    then: under `fifo`, what becomes ready meanwhile belongs to the next iteration, so a task that spins starves no
    timer.  [Event Loop, call_soon and stop; asyncio/base_events.py, BaseEventLoop._run_once; settled]
KERNEL-2: If no item is ready and no timer is set, the run ends with DeadlockError, which lists each task, its source
    line, and what it waits for.  [virtual time; defined]
KERNEL-3: If iterations go on without end while the clock stands still, the run ends with LivelockError.  [virtual time;
    defined]
ORDER-1: Under `any` an item may run unless an earlier ready item is a callback while it is one, or was woken by the
    same future.  [Event Loop, call_soon; Futures, add_done_callback; trio, no order of tasks; defined]
"""

#: Matches before a line that begins a rule.
BEGIN: Final = re.compile(rf"\n+(?={IDENTIFIER}: )")


def promises(table: str, where: Where) -> Iterator[Promise]:
    """The rules of one of the tables above, in their order."""
    for given in BEGIN.split(table.strip()):
        rule, _, text = " ".join(given.split()).partition(": ")
        cited = CITED.fullmatch(text)
        assert cited, f"{rule} has no source"
        source, _, standing = cited["source"].rpartition("; ")
        yield Promise(rule, cited["sentence"].strip(), source, cast(PromiseStanding, standing), where)


PROMISES: Final[tuple[Promise, ...]] = (
    *promises(NAMES, "names"),
    *promises(LOOP, "loop"),
    *promises(LEAKS, "loop"),
    *promises(CRAWL, "crawl"),
    *promises(KERNEL, "kernel"),
)
