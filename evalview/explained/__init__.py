"""How a number is worked out, in formulas and in Python."""
