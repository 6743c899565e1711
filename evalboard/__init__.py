"""The command `evalboard`."""
