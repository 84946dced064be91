"""aiojobs: a pending job that was closed is counted, and a later one never begins."""
