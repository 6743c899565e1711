"""From the bytes of a file to a checked `Dataset`: read, detect roles, bind."""

from evalcore.intake.binding import bind
from evalcore.intake.loading import load, read_all
from evalcore.intake.reading import read
from evalcore.intake.roles import detect

__all__ = ["bind", "detect", "load", "read", "read_all"]
