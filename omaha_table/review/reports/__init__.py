"""Reports on a shift, a dealer, a day or a hand, and the count sheet."""
