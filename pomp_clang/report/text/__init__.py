"""Reports as text for a terminal, a file per subject."""
