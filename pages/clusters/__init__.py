"""Pages about clusterings."""
