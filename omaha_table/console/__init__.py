"""The dealer's console: paints the view of the desk's front, and passes every key to it."""
