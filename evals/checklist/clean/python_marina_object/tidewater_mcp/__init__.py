"""The tools of Tidewater: importing the package registers them."""

from . import accounts, berths, bookings, harbours
from .app import mcp

__all__ = ["accounts", "berths", "bookings", "harbours", "mcp"]
