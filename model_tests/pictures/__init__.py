"""Pictures of what the checks find: a counterexample of a specification, a state graph, a finding of the kit."""
