"""Crews that cannot see: seats that know their own hand, what is public, and what was said."""
