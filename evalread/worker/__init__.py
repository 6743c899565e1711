"""Reading in a process of its own, with limits, so that no file can stop a server."""
