"""Count tables: what every number is a function of."""
