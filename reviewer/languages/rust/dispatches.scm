; Matches on an expression: which of them choose by an action's name is for Python to tell.
(match_expression value: (_) @scrutinee body: (match_block) @body) @match
(if_expression condition: (_) @scrutinee consequence: (block) @body (#match? @scrutinee "action")) @if
