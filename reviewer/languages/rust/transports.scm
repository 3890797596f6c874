; Calls by a path or a name, pairs, and option literals: the forms in which a transport may be wired.
(call_expression function: [(identifier) (scoped_identifier) (generic_function)] @name) @call
(tuple_expression) @pair
(struct_expression name: (_) @name (#match? @name "ServerOptions$")) @options
; A constructor that is handed on as a function.
(arguments (scoped_identifier) @handed)
(let_declaration value: (scoped_identifier) @handed)
(token_tree) @tokens
