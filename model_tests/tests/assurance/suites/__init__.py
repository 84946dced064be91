"""Tests of the runs of other projects' test suites on loopspec."""
