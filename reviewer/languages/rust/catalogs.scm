; Struct literals of a type named ActionSpec, and its name inside of a macro's tokens.
(struct_expression name: [
  (type_identifier) @type
  (scoped_type_identifier name: (type_identifier) @type)
] (#match? @type "ActionSpec$")) @row
(token_tree (identifier) @type (#match? @type "ActionSpec$")) @tokens
