; Expressions that keep a panic in: catch_unwind in both forms, a task of its own, a future named for it.
(call_expression function: [
  (identifier) @name
  (scoped_identifier name: (identifier) @name)
  (field_expression field: (field_identifier) @name)
] (#match? @name "^(catch_unwind|spawn|spawn_blocking|spawn_local)$")) @call
(call_expression function: (scoped_identifier path: (_) @own (#match? @own "CatchUnwind"))) @call
(call_expression function: (identifier) @own (#match? @own "CatchUnwind")) @call
(struct_expression name: (_) @own (#match? @own "CatchUnwind")) @call
