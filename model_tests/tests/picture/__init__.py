"""Tests of impl.picture and model_tests.commands."""
