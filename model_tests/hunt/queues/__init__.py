"""Harnesses: queues, channels and streams, locks, groups of tasks."""
