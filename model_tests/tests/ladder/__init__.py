"""Tests of the ladder: one file a group of rungs, and the environments, the table and the walk."""
