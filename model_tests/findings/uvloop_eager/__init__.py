"""uvloop: a task factory gets eager_start=None and context=None, so that asyncio's eager factory is not eager."""
