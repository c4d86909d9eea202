"""What the review knows: recorded hands as rows, filters, incidents, the drop, the ledger."""
