; Calls by a path or a name, pairs, and option literals: the forms in which a transport may be wired.
(call_expression function: (identifier) @name (#eq? @name "stdio")) @call
(call_expression function: (scoped_identifier) @name (#match? @name "(stdio|::new|::serve|::serve_with_config|::default)$")) @call
(call_expression function: (generic_function) @name (#match? @name "(::new|::serve)")) @call
(tuple_expression) @pair
(struct_expression name: (_) @name (#match? @name "ServerOptions$")) @options
