"""The version of this package. The build takes it from here, so that a run need not read the installed metadata."""

__version__ = "0.1.0"
