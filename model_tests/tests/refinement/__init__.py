"""Tests of model_tests.refinement: code against the specification."""
