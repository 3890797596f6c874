"""What servers do, by the events of an abstract run: each analysis once, for every language.

Facts say what the program does; rules decide. No syntax and no language is known here.
"""
