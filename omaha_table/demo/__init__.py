"""A table that lives by itself: emulated machines, simulated players, practice, autoplay."""
