"""Real runs against a specification: schedules that its graph directs, driven, recorded and judged."""
