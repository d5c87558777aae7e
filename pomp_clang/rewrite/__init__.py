"""Plan -> edits -> text: the calls of the POMP API, on the lines that are there already."""
