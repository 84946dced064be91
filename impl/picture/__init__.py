"""A run as a picture, with a lane for each task and connection: a page to step through, or an SVG for documents."""

from .events import scene_of
from .page import page
from .scene import Row, Scene
from .svg import svg

__all__ = ["Row", "Scene", "page", "scene_of", "svg"]
