"""What a link checker tells of a crawl: broken links with their places, missing fragments, redirects, and formats."""
