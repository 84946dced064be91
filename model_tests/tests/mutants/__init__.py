"""Tests of model_tests.mutants."""
