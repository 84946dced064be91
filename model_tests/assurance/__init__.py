"""What assures the checks: mutations, fuzzing, the reduction's gate, CPython's suites, benchmarks."""
