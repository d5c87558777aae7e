"""Waits for messages, computed by hand."""

from __future__ import annotations

from tests.causes.jobs import Script, states


def test_a_receiver_waits_for_a_late_sender() -> None:
    job = Script(2)
    job.message(job.call(0, "Send", 4, 4.5), job.call(1, "Recv", 1, 4.6))
    assert states(job) == {"LATE_SENDER": {(1, "Recv"): 3}}


def test_no_more_is_waited_than_the_receive_takes() -> None:
    """By its clock the sender had not begun when the receiver had the message."""
    job = Script(2)
    job.message(job.call(0, "Send", 4, 4.5), job.call(1, "Recv", 1, 3.5))
    assert states(job) == {"LATE_SENDER": {(1, "Recv"): 2.5}}


def test_who_comes_for_what_is_there_waits_for_nothing() -> None:
    """The sender was done before, or is as the receiver begins."""
    job = Script(2)
    job.message(job.call(0, "Send", 1, 1.1), job.call(1, "Recv", 2, 2.1))
    job.message(job.call(0, "Send", 3, 4), job.call(1, "Recv", 4, 4.1))
    assert states(job) == {}


def test_a_sender_waits_for_a_late_receiver() -> None:
    job = Script(2)
    job.message(job.call(0, "Ssend", 1, 5.2), job.call(1, "Recv", 5, 5.3))
    assert states(job) == {"LATE_RECEIVER": {(0, "Ssend"): 4}}


def test_what_is_received_is_waited_for_where_it_is_completed() -> None:
    """The receive was posted long before: meanwhile the receiver did something else."""
    job = Script(2)
    job.message(
        job.call(0, "Send", 5, 5.5),
        job.call(1, "Irecv", 1, 1.1),
        received=job.call(1, "Wait", 3, 5.6),
    )
    assert states(job) == {"LATE_SENDER": {(1, "Wait"): 2}}


def test_what_is_sent_is_waited_for_where_it_is_completed() -> None:
    job = Script(2)
    job.message(
        job.call(0, "Issend", 1, 1.1),
        job.call(1, "Recv", 6, 6.5),
        sent=job.call(0, "Wait", 4, 6.4),
    )
    assert states(job) == {"LATE_RECEIVER": {(0, "Wait"): 2}}


def test_who_waits_for_several_waits_for_the_last() -> None:
    job = Script(4)
    waitall = job.call(0, "Waitall", 2, 7.1)
    for rank, send_begin in ((1, 3), (2, 7), (3, 5)):
        job.message(
            job.call(rank, "Send", send_begin, send_begin + 0.1),
            job.call(0, "Irecv", 1 + rank / 10, 1.05 + rank / 10),
            received=waitall,
        )
    assert states(job) == {"LATE_SENDER": {(0, "Waitall"): 5}}


def test_who_sends_and_receives_at_once_waits_once() -> None:
    """A call that does both waits for its late partner only once."""
    job = Script(2)
    early, late = job.call(0, "Sendrecv", 1, 4.1), job.call(1, "Sendrecv", 4, 4.1)
    job.message(early, late)
    job.message(late, early)
    assert states(job) == {"LATE_SENDER": {(0, "Sendrecv"): 3}}


def test_of_two_partners_that_are_late_the_one_who_receives_is_waited_for_longer() -> None:
    job = Script(3)
    both = job.call(0, "Sendrecv", 1, 6.1)
    job.message(job.call(1, "Send", 3, 3.1), both)
    job.message(both, job.call(2, "Recv", 6, 6.2))
    assert states(job) == {
        "LATE_SENDER": {(0, "Sendrecv"): 2},
        "LATE_RECEIVER": {(0, "Sendrecv"): 3},
    }


