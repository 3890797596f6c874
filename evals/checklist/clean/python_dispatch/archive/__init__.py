"""An archive of letters and albums."""
