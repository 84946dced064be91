"""Tests of other people's test suites on loopspec."""
