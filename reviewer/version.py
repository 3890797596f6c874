"""The version of this package: the build takes it from here, so that nobody has to read the metadata of what is installed."""

__version__ = "0.1.0"
