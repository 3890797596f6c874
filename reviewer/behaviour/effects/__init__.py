"""What a call does beside answering: files, commands, databases, memory."""
