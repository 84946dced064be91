"""Tests of impl.explore.report."""
