"""Progress notifications: their token, their numbers, how often they are sent."""
