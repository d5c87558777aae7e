"""Programs that the driver runs: found, started, asked, and ended."""
