"""Wrong implementations for facts that no wrong subject breaks: by the name of the fact."""

from __future__ import annotations

from typing import Final

TASK: Final = "class Task(asyncio.tasks._PyTask):\n"
FUTURE: Final = "class Future(asyncio.futures._PyFuture):\n"
RUNNER: Final = "class Runner(asyncio.Runner):\n"
#: A callback of each future that is not done keeps the task that calls `original`.
KEEPS: Final = """
def keeps(arguments):
    caller, futures = asyncio.current_task(), [asyncio.ensure_future(each) for each in arguments]
    for future in futures:
        if not future.done():
            future.add_done_callback(lambda future: caller)
    return futures
"""
REFUTED: Final = {
    "awaited_by": """
class TaskGroup(asyncio.TaskGroup):
    def create_task(self, coro, **more):
        task = super().create_task(coro, **more)
        asyncio.future_discard_from_awaited_by(task, self._parent_task)
        return task

def capture_call_graph(future=None, /, *, depth=2, limit=None):
    return original(future, depth=depth, limit=limit)

original = asyncio.capture_call_graph
""",
    "awaiters_of_ones_own": """
def future_discard_from_awaited_by(future, waiter, /):
    pass
""",
    "graph_of_the_current_task": """
def capture_call_graph(future=None, /, *, depth=1, limit=None):
    return original(future, depth=depth, limit=limit)

original = asyncio.capture_call_graph
""",
    "timeout_outside_a_task": """
class Timeout(asyncio.Timeout):
    async def __aenter__(self):
        return self if asyncio.current_task() is None else await super().__aenter__()

def timeout(delay):
    return Timeout(None if delay is None else asyncio.get_running_loop().time() + delay)
""",
    "group_itself": """
class TaskGroup(asyncio.TaskGroup):
    async def __aenter__(self):
        await super().__aenter__()
        return type("Proxy", (), {"create_task": self.create_task})()
""",
    "numbers_of_notify": """
class Condition(asyncio.Condition):
    def notify(self, n=1):
        super().notify(max(n - 1, 1))
""",
    "context_of_a_tasks_callback": f"""
{TASK}
    def add_done_callback(self, callback, *, context=None):
        super().add_done_callback(callback, context=context or self._context)
""",
    "coroutines_see_the_context": """
def gather(*awaitables, return_exceptions=False):
    context = contextvars.Context()
    return context.run(original, *awaitables, return_exceptions=return_exceptions)

original = asyncio.gather
""",
    "coroutines_keep_their_changes": """
def shield(arg):
    if asyncio.iscoroutine(arg):
        arg = asyncio.get_running_loop().create_task(arg, context=asyncio.current_task()._context)
    return original(arg)

original = asyncio.shield
class Task(asyncio.tasks._PyTask):
    pass
""",
    "blocks_change_no_context": """
class TaskGroup(asyncio.TaskGroup):
    async def __aenter__(self):
        self.before = contextvars.copy_context()
        return await super().__aenter__()

    async def __aexit__(self, *error):
        for variable, value in self.before.items():
            variable.set(value)
        return await super().__aexit__(*error)
""",
    "callers_keep_their_context": """
async def sleep(delay, result=None):
    for variable in contextvars.copy_context():
        if variable.name == "variable":
            variable.set(0)
    return await original(delay, result)

original = asyncio.sleep
""",
    "begun_in_the_loop": """
def run_coroutine_threadsafe(coro, loop):
    async def rest():
        return await coro

    task = asyncio.current_task()
    future = concurrent.futures.Future()
    loop.call_soon_threadsafe(lambda: original(rest(), loop).add_done_callback(lambda _: future.set_result(task)))
    return future

original = asyncio.run_coroutine_threadsafe
""",
    "yield_of_a_future": """
class Future(asyncio.futures._PyFuture):
    _asyncio_future_blocking = property(lambda self: True, lambda self, value: None)
""",
    "threadsafe": """
def run_coroutine_threadsafe(coro, loop):
    async def logged():
        try:
            return await coro
        except KeyError:
            return None

    return original(logged(), loop)

original = asyncio.run_coroutine_threadsafe
""",
    "task_frees_its_frame": f"""
{TASK}
    def __init__(self, coro, **given):
        super().__init__(coro, **given)
        self.frame = coro.cr_frame
        self.local = {{}}
        self.add_done_callback(lambda task: None)

    def _Task__step(self, exc=None):
        super()._Task__step(exc)
        if not self.done():
            self.local.update(self.frame.f_locals)
""",
    "steps_free_their_caller": f"""
{KEEPS}
def as_completed(fs, *, timeout=None):
    return original(keeps(fs), timeout=timeout)

original = asyncio.as_completed
""",
    "gathers_free_their_caller": f"""
{KEEPS}
def gather(*aws, return_exceptions=False):
    return original(*keeps(aws), return_exceptions=return_exceptions)

original = asyncio.gather
""",
    "shields_free_their_maker": f"""
{KEEPS}
def shield(arg):
    return original(*keeps([arg]))

original = asyncio.shield
""",
    "results_are_freed": """
async def wait_for(fut, timeout):
    result = await original(fut, timeout)
    kept.append(result)
    return result

original, kept = asyncio.wait_for, []
""",
    "loops_are_freed": f"""
{RUNNER}
    def run(self, coro, *, context=None):
        kept.append(super().run(coro, context=context))
        return kept[-1]

kept = []
""",
    "context_of_caller": f"""
{RUNNER}
    def run(self, coro, *, context=None):
        context = context or contextvars.copy_context()
        try:
            return super().run(coro, context=context)
        finally:
            for variable, value in context.items():
                variable.set(value)
""",
    "closes_loop": f"""
{RUNNER}
    def __exit__(self, kind, error, trace):
        if kind is None:
            self.close()
""",
    "closed_twice": f"""
{RUNNER}
    def close(self):
        self.get_loop()
        super().close()
""",
    "runs_awaitables_only": f"""
{RUNNER}
    def run(self, coro, *, context=None):
        async def main():
            return await coro if asyncio.iscoroutine(coro) else coro

        return super().run(main(), context=context)
""",
    "runs_any_awaitable": f"""
{RUNNER}
    def run(self, coro, *, context=None):
        if asyncio.isfuture(coro):
            raise TypeError
        return super().run(coro, context=context)
""",
    "debug_of_run": """
def run(main, *, debug=None, **given):
    return original(main, **given)

original = asyncio.run
""",
    "current_loop": f"""
{RUNNER}
    def __init__(self, *, debug=None, loop_factory=None):
        super().__init__(debug=debug, loop_factory=loop_factory or asyncio.events.new_event_loop)
""",
    "interrupted": f"""
{RUNNER}
    def run(self, coro, *, context=None):
        try:
            return super().run(coro, context=context)
        except KeyboardInterrupt:
            raise asyncio.CancelledError from None
""",
    "in_another_thread": f"""
{RUNNER}
    def run(self, coro, *, context=None):
        signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))
        return super().run(coro, context=context)
""",
    "current_task_here": """
def current_task(loop=None):
    task = original(loop)
    if task is not None:
        first.append(task)
    return first[0] if task is not None else None

original, first = asyncio.current_task, []
""",
    "many_awaiters": f"""
{TASK}
    def __await__(self):
        result = yield from super().__await__()
        result, self._result = self._result, None
        return result
""",
    "needs_a_loop": """
def create_task(coro, **keywords):
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        loop = asyncio.new_event_loop()
    return loop.create_task(coro, **keywords)
""",
    "eager_callbacks": f"""
{TASK}
    def add_done_callback(self, callback, *, context=None):
        if self.done():
            callback(self)
        else:
            super().add_done_callback(callback, context=context)
""",
    "timers": """
class Loop(asyncio.SelectorEventLoop):
    def call_later(self, delay, callback, *args, context=None):
        return super().call_later(delay / 2, callback, *args, context=context)

new_event_loop = Loop
""",
    "results_of_a_future": f"""
{FUTURE}
    def set_result(self, result):
        super().set_result(result or None)
""",
    "report_of_an_exception": f"""
{FUTURE}
    def __del__(self):
        if self._Future__log_traceback:
            self._loop.call_exception_handler({{"message": "lost", "exception": self._exception}})
""",
    "contents_are_freed": f"""
{FUTURE}
    kept = []

    def set_result(self, result):
        super().set_result(result)
        self.kept.append(result)
""",
    "primitives_of_one_loop": """
class Lock(asyncio.Lock):
    def _get_loop(self):
        return asyncio.get_running_loop()
""",
    "eager_failures": """
class TaskGroup(asyncio.TaskGroup):
    def create_task(self, coro, **keywords):
        task = super().create_task(coro, **keywords)
        if task.done():
            task.remove_done_callback(self._on_task_done)
            self._tasks.discard(task)
        return task
""",
    "generic_queues": """
class Queue(asyncio.Queue):
    __class_getitem__ = None
""",
}
