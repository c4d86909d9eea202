"""Hands for other programs, and from them: PHH, OHH, CSV, JSON."""
