"""Pictures of findings of the checks: a counterexample of a specification, a state graph, a finding of the kit."""
