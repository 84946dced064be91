"""Tests of the specifications and their readers."""
