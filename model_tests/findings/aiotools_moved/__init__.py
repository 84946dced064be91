"""aiotools: after move_on_after() has ended a block, an enclosing timeout raises CancelledError."""
