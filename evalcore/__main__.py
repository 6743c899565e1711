"""`python -m evalcore`: the same as `python -m evalboard`, kept for scripts."""

from importlib import import_module

if __name__ == "__main__":
    # Imported by name: evalcore itself knows nothing of what is built on it.
    import_module("evalboard.__main__").command()
