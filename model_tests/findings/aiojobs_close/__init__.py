"""aiojobs: Job.close() swallows the cancel of its caller."""
