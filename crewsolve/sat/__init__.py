"""The SAT engine: encoding, goals, freedoms, solving in slices, proofs."""
