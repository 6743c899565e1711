"""Settings for every test of the core."""

from hypothesis import settings

# A shared machine stalls now and then; how long a draw takes says nothing about the code.
settings.register_profile("evalcore", deadline=None)
settings.load_profile("evalcore")
