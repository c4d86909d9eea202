"""What a cardroom's office records: counts, variances, notes, staff, PINs and unsealings."""
