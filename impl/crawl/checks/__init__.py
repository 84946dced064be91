"""A link checker's report of a crawl: broken links with their places, missing fragments, redirects, and formats."""
