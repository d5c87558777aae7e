"""Waits in one-sided communication, computed by hand."""

from __future__ import annotations

from tests.causes.jobs import Script, states


def test_at_a_fence_all_wait_for_the_last() -> None:
    """Twice, and each time for another one."""
    job = Script(3)
    for rank, first, second in ((0, 1, 7), (1, 3, 6), (2, 2, 9)):
        job.window(rank, "Win_fence", first, 3.1)
        job.window(rank, "Put", 3.2, 3.3, 0, size=8)
        job.window(rank, "Win_fence", second, 9.1)
    assert states(job) == {
        "FENCE": {(0, "Win_fence"): 2 + 2, (1, "Win_fence"): 3, (2, "Win_fence"): 1}
    }


def test_fences_are_of_one_window() -> None:
    job = Script(2)
    for rank, first, second in ((0, 1, 5), (1, 2, 8)):
        job.window(rank, "Win_fence", first, 2.1, window=100)
        job.window(rank, "Win_fence", second, 8.1, window=200)
    assert states(job) == {"FENCE": {(0, "Win_fence"): 1 + 3}}


def exposed(post: float, start: tuple[float, float], complete: tuple[float, float]) -> Script:
    """Return a job in which rank 0 uses the windows that ranks 1 and 2 post, rank 1 from the
    beginning on."""
    job = Script(3)
    job.window(1, "Win_post", 0.5, 0.6, 0)
    job.window(2, "Win_post", post, post + 0.1, 0)
    job.window(0, "Win_start", *start, 1, 2)
    job.window(0, "Put", start[1] + 0.1, start[1] + 0.2, 1, size=8)
    job.window(0, "Win_complete", *complete)
    job.window(1, "Win_wait", 1, complete[1] + 0.1)
    job.window(2, "Win_wait", post + 0.2, complete[1] + 0.1)
    return job


def test_a_start_waits_for_the_last_post() -> None:
    actual = states(exposed(5, (2, 5.1), (6, 6.1)))
    assert actual["LATE_POST"] == {(0, "Win_start"): 3}


def test_a_complete_waits_for_the_last_post() -> None:
    """MPI_Win_start returns at once, and so does an access that only begins."""
    actual = states(exposed(5, (2, 2.1), (4, 5.2)))
    assert actual["LATE_POST"] == {
        (0, "Win_start"): 0.1,
        (0, "Put"): 0.1,
        (0, "Win_complete"): 1,
    }


def test_what_uses_the_window_waits_for_the_last_post() -> None:
    job = Script(2)
    job.window(0, "Win_start", 1, 1.1, 1)
    job.window(0, "Get", 2, 5.1, 1, size=8)
    job.window(0, "Win_complete", 6, 6.1)
    job.window(1, "Win_post", 5, 5.1, 0)
    job.window(1, "Win_wait", 6.05, 6.2)
    assert states(job) == {"LATE_POST": {(0, "Get"): 3, (0, "Win_start"): 0.1}}


def test_who_posted_waits_for_those_who_use_it_to_complete() -> None:
    actual = states(exposed(1.5, (2, 2.1), (7, 7.1)))
    assert actual == {"EARLY_WAIT": {(1, "Win_wait"): 6, (2, "Win_wait"): 5.3}}


def test_a_window_is_waited_for_until_the_last_one_has_completed() -> None:
    job = Script(3)
    job.window(0, "Win_post", 0.5, 0.6, 1, 2)
    job.window(0, "Win_wait", 1, 8.1)
    for rank, complete in ((1, 4), (2, 8)):
        job.window(rank, "Win_start", 0.7, 0.8, 0)
        job.window(rank, "Win_complete", complete, complete + 0.1)
    assert states(job) == {"EARLY_WAIT": {(0, "Win_wait"): 7}}


def test_epochs_are_matched_in_their_order() -> None:
    """The second time, the process tests the window until it is free, between other work."""
    job = Script(2)
    for since, post in ((1, 2), (5, 8)):
        job.window(0, "Win_start", since, post + 0.1, 1)
        job.window(0, "Win_complete", post + 0.2, post + 0.3)
        job.window(1, "Win_post", post, post + 0.1, 0)
    job.window(1, "Win_wait", 2.1, 2.4)
    for moment in (8.1, 8.15, 8.4):
        job.window(1, "Win_test", moment, moment + 0.01)
    assert states(job) == {
        "LATE_POST": {(0, "Win_start"): 1 + 3},
        "EARLY_WAIT": {(1, "Win_wait"): 0.1},
    }


def test_a_locked_window_is_waited_for() -> None:
    """Whoever asks while another has it; each waits for the one before."""
    job = Script(4)
    for rank, ask, acquired, free in ((0, 1, 1.1, 4), (1, 2, 4.2, 6), (2, 3, 6.2, 7)):
        job.window(rank, "Win_lock", ask, acquired, 3, exclusive=True)
        job.window(rank, "Put", acquired + 0.1, acquired + 0.2, 3, size=8)
        job.window(rank, "Win_unlock", free, free + 0.1, 3)
    assert states(job) == {"LOCK": {(1, "Win_lock"): 2.1, (2, "Win_lock"): 3.1}}


