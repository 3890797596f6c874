"""How a server speaks: transports, methods by hand, changes of its list, its start and its end."""
