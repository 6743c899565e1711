"""What there is to say about a number: its formula worked out, its interval, the same in Python."""
