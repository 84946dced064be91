"""The implementations, and the checks of all code under test."""
