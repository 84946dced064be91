"""A run as a picture: one HTML file that needs nothing else, with a lane for each task and connection."""

from .events import scene_of
from .page import page
from .scene import Row, Scene

__all__ = ["Row", "Scene", "page", "scene_of"]
