"""cashews: what a task writes after a commit that was cancelled is lost."""
