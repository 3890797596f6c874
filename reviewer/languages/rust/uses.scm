; Every use declaration, those in function bodies too.
(use_declaration) @use
