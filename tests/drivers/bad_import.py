"""An adapter whose module cannot be imported."""

raise ImportError("As Kd")
