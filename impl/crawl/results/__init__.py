"""The output of a crawl: records, the journal, the report."""
