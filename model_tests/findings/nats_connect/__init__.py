"""nats-py: a connect() that fails or is cancelled leaves its connection open."""
