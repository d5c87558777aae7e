"""Remedies tried on the trace: the run time that the program would have with one of them.

remedy_prediction    a remedy with its predicted run time
merge_regions        parallel regions that follow one another become one
replace_critical     a critical section becomes an atomic or a reduction
task_graph           the recorded tasks of a barrier: who created and awaited what
change_tasks         fewer tasks, and waits that are dropped, by list schedules of the tasks

`findings.predictions` has the table: the remedies of each property, and the best of them.
"""
