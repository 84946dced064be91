"""Tests of the subjects: right implementations are right, wrong ones wrong, in plain programs."""
