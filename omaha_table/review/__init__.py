"""After the shift: hands read back from journals, reports, exports, reconciliation."""
