"""How the tools of a Python server answer: what they say they give, what is laid around them, how exceptions become answers."""
