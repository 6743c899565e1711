"""The course: lessons as data, the state of a lesson as an address, tables typed in a lesson."""
