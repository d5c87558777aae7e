"""Tests of the driver, from the command line down to each phase of a compile."""
