"""The files of a review: where they lie, which of them matter, and their text."""
