"""A live-dealer table console for Omaha High, Omaha High/Low 8 or better and Big O."""

__version__ = "0.1.0"
