"""`python -m crewsolve`."""

from .cli import main

main()
