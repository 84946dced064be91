"""Right code that several wrong implementations are made of: each changes one thing of it."""