def test_messages_in_wrong_order() -> None:
    """Rank 2's came first, and rank 1 is waited for first."""
    job = Script(3)
    first, second = job.call(0, "Recv", 1, 5.1), job.call(0, "Recv", 5.2, 5.3)
    job.message(job.call(1, "Send", 5, 5.1), first)
    job.message(job.call(2, "Send", 2, 2.1), second)
    actual = states(job)
    assert actual["LATE_SENDER"] == {(0, "Recv"): 4}
    assert actual["LATE_SENDER_ORDER"] == {(0, "Recv"): 4}


def test_messages_in_order_are_in_no_wrong_order() -> None:
    """The message received later was sent later; a message that another process has not yet
    received does not count."""
    job = Script(4)
    job.message(job.call(1, "Send", 4, 4.1), job.call(0, "Recv", 1, 4.2))
    job.message(job.call(2, "Send", 4.05, 4.2), job.call(0, "Recv", 4.3, 4.4))
    job.message(job.call(2, "Send", 2, 2.1), job.call(3, "Recv", 8, 8.1))
    assert states(job) == {"LATE_SENDER": {(0, "Recv"): 3}}


def test_what_was_posted_before_lies_nowhere() -> None:
    """It has been received, though it is completed later."""
    job = Script(3)
    older = job.call(0, "Irecv", 0.5, 0.6)
    job.message(job.call(1, "Send", 5, 5.1), job.call(0, "Recv", 1, 5.2))
    job.message(job.call(2, "Send", 2, 2.1), older, received=job.call(0, "Wait", 6, 6.1))
    assert states(job) == {"LATE_SENDER": {(0, "Recv"): 4}}


def test_a_receiver_leaves_an_older_message_lying() -> None:
    """It takes what rank 2 sends, which waits for it, and only then what rank 1 sent before."""
    job = Script(3)
    job.message(job.call(1, "Ssend", 1, 6.2), job.call(0, "Recv", 6, 6.3))
    job.message(job.call(2, "Ssend", 2, 5.1), job.call(0, "Recv", 5, 5.2))
    actual = states(job)
    assert actual["LATE_RECEIVER"] == {(1, "Ssend"): 5, (2, "Ssend"): 3}
    assert actual["LATE_RECEIVER_ORDER"] == {(2, "Ssend"): 3}


def test_from_anyone_is_from_who_sent_it() -> None:
    """Two receives from any source: each waits for the one whose message it got."""
    job = Script(3)
    job.message(job.call(2, "Send", 3, 3.1), job.call(0, "Recv", 1, 3.2))
    job.message(job.call(1, "Send", 6, 6.1), job.call(0, "Recv", 4, 6.2))
    assert states(job) == {"LATE_SENDER": {(0, "Recv"): 4}}


def test_one_may_send_to_itself() -> None:
    job = Script(1)
    posted, send = job.call(0, "Irecv", 1, 1.1), job.call(0, "Send", 2, 2.1)
    job.message(send, posted, received=job.call(0, "Wait", 3, 3.1))
    assert states(job) == {}


def test_threads_of_a_process_wait_for_each_other() -> None:
    """With MPI_THREAD_MULTIPLE, each thread has calls of its own at the same time."""
    job = Script(2, threads=2)
    job.message(job.call(1, "Send", 4, 4.1), job.call(0, "Recv", 1, 4.2, thread=1))
    job.message(job.call(1, "Send", 2, 2.1, thread=1), job.call(0, "Recv", 1, 2.2))
    job.message(job.call(0, "Send", 7, 7.1), job.call(0, "Recv", 5, 7.2, thread=1))
    assert states(job) == {"LATE_SENDER": {(0, "Recv"): 3 + 1 + 2}}


def test_a_probe_that_finds_nothing_waits_for_nothing() -> None:
    """Many tests, of which the last one completes the message."""
    job = Script(2)
    posted = job.call(1, "Irecv", 1, 1.1)
    tests = [job.call(1, "Test", when, when + 0.01) for when in (2, 3, 4, 5)]
    job.message(job.call(0, "Send", 4.5, 4.6), posted, received=tests[-1])
    assert states(job) == {}
