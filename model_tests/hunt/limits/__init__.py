"""Harnesses: limiters, retries, circuit breakers, schedulers."""
