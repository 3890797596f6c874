"""Two reviews of one project: a base and now, a baseline and now, the source and the live server."""
