"""Distances, silhouettes and agreement of clusterings."""
