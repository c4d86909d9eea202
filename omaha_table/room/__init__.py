"""Many tables on PostgreSQL: a copy of every log, made as it is written, on another machine.

A table never waits for the room. Its journal is what is sent; the room's own head says what is
missing, so that nothing has to be remembered at the table.
"""
