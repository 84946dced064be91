"""Tests of what a link checker tells: places, fragments, resources, formats."""
