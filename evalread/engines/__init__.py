"""Data counted where they lie: in files, folders, databases and clusters, by one expression."""
