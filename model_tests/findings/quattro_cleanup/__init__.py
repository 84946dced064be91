"""quattro: a timeout in the clean-up of a cancelled task raises CancelledError in place of TimeoutError."""
