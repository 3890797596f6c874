"""Whether a model chooses the right tool: tools → tasks that need them → choices among all tools → how often they were right.

A model writes the tasks and a model chooses; what counts as a task, what a choice is and whether it is right is decided here.
"""
