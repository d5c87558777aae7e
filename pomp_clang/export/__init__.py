"""Files of a run for other tools: a format each, listed in `write_export`."""
