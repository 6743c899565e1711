"""Models of a data set that are compared on rows: who takes part, and what their rows say."""
