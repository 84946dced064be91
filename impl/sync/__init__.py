"""Queues, locks, semaphores, events, conditions and barriers."""
