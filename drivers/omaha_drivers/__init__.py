"""Serial devices of a card table: transport, framing, adapters, supervision and emulators.

Nothing here knows the game. A device's bytes become the frozen events of `omaha_drivers.events`;
what they mean at the table is decided elsewhere.
"""
