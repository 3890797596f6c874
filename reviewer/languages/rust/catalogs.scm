; Struct literals of a type named ActionSpec, and its name inside of a macro's tokens.
(struct_expression name: [
  (type_identifier) @type
  (scoped_type_identifier name: (type_identifier) @type)
] (#match? @type "ActionSpec$")) @row
(token_tree (identifier) @type (#match? @type "ActionSpec$")) @tokens

; Struct literals that say whether something is destructive, and the field's name inside of a macro's tokens.
(struct_expression body: (field_initializer_list (field_initializer field: (field_identifier) @_field))
  (#eq? @_field "destructive")) @row
(token_tree (identifier) @_word (#eq? @_word "destructive")) @tokens
