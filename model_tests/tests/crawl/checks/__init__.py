"""Tests of the reports of a crawl: places, fragments, resources, formats."""
