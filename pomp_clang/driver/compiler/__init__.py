"""The compiler of a command: its kind, its headers, and the cache of its answers."""
