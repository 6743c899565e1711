"""The course: lessons and worked examples as data, states of lessons as addresses, typed tables."""
