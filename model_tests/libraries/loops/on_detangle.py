"""detangle's loop in its plain order, first in, first out; another strategy orders tasks on purpose."""

from detangle import SimConfig, SimLoop


def new_event_loop() -> SimLoop:
    return SimLoop(SimConfig(max_steps=10**9))
