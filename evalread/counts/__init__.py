"""Count tables as a file: what is judged of data, without their rows."""
