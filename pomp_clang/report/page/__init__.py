"""The causes of a run as a page: three linked trees of properties, call paths and locations."""
