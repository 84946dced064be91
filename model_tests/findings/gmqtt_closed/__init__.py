"""gmqtt: a disconnect() that is cancelled makes other calls raise CancelledError."""
