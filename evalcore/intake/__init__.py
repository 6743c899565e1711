"""From the bytes of a file to a checked `Dataset`: read, detect roles, bind."""
