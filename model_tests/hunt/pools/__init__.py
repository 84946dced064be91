"""Harnesses: pools of connections and sessions."""
