"""aiojobs: a wait(timeout=) that was cancelled cancels the job at its timeout."""
