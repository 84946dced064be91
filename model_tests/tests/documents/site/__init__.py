"""Tests of the site: its guides, its pages, and the crawl of it."""
