"""The dealer's console: a model, its updates and its view. Only `screen` knows a terminal."""
