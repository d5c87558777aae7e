"""Waits for a processor of all processes of a run."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.analysis.overheads.off_processor import (
    ProcessorUse,
    ProcessorWaits,
    processor_waits,
)
from pomp_clang.experiment.model import Experiment
from tests.handmade import experiment


def _process(host: str, queued: float) -> Experiment:
    """Return a process of two threads for 10 s that waited for a processor for these seconds in all."""
    run = experiment([], {}, threads=2, duration=10.0)
    locations = tuple(replace(location, queuedT=queued / 2) for location in run.locations)
    return replace(run, host=host, processors=2, locations=locations)


def test_waits_are_those_of_all_processes() -> None:
    assert processor_waits([_process("a", 0.5), _process("b", 1.0)]) == ProcessorWaits(
        ProcessorUse.FREE, 1.5, 40.0
    )
    assert processor_waits([_process("a", 0.5), _process("b", 3.5)]) == ProcessorWaits(
        ProcessorUse.BUSY, 4.0, 40.0
    )


def test_threads_of_one_process_may_spin() -> None:
    passive, active = (
        replace(_process(*at), wait_policy=at[0]) for at in (("passive", 4), ("", 4))
    )
    assert processor_waits([passive]).use is ProcessorUse.BUSY
    assert processor_waits([passive, active]).use is ProcessorUse.BUSY_AND_SPINNING


def test_waits_in_a_disturbed_run_explain_costs_up_to_twice_as_long() -> None:
    busy = ProcessorWaits(ProcessorUse.BUSY, 4.0, 40.0)
    assert busy.explain(1.0)
    assert not busy.explain(1.1)
    disturbed = ProcessorWaits(ProcessorUse.BUSY, 4.0, 16.0)
    assert disturbed.explain(8.0)
    assert not disturbed.explain(8.1)
    assert ProcessorWaits(ProcessorUse.OVERSUBSCRIBED, 4.0, 16.0).explain(8.0)
    assert not ProcessorWaits(ProcessorUse.FREE, 4.0, 160.0).explain(1.0)


def test_processes_on_one_host_have_too_many_threads_together() -> None:
    assert processor_waits([_process("a", 0.0), _process("a", 0.0)]).use is (
        ProcessorUse.OVERSUBSCRIBED
    )


def test_a_process_may_be_bound_to_too_few_processors() -> None:
    bound = replace(_process("a", 0.0), usable_processors=1)
    assert processor_waits([bound]).use is ProcessorUse.OVERSUBSCRIBED
    assert processor_waits([replace(bound, max_threads=1)]).use is ProcessorUse.FREE


def test_a_run_without_profiles_has_no_waits() -> None:
    assert processor_waits([]) == ProcessorWaits()
