"""What registers tools, with which SDK: servers, registrations, lists that code answers itself, and the schemas of tools."""
