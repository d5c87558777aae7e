"""The plan of a unit: the constructs that are measured or left out, with the reasons."""
