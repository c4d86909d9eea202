"""The front of the desk: keys in, a frozen view out. It knows no terminal and paints nothing."""
