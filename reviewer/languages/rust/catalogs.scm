; Struct literals of a type named ActionSpec, macros named for it, and both names inside of another macro's tokens.
(struct_expression name: [
  (type_identifier) @type
  (scoped_type_identifier name: (type_identifier) @type)
] (#match? @type "ActionSpec$")) @row
(macro_invocation macro: (_) @type (#match? @type "action_spec$")) @use
(token_tree (identifier) @type (#match? @type "(ActionSpec|action_spec)$")) @tokens
