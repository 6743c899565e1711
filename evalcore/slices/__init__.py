"""Where models fail: slices of the rows by columns that play no role, and groups side by side."""