def test_a_lock_may_be_waited_for_where_it_is_given_up() -> None:
    """MPI may ask for the lock only there."""
    job = Script(3)
    job.window(0, "Win_lock", 1, 1.1, 2, exclusive=True)
    job.window(0, "Win_unlock", 6, 6.5, 2)
    job.window(1, "Win_lock", 2, 2.1, 2, exclusive=True)
    job.window(1, "Put", 2.2, 2.3, 2, size=8)
    job.window(1, "Win_unlock", 3, 6.7, 2)
    assert states(job) == {"LOCK": {(1, "Win_lock"): 0.1, (1, "Put"): 0.1, (1, "Win_unlock"): 3.5}}


def test_windows_of_others_and_of_oneself_are_no_matter() -> None:
    """The same lock again, one at another process, and one of another window."""
    job = Script(3)
    job.window(0, "Win_lock", 1, 1.1, 2, exclusive=True)
    job.window(0, "Win_unlock", 3, 3.1, 2)
    job.window(0, "Win_lock", 3.2, 3.3, 2, exclusive=True)
    job.window(0, "Win_unlock", 5, 5.1, 2)
    job.window(1, "Win_lock", 1, 2.9, 0, exclusive=True)
    job.window(1, "Win_unlock", 3, 4, 0)
    job.window(2, "Win_lock", 1, 2.9, 2, window=200, exclusive=True)
    job.window(2, "Win_unlock", 3, 4, 2, window=200)
    assert states(job) == {}


def held(job: Script, rank: int, ask: float, acquired: float, free: float, exclusive: bool) -> None:
    job.window(rank, "Win_lock", ask, acquired, 3, exclusive=exclusive)
    job.window(rank, "Win_unlock", free, free + 0.1, 3)


def test_those_who_share_a_lock_keep_each_other_waiting_for_nothing() -> None:
    """However long their calls take: rank 2 comes while rank 0 and 1 have it."""
    job = Script(4)
    held(job, 0, 1, 1.1, 5, exclusive=False)
    held(job, 1, 2, 4, 6, exclusive=False)
    held(job, 2, 3, 5.5, 7, exclusive=False)
    assert states(job) == {}


def test_who_wants_it_alone_waits_for_the_last_who_shares_it() -> None:
    job = Script(4)
    held(job, 0, 1, 1.1, 5, exclusive=False)
    held(job, 1, 1.2, 1.3, 4, exclusive=False)
    held(job, 2, 3, 5.2, 7, exclusive=True)
    assert states(job) == {"LOCK": {(2, "Win_lock"): 2.1}}


def test_all_who_share_it_wait_for_who_had_it_alone() -> None:
    """Rank 1 and 2 up to 5.1, and not for each other."""
    job = Script(4)
    held(job, 0, 1, 1.1, 5, exclusive=True)
    held(job, 1, 2, 5.2, 6, exclusive=False)
    held(job, 2, 3, 6.5, 7, exclusive=False)
    assert states(job) == {"LOCK": {(1, "Win_lock"): 3.1, (2, "Win_lock"): 2.1}}


def test_a_lock_of_all_processes_is_shared() -> None:
    """Rank 1 uses rank 3's part of the window while rank 0 has it; rank 2 uses another part."""
    job = Script(4)
    held(job, 0, 1, 1.1, 5, exclusive=True)
    for rank, target in ((1, 3), (2, 1)):
        job.window(rank, "Win_lock_all", 0.5, 0.6)
        job.window(rank, "Put", 2, 2.1, target, size=8)
        job.window(rank, "Win_flush_all", 3, 5.3)
        job.window(rank, "Win_unlock_all", 6, 6.2)
    actual = states(job)["LOCK"]
    assert actual[1, "Win_flush_all"] == 2.1
    assert {who for who, _ in actual} == {1}


def test_a_flush_waits_for_the_lock_that_it_is_within() -> None:
    """With two locks held at a time, a flush belongs to the lock for the same process."""
    job = Script(4)
    held(job, 0, 1, 1.1, 5, exclusive=True)
    job.window(1, "Win_lock", 1.5, 1.6, 3, exclusive=True)
    job.window(1, "Win_lock", 1.7, 1.8, 2, exclusive=True)
    job.window(1, "Win_flush", 1.9, 2.4, 2)
    job.window(1, "Win_flush", 2.5, 5.2, 3)
    job.window(1, "Win_unlock", 6, 6.1, 2)
    job.window(1, "Win_unlock", 6.2, 6.3, 3)
    assert states(job) == {"LOCK": {(1, "Win_lock"): 0.1, (1, "Win_flush"): 2.6}}
