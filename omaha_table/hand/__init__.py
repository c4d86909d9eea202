"""One hand: its pots, and how they are split."""
