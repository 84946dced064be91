"""cashews: calls of a function in a transaction that run at once raise ValueError."""
