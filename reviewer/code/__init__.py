"""What a program does, in no language: its intermediate representation, and the abstract run over it.

Every language lowers its functions to `ir`. No tree-sitter, no language and no rule is known here.
"""
