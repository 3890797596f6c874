"""What keeps answers short: guards, cuts, envelopes, and what they say of the rest."""
