"""aiojobs: the error of a job whose waiter was cancelled is not reported."""
