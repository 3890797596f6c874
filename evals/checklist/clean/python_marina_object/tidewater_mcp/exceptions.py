"""What can go wrong between a tool and Tidewater."""


class TidewaterError(Exception):
    """Any failure of a call to Tidewater."""


class AccessDeniedError(TidewaterError):
    """The token is missing, expired, or may not do this."""


class NotThereError(TidewaterError):
    """There is no such harbour, berth or booking."""


class AlreadyTakenError(TidewaterError):
    """Somebody else holds the berth in that time."""


class InvalidRequestError(TidewaterError):
    """The request contradicts itself; the text says in what and is written by us."""


class TooManyCallsError(TidewaterError):
    """Tidewater wants a pause."""

    def __init__(self, pause_s: float | None = None) -> None:
        super().__init__("too many calls")
        self.pause_s = pause_s


class UnavailableError(TidewaterError):
    """Tidewater does not answer, or with an error of its own."""
