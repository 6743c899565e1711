"""From count tables to every number with its interval: what `evaluate` is put together from."""
