"""The cube of severities by property, call path and thread; its file, and the statistics of its
instances."""
