"""Serial devices of a card table: transport, framing, adapters, supervision and emulators.

Nothing in this package knows the game. It turns a device's bytes into the frozen events of
`omaha_drivers.events`; the table's session decides what they mean.
"""
