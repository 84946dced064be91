"""aiotools: cancel_and_wait() raises CancelledError in a caller that was not cancelled."""
