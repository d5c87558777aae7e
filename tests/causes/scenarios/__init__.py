"""Traces of ten seconds, written by hand, with the severities of all properties, computed by hand.

Severities are by line and thread, in seconds. A missing severity is 0; a severity that follows from
others by definition is left out.
"""

from __future__ import annotations

from tests.causes.scenarios.scenario import Cells, Scenario, analysed
from tests.causes.scenarios.several import (
    a_loop_with_a_barrier_before_it,
    a_region_with_a_barrier_before_that_at_its_end,
)
from tests.causes.scenarios.tasks import (
    an_untied_task_that_moves,
    tasks_in_a_barrier_that_is_spelt,
    tasks_in_an_implied_barrier,
)
from tests.causes.scenarios.teams import (
    a_cancelled_loop,
    a_nested_team_in_place_of_the_pool,
    a_target_construct_outside_teams,
    a_target_data_construct_outside_teams,
    a_thread_that_the_program_made,
    cancelled,
    nested_teams,
    teams_that_change,
    threads_that_are_waited_for,
)
from tests.causes.scenarios.waits import (
    a_team_that_waits_for_kernels,
    a_wait_that_is_passed_on,
    attempts_to_get_a_lock,
    what_openmp_takes,
)

__all__ = ["SCENARIOS", "Cells", "Scenario", "analysed"]

SCENARIOS = {
    "nested teams": nested_teams(),
    "a nested team in place of the pool": a_nested_team_in_place_of_the_pool(),
    "tasks in an implied barrier": tasks_in_an_implied_barrier(),
    "tasks in a barrier that is spelt": tasks_in_a_barrier_that_is_spelt(),
    "a cancelled region": cancelled(),
    "a cancelled loop": a_cancelled_loop(),
    "a target construct outside teams": a_target_construct_outside_teams(),
    "a target data construct outside teams": a_target_data_construct_outside_teams(),
    "an untied task that moves": an_untied_task_that_moves(),
    "teams that change": teams_that_change(),
    "a thread that the program made": a_thread_that_the_program_made(),
    "other teams that are waited for": threads_that_are_waited_for(),
    "attempts to get a lock": attempts_to_get_a_lock(),
    "a team that waits for kernels": a_team_that_waits_for_kernels(),
    "a wait that is passed on": a_wait_that_is_passed_on(),
    "what OpenMP takes": what_openmp_takes(),
    "a loop with a barrier before it": a_loop_with_a_barrier_before_it(),
    "a region with a barrier before that at its end": (
        a_region_with_a_barrier_before_that_at_its_end()
    ),
}
