"""Appointments of a clinic."""
