"""Predicted times of worksharing loops under other schedules, from recorded iterations.

iteration_costs     the cost along a loop's iteration space
schedule            schedules, and those that are tried
replay              the time that a team takes under a schedule
chunk_cost          the cost of getting a chunk, measured on this machine
predict             the predictions of all loops of a run
sentence            the result for a loop in words
"""
