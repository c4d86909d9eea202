"""The floor's page: all tables of a room in a browser, and the counts at the end of a shift."""
