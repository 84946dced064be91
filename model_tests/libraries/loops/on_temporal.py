"""Temporal's event loop for workflows, under a driver in the place of Temporal's server.

Temporal gives a workflow's loop an activation, lets it run until nothing is ready, and fires its timers by another
activation.  The driver does the same without a server, by the loop's own methods; of a timer it knows when it is due.
The loop alone orders its ready items.
"""

import asyncio
import time
from types import SimpleNamespace
from typing import Any, Final

from temporalio.bridge.proto.workflow_activation import FireTimer
from temporalio.bridge.proto.workflow_completion import WorkflowActivationCompletion
from temporalio.converter import DefaultFailureConverter, DefaultPayloadConverter
from temporalio.worker._workflow_instance import WorkflowInstanceDetails, _WorkflowInstanceImpl

#: The workflow: it has no handlers.
WORKFLOW: Final = SimpleNamespace(
    signals={}, queries={}, updates={}, name="main", dynamic_config_fn=None, versioning_behavior=None
)
ABOUT: Final = SimpleNamespace(namespace="default", workflow_id="main", workflow_type="main", run_id="1")


class Stopped(Exception):
    """`stop` was called: the error ends `_run_once`, as an error of a workflow does."""


class WorkflowLoop(_WorkflowInstanceImpl):
    """The loop, with those methods that Temporal's server stands for."""

    def __init__(self) -> None:
        asyncio._set_running_loop(SimpleNamespace())  # type: ignore[arg-type]  # Temporal wants one to run, and sets a name on it
        try:
            super().__init__(
                WorkflowInstanceDetails(
                    payload_converter_factory=DefaultPayloadConverter,
                    failure_converter_class=DefaultFailureConverter,
                    interceptor_classes=(),
                    defn=WORKFLOW,
                    info=ABOUT,
                    randomness_seed=0,
                    extern_functions={},
                    disable_eager_activity_execution=True,
                    worker_level_failure_exception_types=(),
                    patch_activation_callback=None,
                    last_completion_result=None,
                    last_failure=None,
                )
            )
        finally:
            asyncio._set_running_loop(None)
        self._object, self._closed = self, False
        self._current_activation_error: Exception | None = None
        self._current_completion = WorkflowActivationCompletion()

    def run_forever(self) -> None:
        """Give the loop one activation after another, until it is stopped."""
        while True:
            self._time_ns = time.monotonic_ns()
            timers = sorted(self._pending_timers.items(), key=lambda timer: (timer[1].when(), timer[0]))
            for number, timer in timers:
                if timer.when() <= self.time():
                    self._apply_fire_timer(FireTimer(seq=number))
            try:
                self._run_once(check_conditions=False, jobs=())
            except Stopped:
                self._current_activation_error = None
                return
            if timers:
                time.sleep(max(0.0, timers[0][1].when() - time.monotonic()))

    def stop(self) -> None:
        """End the run after the items that are ready now."""
        self.call_soon(self._stop)

    def _stop(self) -> None:
        self._current_activation_error = Stopped()

    def run_until_complete(self, future: Any) -> Any:  # Any: as asyncio's
        """Run until the future is done."""
        task = asyncio.ensure_future(future, loop=self)
        task.add_done_callback(lambda _: self.stop())
        self.run_forever()
        return task.result()

    async def shutdown_asyncgens(self, *_: float) -> None:
        """Do nothing: asyncio.Runner calls it, the server never does."""

    shutdown_default_executor = shutdown_asyncgens

    def close(self) -> None:
        self._closed = True
        self._ready.clear()

    def is_closed(self) -> bool:
        return self._closed


def new_event_loop() -> Any:  # Any: the check knows nothing of Temporal
    return WorkflowLoop()
