"""Recordings: the traffic of one device, kept for whoever supports it, without its cards.

`masking` is what an adapter must do so that its device can be recorded, `file` the form on disk,
`recorder` writes a recording while a device is supervised, and `replay` runs an adapter on one.
"""
