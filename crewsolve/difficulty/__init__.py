"""How hard is a mission really? What is measured on many random deals."""
