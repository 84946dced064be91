"""quattro: a scope whose deadline has passed, and whose block does not wait, cancels what comes after it."""
