"""The threshold explorer's data and scripts."""
