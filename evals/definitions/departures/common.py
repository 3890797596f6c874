"""Departures that several categories share. The reasons are in the TOML file beside it."""

from cases import Difference


def nested_part(difference: Difference) -> bool:
    return difference.nested
