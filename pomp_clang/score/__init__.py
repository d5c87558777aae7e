"""The score of a profile: what measuring its functions costs, and the filter that meets a budget."""
