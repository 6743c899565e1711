"""Every number of a model, with intervals, from its count tables."""
