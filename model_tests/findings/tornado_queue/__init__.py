"""tornado: an item that was given to a getter is lost with its cancel."""

from ..finding import Finding

FINDING = Finding(
    "tornado_queue",
    library="tornado",
    versions=("6.6.1",),
    bug="A task that gets from a queue, and is cancelled after an item was given to it, loses the item.",
    rule="QUEUE-1",
    control="1 got, 0 left",
    shows="0 got, 0 left",
    cancel="work",
    failure="AssertionError: [",
    subject="on_tornado.py:Queue",
    known="https://github.com/tornadoweb/tornado/issues/2826",
)
