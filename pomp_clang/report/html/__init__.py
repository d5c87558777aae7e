"""Reports as a page: one file that loads nothing and is readable without its script."""
