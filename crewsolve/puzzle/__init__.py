"""Hand-made puzzles: is the author right, how many solutions, why can it not be won."""
