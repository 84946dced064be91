"""simloop's loop in its plain order: that of a script of choices at its end; a seed draws another order on purpose."""

from simloop import SimLoop


def new_event_loop() -> SimLoop:
    return SimLoop._from_choices([], 0)
