"""The search of schedules: run after run, and the classes of runs that it leaves out."""
