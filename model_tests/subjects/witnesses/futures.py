"""Witnesses of the wrong futures."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, outcome, settle, shows
from ..wrong import futures as wrong

# Any: what a future is given, and what it returns.


@shows(["set", "called"], wrong.CallsAtOnce)
async def callbacks_come_after_set_result(future_class: Thing) -> Any:
    log: list[str] = []
    future = future_class()
    future.add_done_callback(lambda future: log.append("called"))
    future.set_result(1)
    log.append("set")
    await settle()
    return log


@shows((2, []), wrong.CallsBackOnce)
async def remove_equal_callbacks(future_class: Thing) -> Any:
    log: list[Any] = []
    future = future_class()
    future.add_done_callback(log.append)
    future.add_done_callback(log.append)
    removed = future.remove_done_callback(log.append)
    future.set_result(1)
    await settle()
    return removed, log


@shows(["second"], wrong.OneErrorStopsTheRest)
async def a_callback_that_fails(future_class: Thing) -> Any:
    log: list[str] = []
    future = future_class()
    future.add_done_callback(lambda future: 1 // 0)
    future.add_done_callback(lambda future: log.append("second"))
    future.set_result(1)
    await settle()
    return log


@shows("refused", wrong.KeepsTheFirstResult)
async def second_result(future_class: Thing) -> Any:
    future = future_class()
    future.set_result(1)
    try:
        future.set_result(2)
    except asyncio.InvalidStateError:
        return "refused"
    return "accepted"


@shows(("refused", 1), wrong.TakesTheLastException)
async def exception_after_a_result(future_class: Thing) -> Any:
    future = future_class()
    future.set_result(1)
    try:
        future.set_exception(ValueError())
    except asyncio.InvalidStateError:
        return "refused", outcome(future)
    return "accepted", outcome(future)


@shows("not StopIteration", wrong.CarriesStopIteration)
async def stop_iteration(future_class: Thing) -> Any:
    future = future_class()
    try:
        future.set_exception(StopIteration(7))
    except TypeError:  # up to Python 3.11
        return "not StopIteration"
    return "StopIteration" if isinstance(future.exception(), StopIteration) else "not StopIteration"


@shows("raised", wrong.ReturnsCancelledError)
async def exception_of_a_cancelled(future_class: Thing) -> Any:
    future = future_class()
    future.cancel()
    try:
        future.exception()
    except asyncio.CancelledError:
        return "raised"
    return "returned"


@shows("raises InvalidStateError", wrong.NoneIsAResult)
async def early_result(future_class: Thing) -> Any:
    return future_class().result()


@shows(False, wrong.CancelsDone)
async def cancel_of_a_done_future(future_class: Thing) -> Any:
    future = future_class()
    future.set_result(1)
    return future.cancel()


@shows(["ValueError", "ValueError"], wrong.ForgetsItsException)
async def result_twice(future_class: Thing) -> Any:
    future = future_class()
    future.set_exception(ValueError())
    log = []
    for _ in range(2):
        try:
            log.append(future.result())
        except ValueError:
            log.append("ValueError")
    return log
