"""Futures and tasks, the coroutines and generators that tasks run, and the running loop."""
