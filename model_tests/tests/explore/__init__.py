"""Tests of impl.explore: search, reduction, shrinking, the report, replay."""
