"""Choices of a reader, and results in the memory of the server."""
