"""Stepping through a game: positions, a session in the terminal, a page to click through."""
