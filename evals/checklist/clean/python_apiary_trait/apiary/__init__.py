"""An apiary's hives, visits and honey."""
