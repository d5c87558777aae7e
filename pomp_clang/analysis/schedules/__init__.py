"""Predicted times of worksharing loops under other schedules, from recorded iterations.

iteration_costs     the cost along a loop's iteration space, and that of getting a chunk
schedule            schedules, and those that are tried
replay              the time that a team takes under a schedule
predict             the predictions of all loops of a run, and the result for a loop in words
"""
