"""What a crawl writes: records, the journal, the report."""
