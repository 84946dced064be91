"""aiojobs: a scheduler whose owner is cancelled at the end of the block leaves its jobs running."""
