"""Predicted times of worksharing loops under other schedules, from recorded iterations.

schedule      schedules, and those that are tried
loop_costs    the costs along a loop's iteration space and of getting a chunk, and the time that a
              team takes under a schedule
predict       the predictions of all loops of a run, and the result for a loop in words
"""
