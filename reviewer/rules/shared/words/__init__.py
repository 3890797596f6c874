"""What names and descriptions say: words, verbs, labels, placeholders, promises."""
