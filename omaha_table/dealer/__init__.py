"""The front of the session: keys in, a frozen view out. It knows no terminal and paints nothing."""
