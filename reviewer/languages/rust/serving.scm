; Matches on an expression, of which Python picks those whose arms name tools.
(match_expression value: (_) @scrutinee body: (match_block) @body) @match
