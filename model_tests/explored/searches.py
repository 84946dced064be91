"""The verdict of an explored test, which tells fragile assumptions from bugs."""

import errno
from socket import gaierror
from typing import Final

from impl.explore import Found
from impl.explore.report.internal import boundary
from impl.sim.outcome import chain

from .options import NEVER, ORDER, OWN_ORDER, PASSES, REQUESTED, TIMING

#: The errors of a connect or a bind to an address that the simulated network does not have.
_NO_ADDRESS: Final = (errno.ECONNREFUSED, errno.EADDRNOTAVAIL)


def verdict_of(found: Found) -> str:
    """The verdict in words.  Of a failure, the run is made simpler first."""
    if found.failure is None:
        return NEVER if found.never else PASSES
    with boundary():
        simple = found.failure.simple
    needs = {lane for lane, values in simple.plan.items() if any(values)}
    inject = found.failure.program.setup.inject
    if inject.collect:
        return TIMING
    if not needs or not simple.plain_passes:
        return OWN_ORDER
    if "faults" in needs and not inject.late_freely:
        return REQUESTED
    unseen = not simple.rows or simple.runtime == "trio"  # trio's clock is late, not a timer of a step
    late = any(row.late for row in simple.rows) or (unseen and bool(inject.late_ms_max))
    return TIMING if late or needs & {"faults", "network"} else ORDER


def unsimulated(found: Found, has_own_loop: bool) -> str:
    """Why the failure of a test that no marker asks for may be due to the simulation; "": it is not.

    Parameters:
        has_own_loop: whether the suite of the test chooses its event loop.
    """
    if found.failure is None:
        return ""
    if not (found.inline or has_own_loop or _lacks_address(found.failure.error)) or verdict_of(found) != OWN_ORDER:
        return ""
    if found.inline:
        return "it fails where the functions that it gives to processes run inline"
    if has_own_loop:
        return (
            "it fails on another event loop than that of its suite (event_loop_policy, pytest_asyncio_loop_factories)"
        )
    return "the simulated network lacks an address that it needs; start its server in the test, or in a fixture of it"


def _lacks_address(error: BaseException) -> bool:
    return any(
        isinstance(each, gaierror) or (isinstance(each, OSError) and each.errno in _NO_ADDRESS) for each in chain(error)
    )
