"""The commands of the crawl: crawl, its report, and simulate."""
