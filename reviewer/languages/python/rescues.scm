; Clauses that catch an exception.
(except_clause) @clause
