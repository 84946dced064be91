"""The crawl: what to fetch and what became of it; `frontier` and `record` are pure, `crawler` pumps them."""
