"""The plan of a unit: the constructs that are measured, those that are left out, and why."""
