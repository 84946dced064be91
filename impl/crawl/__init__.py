"""The crawler: `frontier` and `record` are pure; `crawler` fetches the URLs that the frontier names."""
