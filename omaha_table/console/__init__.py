"""The dealer's console: paints the view of the session's front, and passes every key to it."""
