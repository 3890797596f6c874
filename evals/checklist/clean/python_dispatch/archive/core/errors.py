"""What can go wrong, as clients see it."""


class ToolError(Exception):
    """An answer that says no."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
