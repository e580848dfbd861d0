"""The trick search: a compiled kernel, the problem as its arrays, and the runs that use it."""
