"""Tests of what a crawl reports: places, fragments, resources, formats."""
