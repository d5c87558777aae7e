"""Analysis of an experiment's profile: numbers, without text for people.

The way of the data:

    profile, callpaths, counters    a row for each region or call path, and thread
    overheads, breakdown            the class and place of each loss; the parts of all time
    properties, property_texts      inefficiencies with their severity; their names and advice
    run, timeline                   all of one run; the run in steps
    comparison, job                 several runs, matched by `region_matching`; the processes of one

`perturbation` estimates the cost of measurement.  `causes` analyzes the events of a trace.
"""
