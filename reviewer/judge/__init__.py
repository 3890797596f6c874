"""What no program decides: questions → what a model is shown and asked → verdicts that were checked.

A model answers rubrics about a tool; code alone sets rule, severity, place and exit code. What a model says counts only if it
answers what was asked, in the words that were asked for, with quotes that are there.
"""

from reviewer.judge.answers import UNCHANGED, Answer, AskedQuestion, GivesGrades, Judge, Judged, Recalls, Unanswered

__all__ = ["UNCHANGED", "Answer", "AskedQuestion", "GivesGrades", "Judge", "Judged", "Recalls", "Unanswered"]
