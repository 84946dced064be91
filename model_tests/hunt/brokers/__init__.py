"""Harnesses: clients of message brokers."""
