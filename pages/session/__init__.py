"""The only users of session state, caches and query parameters."""
