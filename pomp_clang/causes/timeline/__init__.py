"""Events of a trace to a timeline for each location, and where these meet: teams, barriers, locks."""
