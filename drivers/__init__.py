"""Serial devices at the table: the shuffler and the card-reader shoe."""
