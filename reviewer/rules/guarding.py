"""What the guard of a project has not seen."""

from reviewer.facts import Answer, Project


def by_hand(project: Project) -> list[Answer]:
    """Give the answers that no guard has seen."""
    accepted = {str(guard.name) for guard in project.guards}
    return [
        answer
        for answer in project.answers
        if accepted and not answer.is_wrapper and not accepted & {*answer.through, answer.within}
    ]
