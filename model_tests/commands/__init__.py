"""The commands of loopspec, and what those of spec do not have: pictures of counterexamples, templates, advice."""
