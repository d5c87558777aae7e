"""What-if predictions: the run time expected without an inefficiency."""
