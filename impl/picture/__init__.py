"""A run as a picture, with a lane for each task and connection: a page to step through, or an SVG for documents.

The commands write one by `--html FILE` and `--svg FILE`.  A program does it by itself:

    run = simulate(main, trace=True)        # that of impl.bridges.asyncio, of impl.bridges.trio, or of impl
    write_page("run.html", scene_of(run))   # scene_of also takes an impl.Recorder
"""

from .events import scene_of
from .page import page, write_page
from .scene import Row, Scene
from .svg import svg

__all__ = ["Row", "Scene", "page", "scene_of", "svg", "write_page"]
